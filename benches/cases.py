"""What is measured: worlds, the commands run on them, and the goals. `@/` stands for the world's directory."""

import goals
import patients_like
import real
import walks

PEOPLE = {"25k": 25_000, "50k": 50_000, "100k": 100_000, "1M": 1_000_000}

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
    "informs": patients_like.informs,
    "informs-1M": patients_like.million,
    "clicks-1M": ["clicks", "--subjects", "1000000"],
    "adult": real.adult,
    "bms": real.bms,
    **{f"patients-{size}": ["patients", "--subjects", str(people)] for size, people in PEOPLE.items()},
    **{f"baskets-{size}": ["baskets", "--subjects", str(people)] for size, people in PEOPLE.items()},
}

EVENTS = ["@/events.csv"]
TABLE = ["@/patients.csv", "--input-format", "table"]
BASKETS = ["@/baskets.dat"]


def seqanon(world, m, name, goal=None, extra=()):
    return {
        "name": name,
        "world": world,
        "data": EVENTS,
        "command": ["anonymize", "@/events.csv", "--places", "@/places.csv", "--method", "seqanon", "-k", "5", "-m", str(m), *extra],
        "writes": "-o",
        "goal": goal,
    }


def bf_p2ka(k):
    command = ["anonymize", "@/events.csv", "--method", "bf-p2ka", "-k", str(k)]
    return {"name": f"bf-p2ka -k {k}", "world": "regions", "data": EVENTS, "command": command, "writes": "-o", "goal": goals.ratio(10)}


def lkc(world, name, goal=None):
    command = ["anonymize", "@/events.csv", "--records", "@/records.csv", "--method", "lkc", "--L", "3", "--K", "30"]
    command += ["--C", "0.6", "--K-prime", "1%", "--sensitive-values", "status=on-welfare"]
    return {"name": name, "world": world, "data": EVENTS, "command": command, "writes": "-o", "goal": goal}


def lkc_local(length, people):
    command = ["anonymize", "@/events.csv", "--records", "@/records.csv", "--method", "lkc-local", "--L", str(length), "--K", str(people)]
    command += ["--C", "0.6", "--sensitive-values", "status=on-welfare"]
    return {"name": f"lkc-local --L {length} --K {people} --C 0.6", "world": "metro", "data": EVENTS, "command": command, "writes": "-o"}


def organize(method):
    command = ["anonymize", "@/events.csv", "--places", "@/places.csv", "--sensitive", "@/sensitive.csv"]
    command += ["--method", method, "-k", "5", "-l", "2", "-m", "2", "--clusters", "5"]
    return {"name": f"{method} -k 5 -l 2 -m 2 --clusters 5", "world": "city", "data": EVENTS, "command": command, "writes": "-o", "goal": goals.ratio(5)}


def mutual_information(method):
    command = ["anonymize", "@/events.csv", "--taxonomy", "@/taxonomy.csv", "--patterns", "@/patterns.csv"]
    command += ["--method", method, "--epsilon", "0.5", "--window", "10"]
    return {"name": f"{method} --window 10", "world": "diary", "data": EVENTS, "command": command, "writes": "-o", "goal": goals.ratio(100)}


def measure(world, name, goal=None, extra=()):
    """Data measured against themselves: as large as a release can be, and nothing merged."""
    command = ["measure", "@/events.csv", "@/events.csv", *extra]
    return {"name": name, "world": world, "data": EVENTS, "command": command, "goal": goal}


def mine(kind, share):
    command = ["mine", kind, "@/events.csv", "--min-support", share]
    return {"name": f"mine {kind} --min-support {share}", "world": "clicks-1M", "data": EVENTS, "command": command}


def attack(world):
    return {"name": f"attack ({world})", "world": world, "data": EVENTS, "command": ["attack", "@/events.csv"], "goal": goals.ratio(10)}


def table(method, size, goal=None):
    command = ["anonymize", "@/patients.csv", "--schema", "@/schema.toml", "--method", method, "-k", "5"]
    name = f"{method} -k 5, {size} rows"
    return {"name": name, "world": f"patients-{size}", "data": TABLE, "command": command, "writes": "-o", "goal": goal}


def adult():
    quasi = "sex,age,race,marital-status,education,native-country,workclass,occupation,salary-class"
    command = ["anonymize", "@/adult.csv", "--id", "-", "--quasi", quasi, "--hierarchies", "@/hierarchies"]
    command += ["--method", "incognito", "-k", "5"]
    data = ["@/adult.csv", "--input-format", "table"]
    return {"name": "incognito -k 5 (Adult)", "world": "adult", "data": data, "command": command, "writes": "-o", "goal": goals.ratio(40)}


def sets(method, size, k, goal=None, extra=()):
    command = ["anonymize", "@/baskets.dat", "--method", method, "-k", str(k), "-m", "2", *extra]
    name = f"{method} -k {k} -m 2, {size} baskets"
    return {"name": name, "world": f"baskets-{size}", "data": BASKETS, "command": command, "writes": "-o", "goal": goal}


def bms(method, times=15):
    command = ["anonymize", "@/baskets.dat", "--method", method, "-k", "5", "-m", "2"]
    name = f"{method} -k 5 -m 2 (BMS-WebView-1)"
    return {"name": name, "world": "bms", "data": BASKETS, "command": command, "writes": "-o", "goal": goals.ratio(times)}


def mixed(world, merge, goal=None):
    command = ["anonymize", "@/events.csv", "--sets", "--records", "@/records.csv", "--quasi", "month,year,race,education,income"]
    command += ["--hierarchies", "@/hierarchies", "--taxonomy", "@/taxonomy.csv", "--method", "rum-bound", "--merge", merge]
    command += ["-k", "25", "-m", "2", "--delta", "0.65"]
    return {"name": f"rum-bound --merge {merge} -k 25 -m 2 ({world})", "world": world, "data": EVENTS, "command": command, "writes": "-o", "goal": goal}


def itemsets(keep, share):
    command = ["mine", "itemsets", "@/baskets.dat", "--min-support", share, "--keep", keep]
    return {"name": f"mine itemsets --keep {keep} --min-support {share}", "world": "baskets-1M", "data": BASKETS, "command": command}


TAXONOMY = ["--taxonomy", "@/taxonomy.csv"]
CONSTRAINTS = ["--constraints", "@/constraints.csv"]

CASES = [
    {"name": "inspect", "world": "city-10M", "data": EVENTS, "command": ["inspect", "@/events.csv"], "goal": goals.read_speed(150)},
    seqanon("checkins", 2, "seqanon -k 5 -m 2", goals.ratio(3)),
    seqanon("checkins", 3, "seqanon -k 5 -m 3", goals.ratio(10)),
    seqanon("checkins", 3, "seqanon -k 5 -m 3 --no-apriori", goals.slower_than("seqanon -k 5 -m 3", 5), ["--no-apriori"]),
    seqanon("city", 3, "seqanon -k 5 -m 3 (city)"),
    seqanon(
        "city",
        3,
        "seqanon -k 5 -m 3 --no-apriori (city)",
        goals.slower_than("seqanon -k 5 -m 3 (city)", 5),
        ["--no-apriori"],
    ),
    seqanon("city-10M", 2, "seqanon -k 5 -m 2 (city)", goals.ratio(5, bytes_each=40)),
    *(organize(method) for method in ("zga", "sga")),
    lkc("metro-1M", "lkc --L 3 --K 30 --C 0.6 --K-prime 1%", goals.ratio(8)),
    lkc_local(2, 5),
    lkc_local(3, 20),
    *(bf_p2ka(k) for k in (10, 100, 1000)),
    *(mutual_information(method) for method in ("mi-top-down", "mi-bottom-up")),
    adult(),
    table("mondrian", "1M", goals.ratio(10)),
    table("top-down", "1M", goals.ratio(10)),
    table("cluster", "100k", goals.ratio(100)),
    *(bms(method) for method in ("apriori", "lra")),
    bms("disassociation", 20),
    sets("disassociation", "1M", 5, goals.ratio(20)),
    *(sets(method, "1M", 5, goals.ratio(15), TAXONOMY) for method in ("apriori", "lra")),
    # Of a million baskets, no pair of goods is in fewer than five: with k = 5 nothing has to be generalised.
    *(sets(method, "1M", 2_000, None, TAXONOMY) for method in ("apriori", "lra")),
    *(mixed("informs", merge, goals.ratio(200)) for merge in ("t", "r", "rt")),
    *(attack(world) for world in ("city-1M", "metro-1M", "clicks-1M")),
    measure(
        "city-5M",
        "measure (quick ones, 1,000 queries)",
        goals.ratio(10),
        ["--places", "@/places.csv", "--taxonomy", "@/taxonomy.csv"],
    ),
    measure("city-5M", "measure --measure patterns --min-support 1%", None, ["--measure", "patterns"]),
    mine("patterns", "1%"),
    mine("maximal", "1%"),
    *(itemsets(keep, "1%") for keep in ("frequent", "closed", "maximal")),
]

# Cases of one method on ever more data, and the exponent that its time may grow with.
GROWTH = [
    ("seqanon", None, [seqanon(f"city-{size}", 2, f"seqanon -k 5 -m 2, {size} events") for size in ("10k", "100k", "1M", "10M")]),
    ("lkc", None, [lkc(f"metro-{size}", f"lkc --L 3 --K 30 --C 0.6, {size} records") for size in ("200k", "400k", "1M")]),
    ("cluster", 1.3, [table("cluster", size) for size in ("25k", "50k", "100k")]),
    # k grows with the people: with the same k, more baskets have fewer rare pairs, and less is left to do.
    ("coat", None, [sets("coat", size, PEOPLE[size] // 500, None, CONSTRAINTS) for size in ("25k", "50k", "100k")]),
    ("disassociation", 1.1, [sets("disassociation", size, 5) for size in ("25k", "50k", "100k", "1M")]),
    ("pcta", None, [sets("pcta", size, PEOPLE[size] // 500) for size in ("25k", "50k", "100k")]),
]
