"""What is measured: worlds, and the commands run on them. `@/` stands for the world's directory."""

WORLDS = {
    "city": ["city"],
    "checkins": ["checkins"],
    "city-10k": ["city", "--subjects", "2119"],
    "city-100k": ["city", "--subjects", "21186"],
    "city-1M": ["city", "--subjects", "211864"],
    "city-10M": ["city", "--subjects", "2118644"],
}

CITY = ["@/events.csv"]


def seqanon(world, m, name, target="", extra=()):
    return {
        "name": name,
        "world": world,
        "data": CITY,
        "command": ["anonymize", "@/events.csv", "--places", "@/places.csv", "--method", "seqanon", "-k", "5", "-m", str(m), *extra],
        "writes": "-o",
        "target": target,
    }


CASES = [
    {"name": "inspect", "world": "city-10M", "data": CITY, "command": ["inspect", "@/events.csv"], "target": "read at 150 MB/s"},
    seqanon("checkins", 2, "seqanon -k 5 -m 2", "3x"),
    seqanon("checkins", 3, "seqanon -k 5 -m 3", "10x"),
    seqanon("checkins", 3, "seqanon -k 5 -m 3 --no-apriori", "5x slower than apriori", ["--no-apriori"]),
    seqanon("city", 3, "seqanon -k 5 -m 3 (city)"),
    seqanon("city", 3, "seqanon -k 5 -m 3 --no-apriori (city)", "5x slower than apriori", ["--no-apriori"]),
    seqanon("city-10M", 2, "seqanon -k 5 -m 2 (city)", "5x, 40 B/event"),
]

GROWTH = [seqanon(f"city-{size}", 2, f"seqanon -k 5 -m 2, {size} events") for size in ("10k", "100k", "1M", "10M")]
