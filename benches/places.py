"""What `seqanon` costs as places grow from 100 to 25,000, and on real check-ins: prints the first table of *Many places* in docs/BENCHMARKS.md.

    python3 benches/places.py target/release/throng [../shared/data]

100,000 events of 5,000 people, places scattered around one city and visited ever more rarely; every number is the least of three runs on
one core, in processor seconds.
"""

import pathlib
import random
import sys
import tempfile

from costs import spent

PEOPLE, EVENTS = 5_000, 100_000
CHECKINS = "foursquare-nyc/tsmc2014_nyc_filtered/checkins.csv.gz"
SEQANON = ["--method", "seqanon", "-k", "5", "-m", "2", "--no-ledger", "--no-advice", "--force"]


def scattered(directory, count):
    """Places around a centre, the crowded ones first; people visit by rank, so that most places are seen a few times."""
    draw = random.Random(count)
    with open(directory / "places.csv", "w", encoding="utf-8") as out:
        out.write("item,lat,lon\n")
        for place in range(count):
            out.write(f"p{place},{52.5 + draw.gauss(0, 0.08):.5f},{13.4 + draw.gauss(0, 0.12):.5f}\n")
    ranks = range(count)
    weights = [1 / (rank + 20) ** 0.8 for rank in ranks]
    visits = draw.choices(ranks, weights, k=EVENTS)
    with open(directory / "events.csv", "w", encoding="utf-8") as out:
        out.write("subject,item\n")
        for at, place in enumerate(visits):
            out.write(f"u{at * PEOPLE // EVENTS},p{place}\n")
    return len(set(visits))


def show(program, what, data, more, shelf):
    reading, _ = spent([program, "inspect", *data])
    whole, _ = spent([program, "anonymize", *data, *more, *SEQANON, "-o", shelf / "release"])
    ratio = whole / reading
    print(f"| {what} | {reading:.2f} | {whole:.2f} | {ratio:.0f}x | {'yes' if ratio < 30 else 'no'} |", flush=True)


def main(program, shared=None):
    print("| places that occur | reading | the whole command | ratio | 30x reached |\n| ---: | ---: | ---: | ---: | --- |")
    for count in (100, 1_000, 5_000, 25_000):
        with tempfile.TemporaryDirectory() as name:
            shelf = pathlib.Path(name)
            occur = scattered(shelf, count)
            show(program, f"{occur:,}", [shelf / "events.csv"], ["--places", shelf / "places.csv"], shelf)
    if shared:
        with tempfile.TemporaryDirectory() as name:
            data = [pathlib.Path(shared) / CHECKINS, "--lat", "lat", "--lon", "lon", "--first-value"]
            show(program, "4,988 (Foursquare, New York)", data, ["--infeasible", "truncate"], pathlib.Path(name))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
