#!/usr/bin/env python3
"""How cost grows with events, items, length of records, m, k and clusters: whole commands on drawn worlds, and a fitted exponent for each.

    python3 benches/growth.py PROGRAM [--only WORD] [--times RUNS] [--limit SECONDS]

Prints the table of *Growth with everything* in docs/BENCHMARKS.md. Processor time (user and system) of the whole command on one core. One size
changes at a time, each at least twice the one before; the others stay as in the first line of MIDDLE. The exponent is the slope of the line through
logarithms of sizes and times, without what the program takes to start.
"""

import argparse
import math
import pathlib
import random
import shutil
import subprocess

from costs import SCRATCH, Slow, log, made, spent

MIDDLE = {"people": 20_000, "items": 1_000, "length": 8, "m": 2, "k": 5, "clusters": 20}
SIZES = {
    "people": [20_000, 40_000, 80_000, 160_000],
    "items": [500, 1_000, 2_000, 4_000, 8_000],
    "length": [4, 8, 16, 32],
    "m": [1, 2, 3],
    "k": [5, 10, 20, 40],
    "clusters": [20, 40, 80, 160, 320],
}
WANTED = 1.15

# The words of each method, what it can be swept over, and how its data are made.
METHODS = {
    "seqanon": ("log", ["people", "items", "length", "m", "k"]),
    "sd-seqanon": ("log", ["people", "items", "length", "m", "k"]),
    "suppress": ("log", ["people", "items", "length", "m", "k"]),
    "zga": ("log", ["people", "items", "length", "m", "k", "clusters"]),
    "sga": ("log", ["people", "items", "length", "m", "k", "clusters"]),
    "bf-p2ka": ("log", ["people", "items", "length", "k"]),
    "apriori": ("sets", ["people", "items", "length", "m", "k"]),
    "disassociation": ("sets", ["people", "items", "length", "m", "k"]),
    "lkc-local": ("metro", ["people", "m", "k"]),
    "mondrian": ("table", ["people", "k"]),
}


def taxonomy(path, items):
    """Ten items below a node, ten nodes below one above."""
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(f"i{item};a{item // 10};b{item // 100};all\n" for item in range(items))


def world(kind, size):
    people, items, length = size["people"], size["items"], size["length"]
    if kind == "metro":
        return made(f"growth-metro-{people}", lambda to: subprocess.run([PROGRAM, "generate", "metro", "--subjects", str(people // 2), "-o", to, "-q", "--force"], check=True))
    if kind == "table":
        return made(f"growth-table-{people}", lambda to: table(to, people))

    def make(directory):
        log(people, length, items)(directory)
        taxonomy(directory / "taxonomy.csv", items)

    return made(f"growth-log-{people}-{length}-{items}", make)


def table(directory, people):
    """Five columns, of which two go together."""
    draw = random.Random(people)
    with open(directory / "table.csv", "w", encoding="utf-8") as out:
        out.write("id,age,zip,height,children,income\n")
        for person in range(people):
            age = draw.randrange(18, 90)
            out.write(f"p{person},{age},{draw.randrange(100_000)},{round(draw.gauss(172, 9))},{draw.choice((0, 0, 1, 2, 3))},{round(draw.gauss(2_000, 400) * age / 40)}\n")


def command(method, kind, size):
    directory = world(kind, size)
    words = ["--method", method, "--no-ledger", "--no-advice"]
    if kind == "metro":
        data = [directory / "events.csv", "--records", directory / "records.csv", "--sensitive-values", "status=on-welfare"]
        return ["anonymize", *data, *words, "--L", size["m"], "--K", size["k"] * 2, "--C", "0.6"]
    words += ["-k", size["k"]]
    if kind == "table":
        return ["anonymize", directory / "table.csv", "--id", "id", "--quasi", "age,zip,height,children,income", *words]
    data = [directory / "log.txt", "--input-format", "lines"]
    if kind == "sets":
        data += ["--sets"]
    if method != "bf-p2ka":
        words += ["-m", size["m"]]
    if method in ("seqanon", "zga", "sga"):
        words += ["--places", directory / "places.csv"]
    if method in ("zga", "sga"):
        words += ["-l", "2", "--clusters", size["clusters"]]
    if method in ("sd-seqanon", "apriori"):
        words += ["--taxonomy", directory / "taxonomy.csv"]
    if method in ("seqanon", "sd-seqanon", "zga", "sga"):
        words += ["--infeasible", "truncate"]
    return ["anonymize", *data, *words]


def exponent(points):
    """The slope of the least-squares line through logarithms."""
    xs, ys = [math.log(size) for size, _ in points], [math.log(max(seconds, 1e-3)) for _, seconds in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs)


def main():
    global PROGRAM
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", default="", help="methods whose name contains this word")
    parser.add_argument("--times", type=int, default=1, help="runs of each command, of which the least counts")
    parser.add_argument("--limit", type=int, default=60, help="processor seconds a command may take")
    given = parser.parse_args()
    PROGRAM = given.program
    start, _ = spent([PROGRAM, "--version"])
    print("| method | with | sizes | processor s | exponent | reached |\n| --- | --- | --- | --- | ---: | --- |", flush=True)
    for method, (kind, sweeps) in METHODS.items():
        if given.only not in method:
            continue
        for sweep in sweeps:
            points, said = [], []
            for value in SIZES[sweep]:
                out = SCRATCH / "growth-release"
                line = command(method, kind, {**MIDDLE, sweep: value})
                try:
                    seconds, _ = spent([PROGRAM, *line, "-o", out, "--force"], times=given.times, limit=given.limit)
                except Slow:
                    said.append(f"more than {given.limit}")
                    break
                finally:
                    shutil.rmtree(out, ignore_errors=True)
                points.append((value, seconds - start))
                said.append(f"{seconds:.2f}")
            slope = exponent(points) if len(points) > 1 else math.nan
            reached = "" if sweep == "m" else "yes" if slope <= WANTED and len(points) == len(SIZES[sweep]) else "no"
            sizes = ", ".join(f"{value:,}" for value in SIZES[sweep])
            print(f"| `{method}` | {sweep} | {sizes} | {', '.join(said)} | {slope:.2f} | {reached} |", flush=True)


if __name__ == "__main__":
    main()
