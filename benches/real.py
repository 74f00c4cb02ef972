"""Real data, where they are at hand: THRONG_DATA names the folder, by default the one beside the repository."""

import gzip
import os
import shutil
from pathlib import Path

DATA = Path(os.environ.get("THRONG_DATA", Path(__file__).resolve().parent.parent.parent / "shared" / "data"))


class Missing(Exception):
    """The data are not on this machine."""


def unpack(source, target):
    if not source.exists():
        raise Missing(f"{source} is missing; name the folder of real data in THRONG_DATA")
    with gzip.open(source, "rb") as packed, open(target, "wb") as out:
        shutil.copyfileobj(packed, out)


def adult(directory):
    """The Adult census table of 30,162 rows with the nine hierarchies that ARX is distributed with."""
    folder = DATA / "adult-arx"
    unpack(folder / "adult.csv.gz", directory / "adult.csv")
    (directory / "hierarchies").mkdir()
    for file in sorted(folder.glob("adult_hierarchy_*.csv")):
        column = file.stem.removeprefix("adult_hierarchy_")
        shutil.copyfile(file, directory / "hierarchies" / f"{column}.csv")


def bms(directory):
    """BMS-WebView-1: 59,602 sessions over 497 pages."""
    unpack(DATA / "transactions-fimi" / "BMS1.dat.gz", directory / "baskets.dat")
