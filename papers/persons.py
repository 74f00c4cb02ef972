#!/usr/bin/env python3
"""BFJ16's figures on the paper's own people: the 36 of MSNBC with at least 500 clicks, each with sensitive patterns of their own.

    python3 papers/persons.py MSNBC.seq     writes one comparison a figure into target/papers/bfj16-*, and prints the tables

A person's pool are the patterns of m page categories that occur at least f_min times within the window in their own record; |S| of
them are drawn for each of a few runs. The paper's defaults are m = 2, a window of 10, f_min = 10, |S| = 4 and epsilon = 0.5. A
record and its patterns are a dataset of one person, so that a list of patterns is that person's alone. The loss is divided by the
length of the record and averaged over runs and people, as in the paper. The file is not ours to publish.
"""

import csv
import itertools
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MADE = ROOT / "target" / "papers-data" / "persons"
SCRATCH = Path(os.environ.get("THRONG_PAPERS_DIR", ROOT / "target" / "papers"))
BINARY = Path(os.environ.get("THRONG_BINARY", ROOT / "target" / "release" / "throng"))
FEWEST_CLICKS = 500
WINDOW = 10
RUNS = 2
PAIRS = 25
LENGTH, FREQUENCY, NUMBER, EPSILON = 2, 10, 4, 0.5
BOTH = [("mi-top-down", "linear"), ("mi-top-down", "iloss"), ("mi-bottom-up", "linear"), ("mi-bottom-up", "iloss")]
ALL = sorted(BOTH + [("mi-top-down", "exponential"), ("mi-bottom-up", "exponential")], reverse=True)

# The pages of the site under the five headings of the world `clicks`.
TAXONOMY = {
    "headlines": "frontpage news msn-news summary",
    "topics": "tech business health",
    "voices": "opinion on-air bbs misc",
    "leisure": "sports msn-sports living travel",
    "nearby": "local weather",
}


def records(path):
    """The records of people who clicked often, as names of categories."""
    lines = Path(path).read_text().splitlines()
    names = next(line for line in lines if line.startswith("frontpage")).split()
    clicks = (line.split() for line in lines[7:])
    return [[names[int(click) - 1] for click in record] for record in clicks if len(record) >= FEWEST_CLICKS]


def pool(record, length, fewest):
    """Patterns of that length, and how often each begins and ends within the window; the frequent ones, in order of name."""
    found = Counter()
    for start in range(len(record)):
        rest = record[start + 1 : start + 1 + WINDOW]
        found.update({(record[start], *more) for more in itertools.combinations(rest, length - 1)})
    return {pattern: times for pattern, times in sorted(found.items()) if times >= fewest}


def draw(people, length, fewest, number):
    """For every person and run, a list of patterns of their own; nobody whose pool is too small."""
    for who, record in enumerate(people):
        patterns = list(pool(record, length, fewest))
        for run in range(RUNS):
            if len(patterns) >= number:
                yield who, run, random.Random(f"{who} {run} {length} {number}").sample(patterns, number)


def apart(record, who, ratio):
    """Pairs of patterns of one person, one at least `ratio` times as frequent as the other and less than twice that."""
    times = pool(record, LENGTH, FREQUENCY)
    pairs = [pair for pair in itertools.permutations(times, 2) if ratio <= times[pair[0]] / times[pair[1]] < 2 * ratio]
    for run, pair in enumerate(random.Random(ratio).sample(pairs, min(PAIRS, len(pairs)))):
        yield who, run, pair


def compare(name, methods, epsilons, datasets, unit="relative"):
    """One comparison; `datasets` are pairs of a setting and what `draw` gives. Returns the mean loss an event by method and setting."""
    home = SCRATCH / name
    shutil.rmtree(home, ignore_errors=True)
    text = f'schema = "throng-compare/1"\ntitle = "{name}"\nabout = "One person a dataset."\nattack = false\n'
    text += f'vary = {{ epsilon = {epsilons} }}\nmeasures = [{{ name = "mi-utility", cost = "=cost" }}]\n'
    lengths = {}
    for setting, draws in datasets:
        for who, run, patterns in draws:
            label = f"{setting}, {who} {run}"
            listed = MADE / f"{name}-{setting}-{who}-{run}.csv"
            listed.write_text("".join(" > ".join(pattern) + "\n" for pattern in patterns))
            lengths[label] = sum(1 for _ in open(MADE / f"{who}.csv")) - 1
            text += f'\n[[data]]\nlabel = "{label}"\nevents = "{MADE / f"{who}.csv"}"\n'
            text += f'taxonomy = "{MADE / "taxonomy.csv"}"\npatterns = "{listed}"\n'
    for method, cost in methods:
        text += f'\n[[methods]]\nname = "{method}"\nlabel = "{method}, {cost}"\ncost = "{cost}"\nunit = "{unit}"\n'
    recipe = MADE / f"{name}.toml"
    recipe.write_text(text + '\n[limits]\ntime = "1min"\n')
    subprocess.run([BINARY, "compare", recipe, "-o", home, "--quiet"], check=True)
    sums, seconds = {}, {}
    with open(home / "table.csv") as table, open(home / "timings.csv") as timings:
        for row, time in zip(csv.DictReader(table), csv.DictReader(timings)):
            if row["utility_loss_total"]:
                place = row["epsilon"] if len(epsilons) > 1 else row["data"].split(",")[0]
                loss = float(row["utility_loss_total"]) / lengths[row["data"]]
                sums.setdefault(row["method"], {}).setdefault(place, []).append(loss)
                seconds.setdefault(row["method"], {}).setdefault(place, []).append(float(time["anonymise"]))
    return sums, seconds


def show(title, parameter, results):
    """Markdown: a row a method, the mean loss an event and the mean milliseconds."""
    sums, seconds = results
    places = list(dict.fromkeys(place for row in sums.values() for place in row))
    print(f"\n{title}\n\n| {parameter} |  | " + " | ".join(places) + " |\n" + "| --- " * (len(places) + 2) + "|")
    for what, table, scale in (("loss an event", sums, 1), ("milliseconds", seconds, 1000)):
        for method, row in table.items():
            cells = [f"{scale * sum(row[place]) / len(row[place]):.3g}" if place in row else "–" for place in places]
            print(f"| {method} | {what} | " + " | ".join(cells) + " |")


def main():
    people = records(sys.argv[1])
    MADE.mkdir(parents=True, exist_ok=True)
    SCRATCH.mkdir(parents=True, exist_ok=True)
    for who, record in enumerate(people):
        (MADE / f"{who}.csv").write_text("subject,item\n" + "".join(f"p,{item}\n" for item in record))
    lines = (f"{item};{group};site\n" for group, items in TAXONOMY.items() for item in items.split())
    (MADE / "taxonomy.csv").write_text("".join(lines))
    usual = [("all", draw(people, LENGTH, FREQUENCY, NUMBER))]
    epsilons = [0.1, 0.3, 0.5, 0.7, 0.9]
    show("Figure 4", "epsilon", compare("bfj16-persons-epsilon", ALL, epsilons, usual))
    by_length = [(str(m), draw(people, m, FREQUENCY, NUMBER)) for m in (2, 3, 4)]
    show("Figure 6", "m", compare("bfj16-persons-length", BOTH, [EPSILON], by_length))
    by_number = [(str(n), draw(people, LENGTH, FREQUENCY, n)) for n in (2, 4, 6, 8, 10)]
    show("Figure 7", "patterns", compare("bfj16-persons-number", BOTH, [EPSILON], by_number))
    # As in the paper, one person: the one with most different patterns; what may be learned is in bits.
    who, record = max(enumerate(people), key=lambda person: len(pool(person[1], LENGTH, FREQUENCY)))
    by_ratio = [(str(ratio), apart(record, who, ratio)) for ratio in (2, 4, 8, 16, 32)]
    show("Figure 8", "ratio", compare("bfj16-persons-frequency", BOTH, [0.1], by_ratio, "bits"))


if __name__ == "__main__":
    main()
