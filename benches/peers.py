#!/usr/bin/env python3
"""The same jobs by Throng and by public peers, one after the other on one machine: `make bench-peers`.

    python3 benches/peers.py [PROGRAM] [--rows N] [--only gather|mine]

Peers are installed into target/peers (a virtual environment): DuckDB and Polars read a log of rows and gather everybody's items in the order of
time; `prefixspan` and `seq2pat`, two public miners, find frequent sequences (`seq2pat`, as it comes, only of two items or more that are at most ten
apart: fewer, and without that limit it did not end in minutes). What Throng does for the first job is `inspect`, which also recognises the
columns, counts what is in the log and says what an attacker could do. Processor seconds (user and system) of the whole process on one core, the least of
three, and the ratio to Throng's; answers are compared where they are the same thing.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import venv

from costs import ROOT, SCRATCH, Slow, made, rows, spent

PEERS = ROOT / "target" / "peers"
PACKAGES = ["duckdb", "polars", "prefixspan", "seq2pat"]
LIMIT = 300

GATHER = {
    "DuckDB": """
import duckdb, sys
duckdb.execute("SET threads = 1")
reader = "read_parquet" if sys.argv[1].endswith("parquet") else "read_csv"
print(duckdb.execute(f"SELECT count(*), sum(len(items)) FROM (SELECT subject, list(item ORDER BY time) AS items FROM {reader}(?) GROUP BY subject)", [sys.argv[1]]).fetchone())
""",
    "Polars": """
import polars, sys
scan = polars.scan_parquet if sys.argv[1].endswith("parquet") else polars.scan_csv
table = scan(sys.argv[1]).sort("time", maintain_order=True).group_by("subject").agg(polars.col("item")).collect()
print((table.height, table["item"].list.len().sum()))
""",
}

MINE = {
    "prefixspan": """
import sys
from prefixspan import PrefixSpan
people = {}
for line in open(sys.argv[1]).read().split("\\n")[1:]:
    if line:
        subject, item = line.split(",")[:2]
        people.setdefault(subject, []).append(item)
found = PrefixSpan(list(people.values())).frequent(int(sys.argv[2]))
print(len(found))
""",
    "seq2pat": """
import sys
from sequential.seq2pat import Seq2Pat
people = {}
for line in open(sys.argv[1]).read().split("\\n")[1:]:
    if line:
        subject, item = line.split(",")[:2]
        people.setdefault(subject, []).append(item)
found = Seq2Pat(sequences=list(people.values())).get_patterns(min_frequency=int(sys.argv[2]))
print(len(found))
""",
}


def install():
    """The peers, in an environment of their own."""
    python = PEERS / "bin" / "python"
    if not python.exists():
        venv.create(PEERS, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python


def parquet(python, directory):
    """The same rows as Parquet."""
    path = directory / "events.parquet"
    if not path.exists():
        text = "import polars, sys; polars.read_csv(sys.argv[1]).write_parquet(sys.argv[2])"
        subprocess.run([python, "-c", text, directory / "events.csv", path], check=True)
    return path


def told(job, who, seconds, ours, peak):
    print(f"| {job} | {who} | {seconds:.2f} | {seconds / ours:.1f}x | {peak / 1e6:,.0f} MB |", flush=True)


def compare(job, ours, peers):
    """One job: Throng's line, then those of the peers."""
    seconds, peak = spent(ours, limit=LIMIT)
    told(job, "Throng", seconds, seconds, peak)
    for who, line in peers.items():
        try:
            theirs, peak = spent(line, limit=LIMIT)
            told(job, who, theirs, seconds, peak)
        except Slow:
            print(f"| {job} | {who} | more than {LIMIT} | more than {LIMIT / seconds:.0f}x | |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=ROOT / "target" / "release" / "throng")
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of the log")
    parser.add_argument("--only", choices=["gather", "mine"], help="one of the two jobs")
    given = parser.parse_args()
    SCRATCH.mkdir(parents=True, exist_ok=True)
    python = install()
    # One thread each, as one core is given; fair to peers that would start more.
    os.environ.update(POLARS_MAX_THREADS="1", RAYON_NUM_THREADS="1")
    print("| job | by | processor s | times Throng's | memory |\n| --- | --- | ---: | ---: | ---: |", flush=True)
    if given.only != "mine":
        gather(given, python)
    if given.only != "gather":
        mine(given, python)


def gather(given, python):
    """Everybody's items in the order of time."""
    full = given.rows == 10_000_000
    for order, name in [("grouped", "rows by person"), ("scattered", "rows by time")]:
        world = f"rows-{order}" if full else f"rows-{order}-{given.rows}"
        directory = made(world, rows(order, given.rows // 10, given.rows))
        for form, file in [("CSV", directory / "events.csv"), ("Parquet", parquet(python, directory))]:
            peers = {who: [python, "-c", text, file] for who, text in GATHER.items()}
            compare(f"{given.rows:,} {name}, {form}", [given.program, "inspect", file], peers)


def mine(given, python):
    """Sequences of one person in a hundred."""
    for world, people in [("clicks", 20_000), ("city", 20_000)]:
        make = [given.program, "generate", world, "--subjects", str(people), "-q", "--force", "-o"]
        directory = made(f"peers-{world}", lambda to: subprocess.run([*make, to], check=True))
        file, support = directory / "events.csv", people // 100
        ours = [given.program, "mine", "patterns", file, "--min-support", support]
        found = subprocess.run(list(map(str, [*ours, "--json", "-q"])), capture_output=True, check=True, text=True).stdout
        theirs = subprocess.run([python, "-c", MINE["prefixspan"], file, str(support)], capture_output=True, check=True, text=True).stdout
        if len(json.loads(found)["patterns"]) != int(theirs):
            sys.exit(f"different patterns on {world}")
        peers = {who: [python, "-c", text, file, str(support)] for who, text in MINE.items()}
        compare(f"frequent sequences of {world}, {people:,} people, 1%", ours, peers)


if __name__ == "__main__":
    main()
