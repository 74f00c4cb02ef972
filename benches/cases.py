"""What is measured: worlds, and the commands run on them. `@/` stands for the world's directory."""

import walks

WORLDS = {
    "city": ["city"],
    "checkins": ["checkins"],
    "city-10k": ["city", "--subjects", "2119"],
    "city-100k": ["city", "--subjects", "21186"],
    "city-1M": ["city", "--subjects", "211864"],
    "city-5M": ["city", "--subjects", "1000000"],
    "city-10M": ["city", "--subjects", "2118644"],
    "metro": ["metro"],
    "metro-200k": ["metro", "--subjects", "200000"],
    "metro-400k": ["metro", "--subjects", "400000"],
    "metro-1M": ["metro", "--subjects", "1000000"],
    "regions": walks.regions,
    "diary": walks.diary,
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


def lkc(world, name, target=""):
    command = ["anonymize", "@/events.csv", "--records", "@/records.csv", "--method", "lkc", "--L", "3", "--K", "30"]
    command += ["--C", "0.6", "--K-prime", "1%", "--sensitive-values", "status=on-welfare"]
    return {"name": name, "world": world, "data": EVENTS, "command": command, "writes": "-o", "target": target}


def lkc_local(length, people):
    command = ["anonymize", "@/events.csv", "--records", "@/records.csv", "--method", "lkc-local", "--L", str(length), "--K", str(people)]
    command += ["--C", "0.6", "--sensitive-values", "status=on-welfare"]
    return {"name": f"lkc-local --L {length} --K {people} --C 0.6", "world": "metro", "data": EVENTS, "command": command, "writes": "-o"}


def organize(method):
    command = ["anonymize", "@/events.csv", "--places", "@/places.csv", "--sensitive", "@/sensitive.csv"]
    command += ["--method", method, "-k", "5", "-l", "2", "-m", "2", "--clusters", "5"]
    return {"name": f"{method} -k 5 -l 2 -m 2 --clusters 5", "world": "city", "data": EVENTS, "command": command, "writes": "-o", "target": "5x"}


def mutual_information(method):
    command = ["anonymize", "@/events.csv", "--taxonomy", "@/taxonomy.csv", "--patterns", "@/patterns.csv"]
    command += ["--method", method, "--epsilon", "0.5", "--window", "10"]
    return {"name": f"{method} --window 10", "world": "diary", "data": EVENTS, "command": command, "writes": "-o", "target": "100x"}


def measure(world, name, target="", extra=()):
    """Data measured against themselves: as large as a release can be, and nothing merged."""
    command = ["measure", "@/events.csv", "@/events.csv", *extra]
    return {"name": name, "world": world, "data": EVENTS, "command": command, "target": target}


def mine(kind, share):
    command = ["mine", kind, "@/events.csv", "--min-support", share]
    return {"name": f"mine {kind} --min-support {share}", "world": "clicks-1M", "data": EVENTS, "command": command}


def attack(world):
    return {"name": f"attack ({world})", "world": world, "data": EVENTS, "command": ["attack", "@/events.csv"], "target": "10x"}


CASES = [
    {"name": "inspect", "world": "city-10M", "data": EVENTS, "command": ["inspect", "@/events.csv"], "target": "read at 150 MB/s"},
    seqanon("checkins", 2, "seqanon -k 5 -m 2", "3x"),
    seqanon("checkins", 3, "seqanon -k 5 -m 3", "10x"),
    seqanon("checkins", 3, "seqanon -k 5 -m 3 --no-apriori", "5x slower than apriori", ["--no-apriori"]),
    seqanon("city", 3, "seqanon -k 5 -m 3 (city)"),
    seqanon("city", 3, "seqanon -k 5 -m 3 --no-apriori (city)", "5x slower than apriori", ["--no-apriori"]),
    seqanon("city-10M", 2, "seqanon -k 5 -m 2 (city)", "5x, 40 B/event"),
    *(organize(method) for method in ("zga", "sga")),
    lkc("metro-1M", "lkc --L 3 --K 30 --C 0.6 --K-prime 1%", "8x"),
    lkc_local(2, 5),
    lkc_local(3, 20),
    *(bf_p2ka(k) for k in (10, 100, 1000)),
    *(mutual_information(method) for method in ("mi-top-down", "mi-bottom-up")),
    *(attack(world) for world in ("city-1M", "metro-1M", "clicks-1M")),
    measure("city-5M", "measure (quick ones, 1,000 queries)", "10x", ["--places", "@/places.csv", "--taxonomy", "@/taxonomy.csv"]),
    measure("city-5M", "measure --measure patterns --min-support 1%", "", ["--measure", "patterns"]),
    mine("patterns", "1%"),
    mine("maximal", "1%"),
]

GROWTH = [
    *(seqanon(f"city-{size}", 2, f"seqanon -k 5 -m 2, {size} events") for size in ("10k", "100k", "1M", "10M")),
    *(lkc(f"metro-{size}", f"lkc --L 3 --K 30 --C 0.6, {size} records") for size in ("200k", "400k", "1M")),
]
