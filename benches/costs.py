#!/usr/bin/env python3
"""Where cost explodes: whole commands against reading the same file, on worlds and real logs that are hard for a method.

    python3 benches/costs.py PROGRAM [--data ../shared/data] [--only WORD] [--keep DIR] [--limit SECONDS]

Prints the table of *Where cost explodes* in docs/BENCHMARKS.md. Processor time (user and system) of the whole command on one core, the least of
three, as a ratio to `throng inspect` of the same file. Worlds are kept in THRONG_BENCH_DIR (default target/bench). `--keep` keeps the releases, so
that those of two programs can be compared byte by byte.

Logs with 21,000 and 13,900 items are drawn: as many people and events as published logs of that kind, items by Zipf's law. Real logs without
places get a position for each item, drawn by its name.
"""

import argparse
import gzip
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = pathlib.Path(os.environ.get("THRONG_BENCH_DIR", ROOT / "target" / "bench"))
TIMES = 3


class Slow(Exception):
    """A command took more processor time than it may."""


def spent(line, times=TIMES, limit=None):
    """Processor seconds of a command on one core, the least of some runs, and its peak memory in bytes."""
    best, peak = None, 0

    def prepare():
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        if limit:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))

    for _ in range(times):
        child = subprocess.Popen(list(map(str, line)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=prepare)
        _, status, used = os.wait4(child.pid, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
            raise Slow()
        if os.waitstatus_to_exitcode(status) not in (0, 6):
            sys.exit(f"failed: {' '.join(map(str, line))}")
        seconds = used.ru_utime + used.ru_stime
        best = seconds if best is None else min(best, seconds)
        peak = max(peak, used.ru_maxrss * 1024)
        # A long run says enough.
        if seconds > 20:
            break
    return best, peak


def made(name, make):
    """The directory of a world, made on first use."""
    directory = SCRATCH / name
    if not directory.exists():
        print(f"making {name}", file=sys.stderr)
        part = SCRATCH / f"{name}.part"
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        make(part)
        part.rename(directory)
    return directory


def write_places(path, names):
    with open(path, "w", encoding="utf-8") as out:
        out.write("item,lat,lon\n")
        for name in names:
            draw = random.Random(f"place {name}")
            out.write(f"{name},{52.5 + draw.gauss(0, 0.08):.5f},{13.4 + draw.gauss(0, 0.12):.5f}\n")


def log(people, length, items, power=1.0):
    """People with so many events on average, items by Zipf's law, each with a position."""

    def make(directory):
        draw = random.Random(items)
        weights = [1 / (rank + 1) ** power for rank in range(items)]
        seen = set()
        with open(directory / "log.txt", "w", encoding="utf-8") as out:
            for _ in range(people):
                count = max(2, round(draw.gauss(length, length / 3)))
                drawn = draw.choices(range(items), weights, k=count)
                seen.update(drawn)
                out.write(" ".join(f"i{item}" for item in drawn) + "\n")
        write_places(directory / "places.csv", [f"i{item}" for item in sorted(seen)])

    return make


def real(source):
    """A log of lines, unpacked, with a position for each item."""

    def make(directory):
        text = gzip.open(source, "rt").read()
        (directory / "log.txt").write_text(text)
        write_places(directory / "places.csv", sorted(set(text.split())))

    return make


def rows(order, people=1_000_000, count=10_000_000):
    """Rows of people in the order of time, or person by person."""

    def make(directory):
        draw = random.Random(7)
        events = [(int(draw.random() * people), int(draw.random() * draw.random() * 500), at // 3) for at in range(count)]
        if order == "grouped":
            events.sort()
        with open(directory / "events.csv", "w", encoding="utf-8") as out:
            out.write("subject,item,time\n")
            out.writelines(f"p{person},i{item},{1_600_000_000 + at}\n" for person, item, at in events)

    return make


def cases(shared):
    """Name, what is read, the command, and the ratio that is wanted."""

    def anonymize(name, data, wanted, *words):
        return name, data, ["anonymize", *data, *words, "--no-ledger", "--no-advice"], wanted

    def on_log(name, directory, wanted, *words):
        places = ["--places", directory / "places.csv"] if "zga" in words else []
        return anonymize(name, [directory / "log.txt", "--input-format", "lines"], wanted, *words, *places, "--infeasible", "truncate")

    seqanon = ["--method", "seqanon", "-k", "5", "-m"]
    zga = ["--method", "zga", "-k", "5", "-l", "2", "-m", "2"]
    sga = ["--method", "sga", "-k", "5", "-l", "2", "-m", "2"]
    yield "log-21k", lambda d: on_log("`seqanon`, 21,000 items", d, 40, *seqanon, "2"), log(30_000, 8, 21_000, 0.9)
    yield "log-14k", lambda d: on_log("`seqanon`, 13,900 items", d, 40, *seqanon, "2"), log(36_369, 21, 13_900)
    yield "log-21k", lambda d: on_log("`zga`, 21,000 items", d, 60, *zga), log(30_000, 8, 21_000, 0.9)
    yield "log-14k", lambda d: on_log("`zga`, 13,900 items", d, 60, *zga), log(36_369, 21, 13_900)
    if shared:
        spmf = pathlib.Path(shared) / "spmf-sequences"
        leviathan, bms = real(spmf / "LEVIATHAN.txt.gz"), real(spmf / "BMS2.txt.gz")
        yield "leviathan", lambda d: on_log("`seqanon`, LEVIATHAN (9,025 items)", d, 40, *seqanon, "2"), leviathan
        yield "leviathan", lambda d: on_log("`zga`, LEVIATHAN (34 events a person)", d, 60, *zga), leviathan
        yield "bms2", lambda d: on_log("`zga`, BMS-WebView-2", d, 60, *zga), bms
        sign = real(spmf / "SIGN.txt.gz")
        yield "sign", lambda d: on_log("`seqanon -m 3`, SIGN (52 events a person)", d, 60, *seqanon, "3"), sign
    yield "long-50", lambda d: on_log("`seqanon -m 3`, 5,000 people with 50 events", d, 60, *seqanon, "3"), log(5_000, 50, 500)
    yield "long-50", lambda d: on_log("`seqanon -m 2`, the same", d, None, *seqanon, "2"), log(5_000, 50, 500)

    def on_checkins(name, subjects, wanted, words):
        def case(directory):
            data = [directory / "events.csv"]
            return anonymize(name, data, wanted, "--places", directory / "places.csv", "--sensitive", directory / "sensitive.csv", *words)

        return f"checkins-{subjects}", case, ["checkins", "--subjects", str(subjects)]

    yield on_checkins("`sga`, a million check-ins", 255_000, 12, sga)
    yield on_checkins("`zga`, a million check-ins", 255_000, 8, zga)
    yield on_checkins("`zga --clusters 500`, 100,000 check-ins", 25_500, 15, [*zga, "--clusters", "500"])

    local = ["--method", "lkc-local", "--L", "3", "--K", "20", "--C", "0.6", "--sensitive-values", "status=on-welfare"]
    metro = ["metro", "--subjects", "125000"]
    yield (
        "metro-125k",
        lambda d: anonymize("`lkc-local --L 3`, a million metro visits", [d / "events.csv"], 20, "--records", d / "records.csv", *local),
        metro,
    )
    city = ["city", "--subjects", "2118644"]
    bf_p2ka = ["--method", "bf-p2ka", "-k", "5"]
    yield "city-10M", lambda d: anonymize("`bf-p2ka`, 10 million events", [d / "events.csv"], 8, *bf_p2ka), city
    clicks = ["clicks", "--subjects", "1000000"]
    yield "clicks-1M", lambda d: ("`attack`, clicks", [d / "events.csv"], ["attack", d / "events.csv"], 6), clicks
    quick = lambda d: ["measure", d / "events.csv", d / "events.csv", "--places", d / "places.csv", "--taxonomy", d / "taxonomy.csv"]
    yield "city-5M", lambda d: ("`measure`, 1,000 queries", [d / "events.csv"], quick(d), 6), ["city", "--subjects", "1000000"]
    yield "rows-grouped", lambda d: ("reading, rows by person", [d / "events.csv"], None, None), rows("grouped")
    yield "rows-scattered", lambda d: ("reading, the same rows by time", [d / "events.csv"], None, 2), rows("scattered")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--data", help="the folder of real logs; without it their rows are left out")
    parser.add_argument("--only", default="", help="cases whose name contains this word")
    parser.add_argument("--keep", type=pathlib.Path, help="keep releases in this folder")
    parser.add_argument("--limit", type=int, default=300, help="processor seconds a command may take")
    given = parser.parse_args()
    SCRATCH.mkdir(parents=True, exist_ok=True)
    print("| case | reading | whole command | ratio | wanted | reached | memory |\n| --- | ---: | ---: | ---: | ---: | --- | ---: |", flush=True)
    grouped = None

    def directory_of(name, make):
        if isinstance(make, list):
            return made(name, lambda to: subprocess.run([given.program, "generate", *make, "-o", to, "-q", "--force"], check=True))
        return made(name, make)

    for number, (name, case, make) in enumerate(cases(given.data)):
        title = case(pathlib.Path("."))[0]
        if given.only not in title:
            continue
        title, data, command, wanted = case(directory_of(name, make))
        reading, peak = spent([given.program, "inspect", *data])
        if command is None:
            grouped = grouped or reading
            ratio, whole = reading / grouped, reading
        else:
            out = (given.keep or SCRATCH) / f"release-{number}"
            if command[0] == "anonymize":
                command = [*command, "-o", out, "--force"]
            try:
                whole, peak = spent([given.program, *command], limit=given.limit)
            except Slow:
                print(f"| {title} | {reading:.2f} | more than {given.limit} | more than {given.limit / reading:.0f}x | {wanted}x | no | |", flush=True)
                continue
            ratio = whole / reading
            if not given.keep:
                shutil.rmtree(out, ignore_errors=True)
        reached = "" if wanted is None else "yes" if ratio <= wanted else "no"
        goal = "" if wanted is None else f"{wanted}x"
        print(f"| {title} | {reading:.2f} | {whole:.2f} | {ratio:.1f}x | {goal} | {reached} | {peak / 1e6:,.0f} MB |", flush=True)


if __name__ == "__main__":
    main()
