#!/usr/bin/env python3
"""Runs the recipes of the papers' figures and rewrites the numbers in docs/PAPERS.md.

    make papers                            all recipes, then the page
    python3 papers/run.py --only soa       the recipes whose name contains the word; the page's other numbers stay
    python3 papers/run.py --check          runs nothing and writes nothing: says which tables of the page are out of date

Each recipe is a comparison (`throng compare`) in papers/recipes (in real/ those of files that are not ours to publish), in papers/mixed, whose people are drawn first, in papers/regions, whose
regions of interest are made first, in papers/walks, whose walks are drawn first, in papers/subsets, whose parts of worlds are made first, or is written by papers/persons.py, with patterns of each person; its cells are kept in THRONG_PAPERS_DIR (default
target/papers), so that a second run takes seconds. On the page, a line

    <!-- numbers: RECIPE DATA: COLUMN, COLUMN -->

is followed by a table that this script writes, up to `<!-- end -->`. A column is one of table.csv, or `seconds`. DATA may
be left out where a recipe has one dataset, or runs that are averaged. Where nothing varies, the columns are what the labels of
the datasets say before the comma. Between `<!-- subtrajectories -->` and `<!-- end -->` stands how many different
subtrajectories the worlds have, by size; after `<!-- figure 9 -->` BFJ16's Figure 9.
"""

import argparse
import csv
import gzip
import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import persons
import subsets
import walks

ROOT = Path(__file__).resolve().parent.parent
RECIPES = ROOT / "papers" / "recipes"
MIXED = ROOT / "papers" / "mixed"
REGIONS = ROOT / "papers" / "regions"
WALKS = ROOT / "papers" / "walks"
SUBSETS = ROOT / "papers" / "subsets"
CLICKS = ROOT.parent / "shared" / "data" / "transactions-fimi" / "BMS1.dat.gz"
PAGE = ROOT / "docs" / "PAPERS.md"
MADE = ROOT / "target" / "papers-data"
# Cars that make a cell dense, for 114 to 8 regions.
DENSITIES = (850, 1500, 1600, 1700, 1850, 1900)
# Figure 10 of PSLG14, and the worlds beside it.
SUBTRAJECTORIES = {
    "Oldenburg": (100, 6955, 48268, 124070, 177054, 158684, 93479, 36328, 8989),
    "`oldenburg`": "oldenburg",
    "`city`": "city",
    "Gowalla": (662, 107811, 803093, 1757607, 2959148, 4478016, 6033559, 7138181, 7336036),
    "`checkins`": "checkins",
    "`metro`": "metro",
    "`city80k`": "city80k",
    "`clicks`": "clicks",
    "`patients`": "patients",
}
# More subtrajectories than this, counted once for each person, are not looked at.
MAX_SUBTRAJECTORIES = 12_000_000
SCRATCH = Path(os.environ.get("THRONG_PAPERS_DIR", ROOT / "target" / "papers"))
BINARY = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "throng"
FIDELITY = re.compile(r"(<!-- subtrajectories -->\n).*?(<!-- end -->)", re.S)
FIGURE_9 = re.compile(r"(<!-- figure 9 -->\n).*?(<!-- end -->)", re.S)
BLOCK = re.compile(r"(<!-- numbers: (\S+?)(?: ([^:]*))?: ([^>]*?) -->\n).*?(<!-- end -->)", re.S)


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def shown(values):
    """An average in three digits, or why there is none."""
    if not values:
        return "–"
    value = sum(values) / len(values)
    if value == 0 or abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}"


def table(recipe, data, columns):
    """Markdown: a row for each method and column, a column for each value of the parameter that varies first."""
    home = SCRATCH / recipe
    results, timings = rows(home / "table.csv"), rows(home / "timings.csv")
    names = list(results[0])
    vary = names[2 : names.index("seed")]
    by = vary[0] if vary else ""
    cells = []
    for result, timing in zip(results, timings):
        if data and result["data"] != data:
            continue
        number = {name: result.get(name, "") for name in columns}
        if "seconds" in columns:
            number["seconds"] = timing.get("anonymise", "")
        name = ", ".join([result["method"]] + [f"{p} = {result[p]}" for p in vary[1:] if result[p]])
        place = result[by] if by else result["data"].split(",")[0]
        cells.append((name, place, number, result["outcome"] == "broken"))
    places = list(dict.fromkeys(place for _, place, _, _ in cells if place))
    methods = list(dict.fromkeys(name for name, _, _, _ in cells))
    head = [by, ""] if len(columns) > 1 else [by]
    lines = ["| " + " | ".join(head + places) + " |", "| --- " * (len(head) + len(places)) + "|"]
    for column in columns:
        for method in methods:
            row = [method] + ([column.replace("_", " ")] if len(columns) > 1 else [])
            for place in places:
                # A method that does not follow the parameter is the same everywhere.
                here = [(n[column], b) for name, at, n, b in cells if name == method and at in (place, "")]
                values = [float(value) for value, _ in here if value]
                # A release to the letter that breaks its promise: measured, never written.
                mark = "*" if values and any(broken for _, broken in here) else ""
                row.append(shown(values) + mark)
            lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines) + "\n"


def wants(recipe):
    """The file of real data that a recipe names in a line `# needs: PATH` and that is not there."""
    named = re.search(r"^# needs: (\S+)$", recipe.read_text(), re.M)
    return named[1] if named and not (recipe.parent / named[1]).exists() else None


def rewrite(text, only):
    def block(match):
        head, recipe, data, columns, end = match.groups()
        if only not in recipe or not (SCRATCH / recipe / "table.csv").exists():
            return match.group(0)
        return head + table(recipe, data, [column.strip() for column in columns.split(",")]) + end

    return BLOCK.sub(block, text)


def people():
    """Columns and sets in the shapes of INFORMS and YOUTUBE, for papers/mixed: 8,000 people each, the same on every machine."""
    sys.path.insert(0, str(ROOT / "benches"))
    import patients_like

    columns = {"informs": "month,year,race,education,income", "youtube": "age,category,length,rate,ratings,comments"}
    # The baselines that generalise every pair of clusters are slow: fewer people, as in the paper.
    few = MADE / "informs-2k"
    if not few.exists():
        few.mkdir(parents=True)
        patients_like.informs(few, 2_000)
    for name, quasi in columns.items():
        home = MADE / name
        if (home / "queries.txt").exists():
            continue
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        getattr(patients_like, name)(home, 8_000)
        (home / "sensitive.txt").write_text("".join(f"c{code:03}\n" for code in range(10, 619, 20)))
        command = [BINARY, "workload", "events.csv", "--sets", "--records", "records.csv", "--quasi", quasi]
        command += ["--queries", "100", "--sizes", "2", "--columns", "1..2", "-o", "queries.txt"]
        subprocess.run(command, cwd=home, check=True)


def clicks():
    """A taxonomy by name and the list of all terms of WV1, for the recipe that needs both."""
    home = MADE / "clicks"
    if not (home / "taxonomy.csv").exists():
        home.mkdir(parents=True, exist_ok=True)
        with gzip.open(CLICKS, "rt") as lines:
            terms = sorted({term for line in lines for term in line.split()})
        (home / "alphabet.csv").write_text("".join(f"{term}\n" for term in terms))
        subprocess.run([BINARY, "taxonomy", CLICKS, "--by", "name", "-o", home / "taxonomy.csv", "--quiet"], check=True)


def ranks():
    """TLMS12's Figure 7d, as a comparison would write it: one release, measured with terms of several ranks and several reconstructions."""
    home = SCRATCH / "tlms12-ranks"
    home.mkdir(parents=True, exist_ok=True)
    release = home / "release"
    command = [BINARY, "anonymize", CLICKS, "--sets", "--method", "disassociation", "-k", "5", "-m", "2"]
    command += ["--seed", "0", "--salt", "0" * 64]
    subprocess.run([*command, "-o", release, "--force", "--no-ledger", "--no-advice", "--quiet"], check=True)
    lines = []
    for rank in (0, 100, 200, 300, 400):
        for draws in (1, 2, 5, 10):
            asked = ["--rank-from", str(rank), "--rank-to", str(rank + 20), "--reconstructions", str(draws)]
            command = [BINARY, "measure", CLICKS, release, "--sets", "--json", "--measure", "re", *asked]
            answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            lines.append(["clicks", "disassociation", rank, draws, 0, "released", answer["measures"][0]["readings"]["re"]])
    head = ["data", "method", "rank", "reconstructions", "seed", "outcome", "re"]
    for name, rows in (("table.csv", [head, *lines]), ("timings.csv", [["anonymise"], *[[""] for _ in lines]])):
        with open(home / name, "w", newline="") as file:
            csv.writer(file).writerows(rows)


def world(name):
    """The default world of that name, made once."""
    home = MADE / "worlds" / name
    if not home.exists():
        home.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([BINARY, "generate", name, "-o", home, "--quiet"], check=True)
    return home


def regions():
    """Trips through regions of interest, for papers/regions."""
    points = world("oldenburg") / "points.csv"
    weeks = [(f"regions-{density}", density, []) for density in DENSITIES]
    trips = [(f"trips-{density}", density, ["--trip-gap", "15min"]) for density in DENSITIES]
    for name, density, more in weeks + trips:
        if not (MADE / name).exists():
            command = [BINARY, "prepare", points, "-o", MADE / name, "--grid", "100x100", "--regions", "--quiet"]
            subprocess.run([*command, "--min-density", str(density), *more], check=True)


def different_subtrajectories(name):
    """How many there are of each size from 1 to 9, as long as that can be counted."""
    people = {}
    for row in rows(world(name) / "events.csv"):
        people.setdefault(row["subject"], []).append(row["item"])
    records = set(map(tuple, people.values()))
    for size in range(1, 10):
        if sum(math.comb(len(record), size) for record in records) > MAX_SUBTRAJECTORIES:
            return
        found = set()
        for record in records:
            found.update(itertools.combinations(record, size))
        yield len(found)


def fidelity():
    """Markdown: different subtrajectories by size, of the papers' data and of the worlds."""
    lines = ["| size | " + " | ".join(map(str, range(1, 10))) + " |", "| --- " * 10 + "|"]
    for name, counts in SUBTRAJECTORIES.items():
        counts = list(different_subtrajectories(counts)) if isinstance(counts, str) else list(counts)
        lines.append(f"| {name} | " + " | ".join([f"{n:,}" for n in counts] + [""] * (9 - len(counts))) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORD", help="recipes whose name contains the word")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 when the page is out of date")
    options = parser.parse_args()
    if not options.check:
        recipes = [recipe for folder in (RECIPES, MIXED, REGIONS, WALKS, SUBSETS) for recipe in folder.rglob("*.toml")]
        recipes += persons.recipes(options.only)
        names = [recipe.stem for recipe in recipes] + ["tlms12-ranks", "subtrajectories", "bfj16-figure-9"]
        if not any(options.only in name for name in names):
            parser.error(f"no recipe's name contains `{options.only}`: they are the files in papers/recipes, mixed, regions, walks and subsets")
        for recipe in sorted(recipes, key=lambda path: path.stem):
            if options.only in recipe.stem:
                if recipe.parent == MIXED:
                    people()
                if recipe.parent == REGIONS:
                    regions()
                if recipe.parent == WALKS:
                    world("oldenburg")
                    walks.write(MADE / "walks")
                if recipe.parent == SUBSETS:
                    subsets.write(MADE / "subsets", world("checkins"), world("metro"))
                if missing := wants(recipe):
                    print(f"== {recipe.stem}: left out, {missing} is not there", file=sys.stderr, flush=True)
                    continue
                if recipe.stem == "tlms12-others":
                    clicks()
                print(f"== {recipe.stem}", file=sys.stderr, flush=True)
                command = [BINARY, "compare", recipe, "-o", SCRATCH / recipe.stem]
                if subprocess.run(command).returncode != 0:
                    sys.exit(f"{recipe.stem} failed")
        if options.only in "tlms12-ranks" and CLICKS.exists():
            print("== tlms12-ranks", file=sys.stderr, flush=True)
            ranks()
    before = PAGE.read_text()
    after = rewrite(before, options.only)
    if not options.check and options.only in "subtrajectories":
        after = FIDELITY.sub(lambda match: match[1] + fidelity() + match[2], after)
    if not options.check and options.only in "bfj16-figure-9" and persons.CLICKS.exists():
        table_9 = persons.figure_9(BINARY)
        after = FIGURE_9.sub(lambda match: match[1] + table_9 + match[2], after)
    if options.check:
        sys.exit("docs/PAPERS.md is out of date: run `make papers`" if before != after else 0)
    PAGE.write_text(after)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("stopped; comparisons that were made are kept, and the page is as it was")
