"""Attacks what `counts` withholds with an integer-programming solver (HiGHS): `make solver`.

An attacker has `counts.csv` and nothing else, and writes down everything that follows from it:

* every listed cell has exactly so many people, and every other cell fewer than k, perhaps none;
* a person is in a cell once; how many people there are is not known;
* a person who moves from one item to another visits both, and what a person does is a record: a walk from item to item.

Each kind of person (the cells that a walk is in) is an unknown whole number of people. For each withheld cell the solver finds the fewest people who could be in it.
If that is none, the attacker has learned nothing about the cell; if it is more, the attacker knows that between 1 and k - 1 people are in it, and that is a leak.

Nothing of the program is used but its command line.
"""

import csv
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy
from scipy.optimize import Bounds, LinearConstraint, milp

UNKNOWN = "?"  # stands for any number of items that the attacker has never heard of


def walks(items, longest, moves):
    """The sets of cells that a record of up to `longest` events can be in."""
    found, edge = set(), {(item, frozenset([("visits", item, "")]), item) for item in items}
    for _ in range(longest):
        found |= {cells | ({(moves, first, last)} if moves == "ends" and first != last else set()) for first, cells, last in edge}
        step = set()
        for first, cells, last in edge:
            for item in items:
                more = {("visits", item, "")}
                if moves == "moves" and item != last:
                    more.add(("moves", last, item))
                step.add((first, cells | more, item))
        edge = step
    return {frozenset(cells) for cells in found}


def spans(items, times, most):
    """The sets of cells of visits by time that a record of up to `most` events can be in."""
    cells = [("visits", item, time) for item in items for time in times]
    return {frozenset(some) for size in range(1, most + 1) for some in itertools.combinations(cells, size)}


def fewest(kinds, published, k, cell, known=None):
    """The fewest people who can be in a cell, or None where no world fits at all. `known` is a number of people that the attacker knows."""
    kinds = sorted(kinds, key=sorted)
    cells = sorted({one for kind in kinds for one in kind if UNKNOWN not in one} | set(published))
    rows = numpy.array([[one in kind for kind in kinds] for one in cells], dtype=float)
    low = numpy.array([published.get(one, 0) for one in cells], dtype=float)
    high = numpy.array([published.get(one, k - 1) for one in cells], dtype=float)
    if known is not None:
        rows, low, high = numpy.vstack([rows, numpy.ones(len(kinds))]), numpy.append(low, known), numpy.append(high, known)
    cost = numpy.array([cell in kind for kind in kinds], dtype=float)
    answer = milp(cost, constraints=LinearConstraint(rows, low, high), integrality=numpy.ones(len(kinds)), bounds=Bounds(0, numpy.inf))
    return None if answer.x is None else round(answer.fun)


def publish(throng, folder, records, k, moves, span):
    """The published cells, by the real program."""
    data, out = folder / "data.csv", folder / "out"
    with data.open("w") as file:
        file.write("subject,item,time\n")
        for person, record in enumerate(records):
            for at, (item, time) in enumerate(record):
                file.write(f"p{person},{item},{time}\n")
    words = [throng, "anonymize", data, "--method", "counts", "-k", str(k), "--moves", moves, "-o", out, "--force", "--allow-empty", "--no-ledger", "--quiet"]
    words += ["--bin", str(span)] if span else []
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    with (out / "counts.csv").open() as file:
        return {(row["table"], row["item"], row["to"] or row["time"]): int(row["people"]) for row in csv.DictReader(file)}


def leaks(kinds, published, k, withheld, known=None):
    """The withheld cells that the attacker proves to hold at least one person."""
    found = []
    for cell in withheld:
        least = fewest(kinds, published, k, cell, known)
        assert least is not None, f"the published counts fit no world: {published}"
        if least > 0:
            found.append((cell, least))
    return found


def no_withheld_cell_is_bounded(throng, folder, worlds, seed):
    """Random small data: no withheld cell has to have anybody in it, for an attacker who knows that every person has one record."""
    draw, looked_at = random.Random(seed), 0
    for world in range(worlds):
        items, k = ["a", "b", "c"][: draw.choice([2, 3, 3])], draw.choice([2, 3, 5])
        moves, span = draw.choice([("steps", 0), ("ends", 0), ("steps", 10)])
        people, favourite = draw.randint(k, 6 * k), draw.choice(items)

        def record():
            length = draw.randint(1, 3)
            return [(favourite if draw.random() < 0.4 else draw.choice(items), at * 10 + draw.randint(0, 9)) for at in range(length)]

        records = [record() for _ in range(people)]
        published = publish(throng, folder, records, k, moves, span)
        if span:
            kinds = spans(items, sorted({cell[2] for cell in published} | {"0", "10"}), 3)
        else:
            kinds = walks([*items, UNKNOWN], 5, "moves" if moves == "steps" else "ends")
        withheld = sorted({cell for kind in kinds for cell in kind if UNKNOWN not in cell} - set(published))
        found = leaks(kinds, published, k, withheld)
        assert not found, f"world {world} (seed {seed}): {found} follow from {published}, k = {k}"
        looked_at += len(withheld)
    assert looked_at > worlds, "hardly any cell was withheld"
    print(f"{worlds} worlds, {looked_at} withheld cells: of none must anybody be in it")


def a_number_of_people_would_tell_a_withheld_count(throng, folder):
    """The solver has power: with the number of people, and one visit each, it proves what is withheld."""
    records = [[("a", 0)]] * 9 + [[("b", 0)]] * 3
    published = publish(throng, folder, records, 5, "steps", 0)
    kinds = walks(["a", "b"], 1, "moves")
    cell = ("visits", "b", "")
    assert published == {("visits", "a", ""): 9}, published
    assert leaks(kinds, published, 5, [cell]) == []
    assert leaks(kinds, published, 5, [cell], known=12) == [(cell, 3)]
    print("with the number of people the solver finds what is withheld; the release does not have it")


def all_items_and_one_record_a_person_succeeds_and_is_not_covered(throng, folder):
    """An attacker who knows all items there are, and that every person has one record, proves that at least one person made a withheld move.

    Five people are at b twice: after a, and after c. So all of them left b in between, for a or for c; neither move has five people, so both have some.
    """
    records = [[(item, at) for at, item in enumerate(walk)] for walk in ["abcb", "abcb", "abacb", "abacb", "abacb"]]
    published = publish(throng, folder, records, 5, "steps", 0)
    withheld = [("moves", "b", "c"), ("moves", "b", "a")]
    assert not set(withheld) & set(published), published
    closed = leaks(walks(["a", "b", "c"], 6, "moves"), published, 5, withheld)
    assert closed == [(cell, 1) for cell in withheld], closed
    # With one more item than the list has, the move could have gone there.
    assert leaks(walks(["a", "b", "c", UNKNOWN], 6, "moves"), published, 5, withheld) == []
    print("known to the last item and by one record a person, two withheld moves are found to have people in them")


def main():
    throng = pathlib.Path(sys.argv[1]).resolve()
    worlds, seed = (int(text) for text in [*sys.argv[2:4], *["60", "1"][len(sys.argv) - 2 :]])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        a_number_of_people_would_tell_a_withheld_count(throng, folder)
        all_items_and_one_record_a_person_succeeds_and_is_not_covered(throng, folder)
        no_withheld_cell_is_bounded(throng, folder, worlds, seed)


if __name__ == "__main__":
    main()
