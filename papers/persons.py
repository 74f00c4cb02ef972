#!/usr/bin/env python3
"""BFJ16's people, each with sensitive patterns of their own: what `make papers` needs for Figures 4 to 8, and Figure 9 itself.

    python3 papers/run.py --only bfj16-pages    the comparisons on the 36 people of MSNBC with at least 500 clicks
    python3 papers/run.py --only bfj16-areas    the same on areas that 32 people checked in at
    python3 papers/run.py --only bfj16-figure-9 Figure 9 alone

A person's pool are the patterns of m symbols that occur at least f_min times within the window in their own record; |S| of them are
drawn for each run. Whose pool is smaller is left out. The paper's defaults are m = 2, a window of 10, f_min = 10, |S| = 4
and epsilon = 0.5. A run is one dataset and one file of patterns (`--person-patterns`); the loss is that of an event, averaged over
people, as in the paper. The files lie beside the repository; they are not ours to publish.
"""

import csv
import gzip
import itertools
import lzma
import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "data"
CLICKS = SHARED / "msnbc" / "msnbc990928.seq.xz"
CHECKINS = SHARED / "foursquare-nyc" / "tsmc2014_nyc_filtered" / "checkins.csv.gz"
MADE = ROOT / "target" / "papers-data" / "persons"
FEWEST_CLICKS = 500
# The paper has 32 people in 69 areas, of which ten that follow each other are a bin; this is the grid with as many.
PEOPLE, SIDE, BIN = 32, 0.0488, 10
WINDOW = 10
RUNS = 25
PAIRS = 25
LENGTH, FREQUENCY, NUMBER, EPSILON = 2, 10, 4, 0.5
BOTH = [("mi-top-down", "linear"), ("mi-top-down", "iloss"), ("mi-bottom-up", "linear"), ("mi-bottom-up", "iloss")]
ALL = sorted(BOTH + [("mi-top-down", "exponential"), ("mi-bottom-up", "exponential")], reverse=True)

# The pages of the site under the five headings of the world `clicks`.
HEADINGS = {
    "headlines": "frontpage news msn-news summary",
    "topics": "tech business health",
    "voices": "opinion on-air bbs misc",
    "leisure": "sports msn-sports living travel",
    "nearby": "local weather",
}


def pages():
    """The records of people who clicked often, as names of categories, and the tree of these."""
    with lzma.open(CLICKS, "rt") as file:
        lines = file.read().splitlines()
    names = next(line for line in lines if line.startswith("frontpage")).split()
    clicks = (line.split() for line in lines[7:])
    people = [[names[int(click) - 1] for click in record] for record in clicks if len(record) >= FEWEST_CLICKS]
    return people, [f"{item};{group};site" for group, items in HEADINGS.items() for item in items.split()]


def areas():
    """The records of those who checked in most often, as numbers of areas in the order of a grid, and bins of ten of these."""
    with gzip.open(CHECKINS, "rt", newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: (row["user_idx"], int(row["unix_s"])))
    records = {}
    for row in rows:
        cell = (int(float(row["lat"]) // SIDE), int(float(row["lon"]) // SIDE))
        records.setdefault(row["user_idx"], []).append(cell)
    people = sorted(records.values(), key=len, reverse=True)[:PEOPLE]
    cells = sorted({cell for record in people for cell in record})
    number = {cell: at for at, cell in enumerate(cells)}
    tree = [f"area-{at};bin-{at // BIN};anywhere" for at in range(len(cells))]
    return [[f"area-{number[cell]}" for cell in record] for record in people], tree


def pool(record, length, fewest):
    """Patterns of that length, and how often each begins and ends within the window; the frequent ones, in order of name."""
    found = Counter()
    for start in range(len(record)):
        rest = record[start + 1 : start + 1 + WINDOW]
        found.update({(record[start], *more) for more in itertools.combinations(rest, length - 1)})
    return {pattern: times for pattern, times in sorted(found.items()) if times >= fewest}


def draws(people, length, number):
    """For every run, people and patterns of their own; people whose pool is too small are left out."""
    pools = [list(pool(record, length, FREQUENCY)) for record in people]
    for run in range(1, RUNS + 1):
        seed = f"{run} {length} {number}"
        able = [who for who, patterns in enumerate(pools) if len(patterns) >= number]
        yield f"run {run}", [(people[who], random.Random(f"{who} {seed}").sample(pools[who], number)) for who in able]


def apart(people):
    """Pairs of patterns of one person, one at least so many times as frequent as the other and less than twice that: the one with most
    different patterns, once for each pair."""
    record = max(people, key=lambda record: len(pool(record, LENGTH, FREQUENCY)))
    times = pool(record, LENGTH, FREQUENCY)
    for ratio in (2, 4, 8, 16, 32):
        pairs = itertools.permutations(times, 2)
        pairs = [pair for pair in pairs if ratio <= times[pair[0]] / times[pair[1]] < 2 * ratio]
        drawn = random.Random(ratio).sample(pairs, min(PAIRS, len(pairs)))
        yield f"ratio {ratio}, all", [(record, pair) for pair in drawn]


def dataset(name, label, tree, people):
    """Writes the events and everybody's patterns; returns a part of a recipe."""
    home = MADE / name / label.replace(", ", "-").replace(" ", "-")
    home.mkdir(parents=True, exist_ok=True)
    events = (f"p{who},{item}\n" for who, (record, _) in enumerate(people) for item in record)
    (home / "events.csv").write_text("subject,item\n" + "".join(events))
    lines = (f"p{who},{' > '.join(pattern)}\n" for who, (_, own) in enumerate(people) for pattern in own)
    (home / "person-patterns.csv").write_text("subject,pattern\n" + "".join(lines))
    (home / "taxonomy.csv").write_text("\n".join(tree) + "\n")
    files = (f'{key} = "{home / file}"\n' for key, file in
             (("events", "events.csv"), ("taxonomy", "taxonomy.csv"), ("person-patterns", "person-patterns.csv")))
    return f'\n[[data]]\nlabel = "{label}"\n' + "".join(files)


def recipe(name, title, methods, tree, drawn, epsilons=(), unit="relative", epsilon=EPSILON):
    """Writes one comparison: against epsilon, or against what the labels of its data say before the comma."""
    text = f'schema = "throng-compare/1"\ntitle = "{title}"\nabout = "Each person hides patterns of their own."\nattack = false\n'
    text += f"vary = {{ epsilon = {list(epsilons)} }}\n" if epsilons else ""
    text += 'measures = [{ name = "mi-utility", cost = "=cost" }]\n'
    text += "".join(dataset(name, label, tree, people) for label, people in drawn)
    for method, cost in methods:
        text += f'\n[[methods]]\nname = "{method}"\nlabel = "{method}, {cost}"\ncost = "{cost}"\nunit = "{unit}"\n'
        text += "" if epsilons else f"epsilon = {epsilon}\n"
    path = MADE / f"{name}.toml"
    path.write_text(text + '\n[limits]\ntime = "5min"\njobs = 1\n')
    return path


def against(word, values, draw):
    """The draws for each value, labelled with it."""
    for value in values:
        for label, people in draw(value):
            yield f"{word} {value}, {label}", people


def recipes(only=""):
    """The recipes whose name contains the word, with everything they read; what is not there is left out."""
    made = []
    for of, source, read, figures in (("pages", CLICKS, pages, "4 6a,c 7a,c"), ("areas", CHECKINS, areas, "5 6b,d 7b,d")):
        names = [f"bfj16-{of}-{what}" for what in ("epsilon", "length", "number", "ratio")]
        if not source.exists() or not any(only in name for name in names):
            continue
        shutil.rmtree(MADE / names[0], ignore_errors=True)
        MADE.mkdir(parents=True, exist_ok=True)
        people, tree = read()
        first, second, third = figures.split()
        usual = draws(people, LENGTH, NUMBER)
        made.append(recipe(names[0], f"BFJ16, Figure {first}: loss against epsilon", ALL, tree, usual, (0.1, 0.3, 0.5, 0.7, 0.9)))
        lengths = against("m =", (2, 3, 4), lambda length: draws(people, length, NUMBER))
        made.append(recipe(names[1], f"BFJ16, Figures {second}: loss against the length of patterns", BOTH, tree, lengths))
        numbers = against("patterns =", (2, 4, 6, 8, 10), lambda number: draws(people, LENGTH, number))
        made.append(recipe(names[2], f"BFJ16, Figures {third}: loss against the number of patterns", BOTH, tree, numbers))
        if of == "pages":
            # As in the paper, what may be learned is in bits.
            title = "BFJ16, Figure 8: loss against the frequency of patterns"
            made.append(recipe(names[3], title, BOTH, tree, apart(people), unit="bits", epsilon=0.1))
    return [path for path in made if only in path.stem]


def figure_9(program):
    """Markdown: the ten most frequent pairs of one person before and after, a row each, and what became of them; what was hidden first."""
    people, tree = pages()
    # The person with most different pairs, and the patterns that the first run draws.
    _, drawn = next(draws(people, LENGTH, NUMBER))
    record, own = max(drawn, key=lambda person: len(pool(person[0], LENGTH, FREQUENCY)))
    dataset("figure-9", "one", tree, [(record, own)])
    home, release = MADE / "figure-9" / "one", MADE / "figure-9" / "release"
    command = [program, "anonymize", home / "events.csv", "--taxonomy", home / "taxonomy.csv", "--method", "mi-top-down", "--no-ledger"]
    command += ["--person-patterns", home / "person-patterns.csv", "--epsilon", str(EPSILON), "-o", release, "--force", "--quiet", "--spell-out"]
    subprocess.run(command, check=True)
    headings = {"|".join(sorted(items.split())): heading for heading, items in HEADINGS.items()}
    names = lambda item: headings.get("|".join(sorted(item.strip("{}").split("|"))), "any page") if item[0] == "{" else item
    with open(release / "release.csv", newline="") as file:
        after = [names(row["item"]) for row in csv.DictReader(file)]
    image = dict(zip(record, after))
    most = lambda record: sorted(pool(record, LENGTH, 1).items(), key=lambda one: (-one[1], one[0]))[:10]
    before, now = most(record), dict(most(after))
    lines = ["Hidden: " + ", ".join(" > ".join(pattern) for pattern in own) + ".\n"]
    lines += ["| before | times | published as | times, where among the ten |", "| --- | --- | --- | --- |"]
    for pattern, times in before:
        shown = tuple(image[item] for item in pattern)
        lines.append(f"| {' > '.join(pattern)} | {times} | {' > '.join(shown)} | {now.get(shown, '–')} |")
    return "\n".join(lines) + "\n"
