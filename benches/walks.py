"""Sequences like those that papers report on and that no world generates: the same files on every machine."""

import random


def regions(directory):
    """82,341 trips over 113 regions of a grid, 8.3 visits each: the shape of the Milan cars of PMPG08, Table 1."""
    draw = random.Random(1)
    count, width = 113, 11
    hubs = [draw.randrange(count) for _ in range(12)]
    with open(directory / "events.csv", "w", encoding="utf-8") as out:
        out.write("subject,item\n")
        for trip in range(82_341):
            at = draw.choice(hubs) if draw.random() < 0.7 else draw.randrange(count)
            heading = draw.choice((1, -1, width, -width))
            out.write(f"t{trip},r{at}\n")
            while draw.random() < 0.88:
                if draw.random() < 0.4:
                    heading = draw.choice((1, -1, width, -width))
                # Cars turn at the border of the grid.
                while not inside(at, heading, count, width):
                    heading = draw.choice((1, -1, width, -width))
                at += heading
                out.write(f"t{trip},r{at}\n")


def inside(at, heading, count, width):
    to = at + heading
    return 0 <= to < count and (abs(heading) == width or to // width == at // width)


def diary(directory):
    """One person's 20,000 stays in 69 areas, binned by ten into a taxonomy: the shape of the RM set of BFJ16."""
    draw = random.Random(2)
    count = 69
    at = 0
    with open(directory / "events.csv", "w", encoding="utf-8") as out:
        out.write("subject,item\n")
        for step in range(20_000):
            # Everybody is somewhere once; then mostly near the last place, sometimes anywhere.
            at = step if step < count else (at + draw.choice((-2, -1, 0, 1, 2)) if draw.random() < 0.8 else draw.randrange(count)) % count
            out.write(f"me,a{at:02}\n")
    with open(directory / "taxonomy.csv", "w", encoding="utf-8") as out:
        for area in range(count):
            out.write(f"a{area:02};bin{area // 10};all\n")
    with open(directory / "patterns.csv", "w", encoding="utf-8") as out:
        out.write("a03 > a07\na15 > a12\na33 > a38\na61 > a40\n")
