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
