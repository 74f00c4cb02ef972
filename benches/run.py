#!/usr/bin/env python3
"""Times whole commands, from file to release, as ratios to reading the same file in the same run.

An absolute time says more about the machine than about the program; a ratio to `throng inspect`'s own read of the
same file, taken in the same run, can be compared. Each command runs several times and the fastest run counts.

    make bench                                  all cases; prints a table and rewrites docs/BENCHMARKS.md
    python3 benches/run.py --only seqanon       the cases whose name contains the word; prints only
    python3 benches/run.py --list               the names

Worlds are generated into a scratch directory (THRONG_BENCH_DIR, default target/bench) and kept for the next run.
"""

import argparse
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from cases import CASES, GROWTH, WORLDS  # noqa: E402
from real import Missing  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
SCRATCH = Path(os.environ.get("THRONG_BENCH_DIR", ROOT / "target" / "bench"))
BINARY = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "throng"
PAGE = ROOT / "docs" / "BENCHMARKS.md"


class Failed(Exception):
    """A command did not succeed."""


def run(command, limit=1800):
    """Seconds, peak memory in bytes and standard output of one command."""
    started = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # Only wait4 tells the peak memory of one child, so the pipes are drained by threads.
    out, errors = [], []
    readers = [
        threading.Thread(target=lambda: out.append(child.stdout.read())),
        threading.Thread(target=lambda: errors.append(child.stderr.read())),
    ]
    for reader in readers:
        reader.start()
    timer = threading.Timer(limit, child.kill)
    timer.start()
    _, status, usage = os.wait4(child.pid, 0)
    timer.cancel()
    seconds = time.perf_counter() - started
    for reader in readers:
        reader.join()
    if os.waitstatus_to_exitcode(status) != 0:
        raise Failed(f"{' '.join(map(str, command))}\n{errors[0]}")
    return seconds, usage.ru_maxrss * 1024, out[0]


def world(name):
    """The directory of a generated world, made on first use."""
    directory = SCRATCH / name
    if not directory.exists():
        print(f"generating {name}", file=sys.stderr)
        if callable(WORLDS[name]):
            unfinished = SCRATCH / f"{name}.part"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            WORLDS[name](unfinished)
            unfinished.rename(directory)
        else:
            run([BINARY, "generate", *WORLDS[name], "-o", directory, "--quiet"])
    return directory


def read_seconds(data, times):
    """The fastest read of a file as `throng inspect` reports it, and its shape."""
    best = None
    for _ in range(times):
        _, _, text = run([BINARY, "inspect", *data, "--json", "--quiet"])
        shape = json.loads(text)
        if best is None or shape["read"]["seconds"] < best["read"]["seconds"]:
            best = shape
    return best


def fill(words, directory):
    """Replaces `@/` at the start of a word with the world's directory."""
    return [str(directory) + word[1:] if word.startswith("@/") else word for word in words]


def measure(case, times):
    directory = world(case["world"])
    data = fill(case["data"], directory)
    shape = read_seconds(data, times)
    out = SCRATCH / "out"
    fastest, peak = None, 0
    for _ in range(times):
        shutil.rmtree(out, ignore_errors=True)
        out.unlink(missing_ok=True)
        command = [BINARY, *fill(case["command"], directory), "--quiet"]
        if case["command"][0] == "anonymize":
            # Releases of one world would be attacked together, and the user's own ledger filled with them.
            # What would help is tried on a sample: a cost of bad results, not of the method.
            command += ["--no-ledger", "--no-advice"]
        if "writes" in case:
            command += [case["writes"], str(out)]
        seconds, memory, _ = run(command)
        fastest = min(seconds, fastest or seconds)
        peak = max(peak, memory)
    shutil.rmtree(out, ignore_errors=True)
    return {
        "case": case,
        # A table has people and no events.
        "size": shape["table"]["people"] if "table" in shape else shape["events"],
        "read": shape["read"]["seconds"],
        "speed": shape["read"]["mb_per_second"],
        "seconds": fastest,
        "ratio": fastest / shape["read"]["seconds"],
        "peak": peak,
    }


def row(result, results):
    case = result["case"]
    words, reached = case.get("goal") or ("", lambda *_: None)
    answer = {True: "yes", False: "**no**", None: ""}[reached(result, results)]
    return (
        f"| {case['name']} | {case['world']} | {result['size']:,} | {result['read'] * 1000:,.0f} ms "
        f"({result['speed']:,.0f} MB/s) | {result['seconds'] * 1000:,.0f} ms | {result['ratio']:.1f}x "
        f"| {words} | {answer} | {result['peak'] / 1e6:,.0f} MB ({result['peak'] / result['size']:.0f} B each) |"
    )


HEAD = (
    "| case | world | events or rows | read | whole command | ratio | target | reached | peak memory |\n"
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | :---: | ---: |"
)


def growth(name, limit, measured):
    """How time grows with size, from the smallest to the largest case."""
    if len(measured) < 2:
        return []
    first, last = measured[0], measured[-1]
    exponent = math.log(last["seconds"] / first["seconds"]) / math.log(last["size"] / first["size"])
    verdict = "" if limit is None else f" (target: at most n^{limit}; reached: {'yes' if exponent <= limit else '**no**'})"
    return [f"* `{name}` grows with n^{exponent:.2f} from {first['size']:,} to {last['size']:,}{verdict}."]


def attempt(case, times, results):
    """A line of the table; the result is kept under the case's name."""
    words = (case.get("goal") or ("",))[0]
    blank = f"| {case['name']} | {case['world']} | | | {{}} | | {words} | | |"
    try:
        results[case["name"]] = measure(case, times)
        line = row(results[case["name"]], results)
    except Missing as problem:
        line = blank.format("not measured")
        print(problem, file=sys.stderr)
    except Failed as problem:
        line = blank.format("failed")
        print(problem, file=sys.stderr)
    print(line, flush=True)
    return line


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="cases whose name contains this word; prints without writing")
    parser.add_argument("--times", type=int, default=3, help="runs of each command, of which the fastest counts")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    given = parser.parse_args()
    if given.list:
        cases = CASES + [case for _, _, group in GROWTH for case in group]
        print("\n".join(case["name"] for case in cases))
        return
    if not BINARY.exists():
        sys.exit(f"error: {BINARY} is missing\nhelp: run `make build` first")
    SCRATCH.mkdir(parents=True, exist_ok=True)
    results = {}
    chosen = [case for case in CASES if given.only in case["name"]]
    targets = [attempt(case, given.times, results) for case in chosen]
    lines, exponents = [], []
    for name, limit, group in GROWTH:
        group = [case for case in group if given.only in case["name"]]
        lines += [attempt(case, given.times, results) for case in group]
        exponents += growth(name, limit, [results[case["name"]] for case in group if case["name"] in results])
    print("\n".join(exponents))
    tables = [f"## {title}\n\n{HEAD}\n" + "\n".join(rows) for title, rows in (("Targets", targets), ("Growth", lines))]
    tables.append("\n".join(exponents))
    if not given.only:
        machine = f"{os.cpu_count()} cores, {cpu()}, {platform.system()} {platform.machine()}"
        write("\n\n".join([f"One run on one machine ({machine}), fastest of {given.times}.", *tables]))


def cpu():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown processor"


def write(text):
    """Replaces what lies between the two markers of the page; the words around them are ours."""
    page = PAGE.read_text()
    begin, end = "<!-- measured -->\n", "\n<!-- end -->"
    before, rest = page.split(begin, 1)
    after = rest.split(end, 1)[1]
    PAGE.write_text(before + begin + text + end + after)


if __name__ == "__main__":
    main()
