"""People with columns and a set of codes each, in the shape of INFORMS in PGLS13, Table 1: the same files on every machine."""

import random

RECORDS, ITEMS, MOST = 36_553, 619, 17


def informs(directory, records=RECORDS):
    """Month and year of birth, race, years of education, income; 4.27 of 619 codes on average, 17 at most."""
    draw = random.Random(3)
    # Frequencies of codes fall like a power; people of one kind share some of them.
    weights = [1 / (rank + 8) ** 0.9 for rank in range(ITEMS)]
    kinds = [draw.sample(range(ITEMS), 40) for _ in range(24)]
    with open(directory / "events.csv", "w", encoding="utf-8") as events, open(directory / "records.csv", "w", encoding="utf-8") as rows:
        events.write("subject,item\n")
        rows.write("subject,month,year,race,education,income\n")
        for person in range(records):
            kind = draw.choice(kinds)
            year = int(draw.triangular(1915, 2005, 1965))
            education = min(17, max(0, int(draw.gauss(12, 3))))
            income = int(draw.lognormvariate(9.8, 0.9)) // 500 * 500
            race = draw.choices(range(6), (70, 15, 6, 4, 3, 2))[0]
            rows.write(f"p{person},{draw.randint(1, 12)},{year},r{race},{education},{income}\n")
            length = min(MOST, 1 + int(draw.expovariate(1 / 3.75)))
            codes = set()
            while len(codes) < length:
                codes.add(draw.choice(kind) if draw.random() < 0.4 else draw.choices(range(ITEMS), weights)[0])
            for code in sorted(codes):
                events.write(f"p{person},c{code:03}\n")
    with open(directory / "taxonomy.csv", "w", encoding="utf-8") as out:
        for code in range(ITEMS):
            out.write(f"c{code:03};b{code // 5};g{code // 25};h{code // 125};all\n")
    (directory / "hierarchies").mkdir()
    with open(directory / "hierarchies" / "race.csv", "w", encoding="utf-8") as out:
        for race in range(6):
            out.write(f"r{race};{'ab'[race // 3]};*\n")


def million(directory):
    """The same with a million people."""
    informs(directory, 1_000_000)


def youtube(directory, records=131_780):
    """Age, category, length, rate, ratings and comments of a video; 6.51 of 936 related ones on average, 37 at most."""
    draw = random.Random(5)
    items, most = 936, 37
    weights = [1 / (rank + 20) ** 0.8 for rank in range(items)]
    kinds = [draw.sample(range(items), 60) for _ in range(12)]
    with open(directory / "events.csv", "w", encoding="utf-8") as events, open(directory / "records.csv", "w", encoding="utf-8") as rows:
        events.write("subject,item\n")
        rows.write("subject,age,category,length,rate,ratings,comments\n")
        for video in range(records):
            category = draw.randrange(12)
            ratings = int(draw.lognormvariate(3, 1.4))
            comments = int(ratings * draw.uniform(0.2, 1.5))
            length, rate = int(draw.lognormvariate(5, 0.7)), round(draw.triangular(1, 5, 4.6), 1)
            rows.write(f"v{video},{draw.randint(600, 1300)},g{category},{length},{rate},{ratings},{comments}\n")
            wanted = min(most, 1 + int(draw.expovariate(1 / 5.9)))
            related = set()
            while len(related) < wanted:
                related.add(draw.choice(kinds[category]) if draw.random() < 0.6 else draw.choices(range(items), weights)[0])
            for other in sorted(related):
                events.write(f"v{video},w{other:03}\n")
    with open(directory / "taxonomy.csv", "w", encoding="utf-8") as out:
        for other in range(items):
            out.write(f"w{other:03};b{other // 5};g{other // 25};h{other // 125};all\n")
    (directory / "hierarchies").mkdir()
    with open(directory / "hierarchies" / "category.csv", "w", encoding="utf-8") as out:
        for category in range(12):
            out.write(f"g{category};{'abcd'[category // 3]};*\n")
