"""One small town, written in every form that the program reads.

The numbers come from a generator of our own, so that neither the program nor the version of Python changes them.
"""

import gzip
import json
from pathlib import Path

ITEMS = ["bank", "cafe", "dock", "fair", "gym", "hall", "inn", "mall", "park", "pier", "pub", "school"]
SENSITIVE = ["clinic", "court"]
TOWNS = ["Bonn", "Kiel", "Trier", "Ulm"]


class Numbers:
    """A linear congruential generator (Knuth's MMIX constants)."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit


def rows(numbers, people=90):
    """Visits: (person, trip, item, hour), popular items more often than others."""
    visits = []
    for person in range(people):
        for trip in range(1 + numbers.below(2)):
            hour = numbers.below(4)
            for _ in range(1 + numbers.below(4)):
                popular = min(numbers.below(12), numbers.below(12), numbers.below(12))
                item = SENSITIVE[numbers.below(2)] if numbers.below(14) == 0 else ITEMS[popular]
                visits.append((f"p{person:02}", f"t{person:02}-{trip}", item, hour))
                hour += 1 + numbers.below(3)
    return visits


def write(folder):
    """Writes all files of the town into a folder."""
    numbers = Numbers(27)
    visits = rows(numbers)
    texts = {}
    texts["events.csv"] = "subject,record,item,time\n" + "".join(",".join(map(str, visit)) + "\n" for visit in visits)
    texts["tabs.tsv"] = "user\ttrip\tplace\thour\n" + "".join("\t".join(map(str, visit)) + "\n" for visit in visits)
    clock = lambda hour: f"2026-03-{1 + hour // 24:02}T{hour % 24:02}:15:00Z"
    texts["dates.csv"] = "subject;record;item;time\n" + "".join(
        f"{person};{trip};{item};{clock(hour)}\n" for person, trip, item, hour in visits
    )
    by_trip = {}
    for person, trip, item, _ in visits:
        by_trip.setdefault((person, trip), []).append(item)
    texts["wide.csv"] = "subject,items\n" + "".join(f"{p},{' '.join(items)}\n" for (p, _), items in by_trip.items())
    texts["lines.txt"] = "".join(" ".join(items) + "\n" for items in by_trip.values())
    number = {item: place + 1 for place, item in enumerate(ITEMS + SENSITIVE)}
    texts["trips.spmf"] = "".join(
        "".join(f"{number[item]} -1 " for item in items) + "-2\n" for items in by_trip.values()
    )
    texts["baskets.dat"] = "".join(
        " ".join(str(number[item]) for item in dict.fromkeys(items)) + "\n" for items in by_trip.values()
    )
    texts["events.jsonl"] = "".join(
        json.dumps({"subject": p, "record": t, "item": i, "time": h}) + "\n" for p, t, i, h in visits
    )
    people = {}
    for person, *_ in visits:
        if person not in people:
            people[person] = (
                18 + numbers.below(60),
                TOWNS[numbers.below(4)],
                ["cook", "judge", "nurse"][numbers.below(3)],
                ["cold", "flu", "gout", "none"][numbers.below(4)],
            )
    texts["people.csv"] = "subject,age,town,job,illness\n" + "".join(
        ",".join(map(str, (person, *values))) + "\n" for person, values in people.items()
    )
    texts["table.csv"] = texts["people.csv"].replace("subject", "id", 1)
    texts["gaps.csv"] = "id,age,town,job,illness\n" + "".join(
        f"{person},{'' if age % 17 == 0 else age},{town},{job},{'' if age % 11 == 0 else illness}\n"
        for person, (age, town, job, illness) in people.items()
    )
    places = {item: (50 + numbers.below(900) / 1000, 7 + numbers.below(900) / 1000) for item in ITEMS + SENSITIVE}
    texts["places.csv"] = "item,lat,lon\n" + "".join(f"{item},{lat},{lon}\n" for item, (lat, lon) in places.items())
    kinds = {"outdoors": ["dock", "fair", "park", "pier"], "fun": ["cafe", "gym", "inn", "pub"], "town": ["bank", "hall", "mall", "school"]}
    texts["taxonomy.csv"] = "".join(
        f"{item};{kind};any\n" for kind, items in [*kinds.items(), ("secret", SENSITIVE)] for item in items
    )
    texts["constraints.txt"] = "".join(",".join(items) + "\n" for items in [*kinds.values(), SENSITIVE])
    texts["policy.txt"] = "bank,cafe\ndock\nfair,gym,hall\npark\n"
    texts["sensitive.txt"] = "".join(item + "\n" for item in SENSITIVE)
    texts["alphabet.txt"] = "".join(item + "\n" for item in ITEMS + SENSITIVE)
    texts["patterns.txt"] = "clinic\nbank\ncourt\n"
    texts["own-patterns.csv"] = "subject,pattern\np01,cafe\np02,dock\np03,clinic\n"
    texts["graph.lg"] = "# t 1\nv 0 a\nv 1 b\nv 2 a\nv 3 b\nv 4 c\ne 0 1 x\ne 2 3 x\ne 1 4 y\ne 3 4 y\n"
    texts["age.csv"] = "".join(
        f"[{low},{low + 9}];[{low // 20 * 20},{low // 20 * 20 + 19}];*\n" for low in range(0, 100, 10)
    )
    texts["town.csv"] = "Ulm;south;*\nTrier;south;*\nBonn;north;*\nKiel;north;*\n"
    texts["job.csv"] = "cook;any\njudge;any\nnurse;any\n"
    texts["compare.toml"] = (
        'schema = "throng-compare/1"\ndata = { events = "events.csv", places = "places.csv" }\nvary = { k = [2, 5] }\n'
        'measures = ["shape"]\n[[methods]]\nname = "seqanon"\nm = 1\n[[methods]]\nname = "suppress"\nm = 1\nmax-suppressed = "100%"\n'
    )
    texts["bad.csv"] = "subject,record,item,time\np1,t1,bank,noon\np1,t1,cafe\n"
    texts["empty.csv"] = ""
    for name, text in texts.items():
        Path(folder, name).write_text(text, encoding="utf-8")
    Path(folder, "events.csv.gz").write_bytes(gzip.compress(texts["events.csv"].encode(), mtime=0))
