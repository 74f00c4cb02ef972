"""People who walk at random from cell to cell of a grid of ten by ten, for papers/walks: trips that stay near where they began.

As many as PSLG-SOA's Oldenburg has, on the cells of the world `oldenburg`. Two shapes: each step goes to a neighbouring cell, two
to seven cells in all; or the same, two to four cells, within a block of two by two.
"""

import random

PEOPLE, SIDE, BLOCK = 18_143, 10, 2
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def walk(draw, most, within):
    """One person's cells; `within` says whether a step from one cell to another is allowed."""
    cells = [(draw.randrange(SIDE), draw.randrange(SIDE))]
    length = draw.randint(2, most)
    while len(cells) < length:
        column, row = cells[-1]
        right, down = draw.choice(STEPS)
        cell = (column + right, row + down)
        if all(0 <= place < SIDE for place in cell) and within(cells[-1], cell):
            cells.append(cell)
    return cells


def same_block(one, other):
    return all(a // BLOCK == b // BLOCK for a, b in zip(one, other))


def write(home):
    """The events of both shapes."""
    home.mkdir(parents=True, exist_ok=True)
    for name, most, within in (("walks", 7, lambda *_: True), ("blocks", 4, same_block)):
        draw = random.Random(name)
        lines = ["subject,item\n"]
        for person in range(PEOPLE):
            for column, row in walk(draw, most, within):
                lines.append(f"p{person:06},{'ABCDEFGHIJ'[column]}{row + 1}\n")
        (home / f"{name}.csv").write_text("".join(lines))
