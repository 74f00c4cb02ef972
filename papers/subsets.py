"""Worlds with fewer places and coarser times, for papers/subsets: PSLG14's Figure 21c and MFD's Figure 10c.

Of the check-ins, those at some of the 662 places, drawn so that a larger number has all places of a smaller one. Of the metro, all
trips, with the 60 minutes put together by two, three and five: 65 stations at so many times are so many dimensions.
"""

import csv
import random

PLACES = (100, 200, 400, 662)
MINUTES = (5, 3, 2, 1)


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def keep(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def write(home, checkins, metro):
    """The events of all of them; `checkins` and `metro` are the folders of the worlds."""
    home.mkdir(parents=True, exist_ok=True)
    events, places = rows(checkins / "events.csv"), rows(checkins / "places.csv")
    order = [place["item"] for place in places]
    random.Random("places").shuffle(order)
    for number in PLACES:
        some = set(order[:number])
        keep(home / f"places-{number}.csv", [event for event in events if event["item"] in some])
    events = rows(metro / "events.csv")
    for minutes in MINUTES:
        coarser = [{**event, "time": int(event["time"]) // minutes} for event in events]
        keep(home / f"minutes-{minutes}.csv", coarser)
