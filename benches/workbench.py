#!/usr/bin/env python3
"""Times what each screen of the workbench asks for, with a million events loaded.

    make bench-workbench
    python3 benches/workbench.py [--only WORLD] [--scale SHARE] [--write]

The server runs on loopback, so that the time of a request, until its last byte, is the time of the server. Of every request
that a screen sends, four times are taken, and the slowest of several counts:

* first: of a server that has just started, as soon as it says that the data are there;
* after an edit: an edit, the data screen (as the page does), then at once the request;
* again: the same request repeated;
* in a job: while a method is running on the same data.

`again` also covers what has no first time, such as the result of a finished job. Nothing is asked beforehand to warm it up.
`--write` puts the tables into docs/BENCHMARKS.md. Exits with 1 when an answer takes longer than it may.
"""

import argparse
import atexit
import gzip
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BINARY = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "throng"
DOCUMENT = ROOT / "docs" / "BENCHMARKS.md"
LIMIT_MS = 300
LIMIT_BYTES = 300_000
AGAIN, EDITED, FIRST, IN_JOB = 5, 3, 3, 3
# People that make about a million events.
WORLDS = {"city": 212_000, "metro": 125_000, "checkins": 256_000}
DATA = ("Data", "`data`", "GET", "/data", None)
COLUMNS = ["first", "edited", "again", "job"]
HEADS = {"first": "first", "edited": "after an edit", "again": "again", "job": "in a job"}


class Server:
    def __init__(self, home):
        environment = {**os.environ, "XDG_DATA_HOME": str(home / "share")}
        command = [BINARY, "serve", "--no-browser", "--data-dir", home / "data"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        # Whatever goes wrong, no server is left behind.
        atexit.register(self.process.terminate)
        address = self.process.stdout.readline().strip()
        found = re.match(r"http://([\w-]+\.localhost:(\d+))/\?token=(\w+)", address)
        host, self.port = found[1], int(found[2])
        # Not every resolver knows names under .localhost; the server knows its own.
        self.headers = {"Host": host, "Origin": f"http://{host}"}
        _, answer, _ = self.ask("GET", f"/?token={found[3]}")
        self.headers["Cookie"] = answer.headers["set-cookie"].split(";")[0]

    def ask(self, method, path, body=None, more=None):
        headers = {**self.headers, **(more or {})}
        if isinstance(body, dict):
            body, headers["Content-Type"] = json.dumps(body), "application/json"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        began = time.perf_counter()
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        self.begun = (time.perf_counter() - began) * 1000
        text = answer.read()
        took = (time.perf_counter() - began) * 1000
        assert answer.status < 400, (path, answer.status, text[:300])
        return took, answer, text

    def read(self, method, path, body=None):
        return json.loads(self.ask(method, path, body)[2])

    def stop(self):
        atexit.unregister(self.process.terminate)
        self.process.terminate()
        self.process.wait()


class Table:
    """Slowest times by screen and request."""

    def __init__(self, world):
        self.world, self.rows, self.asks = world, {}, 0
        # How long it took to the answer itself, where progress was told first: by request and column.
        self.waits = {}

    def add(self, screen, what, column, took):
        cells = self.rows.setdefault((screen, what), {})
        cells[column] = max(cells.get(column, 0), took)

    def slowest(self):
        return max((took, where) for where, cells in self.rows.items() for took in cells.values())

    def lines(self):
        yield f"| screen | request | {' | '.join(HEADS[column] for column in COLUMNS)} |"
        yield "| --- | --- |" + " ---: |" * len(COLUMNS)
        for (screen, what), cells in self.rows.items():
            shown = [f"{cells[column]:.0f} ms" if column in cells else "" for column in COLUMNS]
            yield f"| {screen} | {what} | {' | '.join(shown)} |"


def until_read(server, project, table=None):
    """Polls the data screen as the page does, until the data are there."""
    while True:
        took, _, text = server.ask("GET", f"{project}/data")
        if table:
            table.add("Data", "`data`, while the file is read", "first", took)
        view = json.loads(text)
        if view["state"] not in ("loading", "preparing"):
            return view
        time.sleep(0.05)


def questions(view, job=None):
    """What screens ask about a project: screen, label, method, path below the project, body."""
    know = [{"item": entry["item"]} for entry in view["top_items"][:2]]
    last = view["columns"][-1]["name"]
    asked = [("any", "`project`", "GET", "", None), ("any", "`inputs`", "GET", "/inputs", None), ("any", "`jobs`", "GET", "/jobs", None)]
    asked += [
        DATA,
        ("Data", "`rows`", "GET", "/rows?offset=0&limit=100", None),
        ("Data", "`rows`, sorted, far down", "GET", f"/rows?limit=100&offset=900000&sort=-{last}", None),
        ("Data", "`rows`, filtered", "GET", "/rows?limit=100&offset=0&filter=4", None),
    ]
    asked += [
        ("Data", f"`histogram` of {column['name']}", "GET", f"/histogram?column={column['name']}", None)
        for column in view["columns"]
    ]
    asked += [
        ("Data", "`map`", "GET", "/map", None),
        ("Meaning", "`inputs/places`", "GET", "/inputs/places?offset=0&limit=200", None),
        ("Meaning", "`taxonomy`, the root", "GET", "/taxonomy?offset=0&limit=200", None),
        ("Meaning", "`items`", "GET", "/items?search=1&limit=12", None),
        ("Risk today", "`risk`", "GET", "/risk", None),
        ("Risk today", "`risk`, rare events", "GET", "/risk?knows=rare", None),
        ("Risk today", "`risk`, any order", "GET", "/risk?unordered=true", None),
        ("Risk today", "`play`", "POST", "/play", {"know": know, "ordered": True}),
        ("Promise and method", "`check`", "POST", "/check", {"method": "seqanon", "settings": {"k": "5", "m": "2"}, "variant": "sound"}),
    ]
    if view["kind"] == "timed":
        asked.insert(-2, ("Risk today", "`risk`, with times", "GET", "/risk?times=exact", None))
    if job:
        asked.append(("Risk today", "`play` against a release", "POST", "/play", {"know": know, "ordered": True, "release": job}))
    return asked


def applicable(server, project, asked):
    """Leaves out what the world has no input for."""
    there = {view["input"] for view in server.read("GET", f"{project}/inputs")}
    needed = {"/map": "places", "/inputs/places": "places", "/taxonomy": "taxonomy"}
    return [one for one in asked if needed.get(one[3].split("?")[0], "") in there | {""}]


def put(server, project, table, column, one):
    screen, label, method, path, body = one
    began = time.perf_counter()
    took, _, text = server.ask(method, project + path, body)
    table.add(screen, label, column, took)
    table.asks += 1
    if not is_progress(text):
        return
    # Told how far it is instead of an answer: quick, but the user waits until the answer itself is there.
    while is_progress(text):
        time.sleep(0.01)
        text = server.ask(method, project + path, body)[2]
    table.waits.setdefault((label, HEADS[column]), []).append((time.perf_counter() - began) * 1000)


def is_progress(text):
    return text.startswith((b'{"state":"preparing"', b'{"state":"loading"'))


def all_at_once(server, project, table, column, asked):
    """What a browser does with a screen: everything it needs at the same time."""
    for screen in dict.fromkeys(one[0] for one in asked if one[0] != "any"):
        group = [one for one in asked if one[0] == screen and "rows`, " not in one[1] and "risk`, " not in one[1]]
        with ThreadPoolExecutor(len(group)) as threads:
            times = threads.map(lambda one: server.ask(one[2], project + one[3], one[4])[0], group)
            table.add(screen, "everything at once, the last answer", column, max(times))


def run_job(server, project, table, label, spec, asked):
    """Starts a job, asks while it runs, and waits for it."""
    took, _, text = server.ask("POST", f"{project}/jobs", spec)
    table.add("Run" if label == "anonymize" else "Compare", f"start {label}", "again", took)
    job = json.loads(text)["id"]
    began, busy = time.perf_counter(), iter(asked * IN_JOB)
    while True:
        state = server.read("GET", f"/api/jobs/{job}")
        if state["state"] not in ("queued", "running"):
            break
        one = next(busy, None)
        if one:
            put(server, project, table, "job", one)
        else:
            time.sleep(0.05)
    assert state["state"] == "done", state["problem"]
    print(f"  {label}: {time.perf_counter() - began:.1f} s", file=sys.stderr)
    return job


def results(server, table, job, screen, files):
    """What is asked about a finished job."""
    base = f"/api/jobs/{job}"
    asked = [(screen, "`job`", base), (screen, "`events` of a finished job", f"{base}/events")]
    asked += [(screen, f"`result` of {'a comparison' if screen == 'Compare' else 'a release'}", f"{base}/result")]
    asked += [("Publish", "`files`", f"{base}/files")] if screen == "Result" else []
    asked += [("Publish" if screen == "Result" else screen, f"`files/{name}`", f"{base}/files/{name}") for name in files]
    for screen, label, path in asked:
        for _ in range(AGAIN):
            table.add(screen, label, "again", server.ask("GET", path)[0])


def measure(home, world, subjects):
    table = Table(world)
    server = Server(home)
    began = time.perf_counter()
    project = server.read("POST", "/api/projects", {"world": world, "subjects": subjects})["id"]
    project = f"/api/projects/{project}"
    print(f"{world}: made in {time.perf_counter() - began:.1f} s", file=sys.stderr)
    began = time.perf_counter()
    view = until_read(server, project, table)
    events = view["counts"]["events"]
    print(f"  {events:,} events read in {time.perf_counter() - began:.2f} s", file=sys.stderr)
    asked = applicable(server, project, questions(view))
    # First asks: each of a server of its own.
    for one in asked:
        for _ in range(FIRST):
            server.stop()
            server = Server(home)
            for path in ("", "/inputs", "/jobs"):
                table.add("any", "opened while the file is read", "first", server.ask("GET", project + path)[0])
            until_read(server, project, table)
            put(server, project, table, "first", one)
    for _ in range(FIRST):
        server.stop()
        server = Server(home)
        until_read(server, project)
        all_at_once(server, project, table, "first", asked)
    # After an edit.
    item = view["roles"]["item"]
    names = [entry["item"] for entry in view["top_items"]]
    edits = [
        ("a cell", lambda n: {"op": "set", "row": 7 + n, "column": item, "value": names[n % 3]}),
        ("an item renamed", lambda n: {"op": "rename-item", "from": names[4], "to": names[5]}),
        ("a row deleted", lambda n: {"op": "delete", "rows": [1000 + n]}),
    ]
    for n in range(EDITED):
        for label, edit in edits:
            table.add("Data", f"edit: {label}", "again", server.ask("POST", f"{project}/edits", edit(n))[0])
            put(server, project, table, "edited", DATA)
            until_read(server, project)
            for way in ("undo", "redo", "undo"):
                table.add("Data", way, "again", server.ask("POST", f"{project}/{way}")[0])
                put(server, project, table, "edited", DATA)
    for n in range(EDITED):
        for one in asked:
            server.ask("POST", f"{project}/edits", edits[0][1](n))
            put(server, project, table, "edited", DATA)
            until_read(server, project)
            put(server, project, table, "edited", one)
    for n in range(EDITED):
        server.ask("POST", f"{project}/edits", edits[0][1](n + 1))
        until_read(server, project)
        all_at_once(server, project, table, "edited", asked)
    roles = {"roles": {view["roles"]["item"]: "item"}}
    for _ in range(AGAIN):
        table.add("Data", "roles confirmed", "again", server.ask("PUT", f"{project}/columns", roles)[0])
        until_read(server, project)
    for one in asked:
        for _ in range(AGAIN):
            put(server, project, table, "again", one)
    # Jobs, and what is asked about them.
    spec = {"kind": "anonymize", "method": "seqanon", "settings": {"k": "5", "m": "2"}}
    job = run_job(server, project, table, "anonymize", spec, asked)
    results(server, table, job, "Result", ["report.html", "recipe.toml", "manifest.json"])
    for _ in range(AGAIN):
        table.add("Publish", "`ledger`", "again", server.ask("GET", f"/api/jobs/{job}/ledger")[0])
    for _ in range(AGAIN):
        put(server, project, table, "again", questions(view, job)[-1])
    points = server.read("GET", f"/api/jobs/{job}/checklist")
    ticked = {"checklist": {point["key"]: True for point in points}, "earlier_state": True}
    table.add("Publish", "`publish`", "again", server.ask("POST", f"/api/jobs/{job}/publish", ticked)[0])
    methods = [{"name": "seqanon", "settings": {"m": 2}}, {"name": "zga", "settings": {"m": 2}}]
    spec = {"kind": "compare", "methods": methods[: 2 if world == "city" else 1], "vary": {"param": "k", "values": [5, 10]}}
    compared = run_job(server, project, table, "compare", spec, [])
    results(server, table, compared, "Compare", ["table.csv"])
    for _ in range(AGAIN):
        table.add("Start", "`projects`", "again", server.ask("GET", "/api/projects")[0])
        table.add("Start", "`catalogue`", "again", server.ask("GET", "/api/catalogue")[0])
    # Whole files are not answers of a screen: told, not judged.
    whole = {}
    for label, path in [("the release as a zip file", f"/api/jobs/{job}/download"), ("the working table as CSV", f"{project}/export")]:
        took, _, content = server.ask("GET", path)
        whole[label] = (server.begun, took, len(content))
    server.stop()
    return table, events, whole


def first_page(home):
    """Bytes of the page with the script and style it begins with, as sent."""
    server = Server(home)
    packed = {"Accept-Encoding": "gzip"}
    _, answer, page = server.ask("GET", "/", more=packed)
    text = gzip.decompress(page) if answer.headers.get("content-encoding") == "gzip" else page
    parts = re.findall(r'(?:src|href)="\.?(/[^"]+\.(?:js|css))"', text.decode())
    sent = [server.ask("GET", part, more=packed) for part in parts]
    server.stop()
    return len(page) + sum(len(text) for _, _, text in sent), len(parts), max(took for took, _, _ in sent)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", choices=WORLDS)
    arguments.add_argument("--scale", type=float, default=1.0)
    arguments.add_argument("--write", action="store_true")
    given = arguments.parse_args()
    before = os.getloadavg()[0]
    lines, slowest = [], []
    for world, subjects in WORLDS.items():
        if given.only not in (None, world):
            continue
        with tempfile.TemporaryDirectory(prefix="throng-bench-") as home:
            table, events, whole = measure(Path(home), world, int(subjects * given.scale))
        took, where = table.slowest()
        slowest.append(took)
        lines += ["", f"### {world}, {events:,} events", "", *table.lines(), ""]
        told = sum(len(waits) for waits in table.waits.values())
        lines += [f"Slowest: {took:.0f} ms ({', '.join(where)}). Requests that were told how far it is first: {told} of {table.asks}."]
        if told:
            waits = sorted(((max(waits), *where) for where, waits in table.waits.items()), reverse=True)
            named = [f"{label} {column} {wait:.0f} ms" for wait, label, column in waits[:3]]
            lines += [f"The longest of them until the answer was there: {', '.join(named)}."]
        lines += [f"Whole files: {', '.join(f'{label} ({size / 1e6:.1f} MB) begins after {begun:.0f} ms and ends after {took:.0f} ms' for label, (begun, took, size) in whole.items())}."]
    with tempfile.TemporaryDirectory(prefix="throng-bench-") as home:
        size, parts, took = first_page(Path(home))
    slowest.append(took)
    over = [took for took in slowest if took > LIMIT_MS]
    head = [f"First page: {size / 1000:.0f} kB as sent, in {1 + parts} files (limit {LIMIT_BYTES // 1000} kB), the slowest in {took:.0f} ms."]
    head += [f"Slowest answer: {max(slowest):.0f} ms (limit {LIMIT_MS} ms)."]
    print("\n".join(head + lines))
    print(f"\nload before {before:.2f}, after {os.getloadavg()[0]:.2f}", file=sys.stderr)
    if given.write:
        text = DOCUMENT.read_text()
        section = "\n".join(["<!-- workbench -->", *head, *lines, "<!-- end workbench -->"])
        DOCUMENT.write_text(re.sub(r"<!-- workbench -->.*<!-- end workbench -->", lambda _: section, text, flags=re.S))
    return 1 if over or size > LIMIT_BYTES else 0


if __name__ == "__main__":
    sys.exit(main())
