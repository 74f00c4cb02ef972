#!/usr/bin/env python3
"""Times another program of the project against this one: the same commands on the same worlds, in turn, in one run.

    python3 benches/against.py target/before/throng > table.md

Seconds are of the fastest run, memory is of the largest. The ratio is after by before: below 1 is faster, or smaller.
"""

import argparse
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import run  # noqa: E402

# Reading, and a method for each kind of data and body.
NAMES = [
    "inspect",
    "seqanon -k 5 -m 2 (city)",
    "mondrian -k 5, 1M rows",
    "apriori -k 5 -m 2, 1M baskets",
    "rum-bound --merge rt -k 25 -m 2 (informs)",
    "disassociation -k 5 -m 2, 1M baskets",
]


def once(program, case, directory, out):
    shutil.rmtree(out, ignore_errors=True)
    command = [program, *run.fill(case["command"], directory), "--quiet"]
    if case["command"][0] == "anonymize":
        command += ["--no-ledger", "--no-advice"]
    if "writes" in case:
        command += [case["writes"], str(out)]
    seconds, memory, _ = run.run(command)
    return seconds, memory


def compare(case, programs, times):
    directory = run.world(case["world"])
    out = run.SCRATCH / "out"
    best = [(float("inf"), 0) for _ in programs]
    for _ in range(times):
        for at, program in enumerate(programs):
            seconds, memory = once(program, case, directory, out)
            best[at] = (min(best[at][0], seconds), max(best[at][1], memory))
    shutil.rmtree(out, ignore_errors=True)
    (before, held), (after, holds) = best
    return (
        f"| {case['name']} | {case['world']} | {before * 1000:,.0f} ms | {after * 1000:,.0f} ms | {after / before:.2f} "
        f"| {held / 1e6:,.0f} MB | {holds / 1e6:,.0f} MB | {holds / held:.2f} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="the other program")
    parser.add_argument("--times", type=int, default=3, help="runs of each command with each program")
    asked = parser.parse_args()
    print("| case | world | before | after | ratio | memory before | after | ratio |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    known = {case["name"]: case for case in run.CASES}
    for name in NAMES:
        print(compare(known[name], [asked.before.resolve(), run.BINARY], asked.times), flush=True)


main()
