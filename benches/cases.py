"""What is measured: worlds, and the commands run on them. `@/` stands for the world's directory."""

import walks

WORLDS = {
    "city": ["city"],
    "checkins": ["checkins"],
    "city-10k": ["city", "--subjects", "2119"],
    "city-100k": ["city", "--subjects", "21186"],
    "city-1M": ["city", "--subjects", "211864"],
    "city-10M": ["city", "--subjects", "2118644"],
    "regions": walks.regions,
    "clicks-1M": ["clicks", "--subjects", "1000000"],
}

EVENTS = ["@/events.csv"]


def seqanon(world, m, name, target="", extra=()):
    return {
        "name": name,
        "world": world,
        "data": EVENTS,
        "command": ["anonymize", "@/events.csv", "--places", "@/places.csv", "--method", "seqanon", "-k", "5", "-m", str(m), *extra],
        "writes": "-o",
        "target": target,
    }


def bf_p2ka(k):
    command = ["anonymize", "@/events.csv", "--method", "bf-p2ka", "-k", str(k)]
    return {"name": f"bf-p2ka -k {k}", "world": "regions", "data": EVENTS, "command": command, "writes": "-o", "target": "10x"}


def mine(kind, share):
    command = ["mine", kind, "@/events.csv", "--min-support", share]
    return {"name": f"mine {kind} --min-support {share}", "world": "clicks-1M", "data": EVENTS, "command": command}


CASES = [
    {"name": "inspect", "world": "city-10M", "data": EVENTS, "command": ["inspect", "@/events.csv"], "target": "read at 150 MB/s"},
    seqanon("checkins", 2, "seqanon -k 5 -m 2", "3x"),
    seqanon("checkins", 3, "seqanon -k 5 -m 3", "10x"),
    seqanon("checkins", 3, "seqanon -k 5 -m 3 --no-apriori", "5x slower than apriori", ["--no-apriori"]),
    seqanon("city", 3, "seqanon -k 5 -m 3 (city)"),
    seqanon("city", 3, "seqanon -k 5 -m 3 --no-apriori (city)", "5x slower than apriori", ["--no-apriori"]),
    seqanon("city-10M", 2, "seqanon -k 5 -m 2 (city)", "5x, 40 B/event"),
    *(bf_p2ka(k) for k in (10, 100, 1000)),
    mine("patterns", "1%"),
    mine("maximal", "1%"),
]

GROWTH = [seqanon(f"city-{size}", 2, f"seqanon -k 5 -m 2, {size} events") for size in ("10k", "100k", "1M", "10M")]
