#!/usr/bin/env python3
"""Times what each screen of the workbench asks for, with a million events loaded.

    make bench-workbench
    python3 benches/workbench.py [--subjects N]

The server runs on loopback, so that the time of a request is the time of the server. Each request is sent several times;
the slowest counts. A million events are about 212,000 people of the sample city. Exits with 1 when a screen takes longer
than it may.
"""

import argparse
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BINARY = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "throng"
LIMIT_MS = 300
REPEATS = 5


class Server:
    def __init__(self, home):
        self.process = subprocess.Popen(
            [BINARY, "serve", "--no-browser", "--data-dir", home], stdout=subprocess.PIPE, text=True
        )
        address = self.process.stdout.readline().strip()
        found = re.match(r"(http://127\.0\.0\.1:(\d+))/\?token=(\w+)", address)
        self.origin, self.port = found[1], int(found[2])
        self.headers = {"Origin": self.origin}
        _, answer, _ = self.ask("GET", f"/?token={found[3]}")
        self.headers["Cookie"] = answer.headers["set-cookie"].split(";")[0]

    def ask(self, method, path, body=None):
        headers = dict(self.headers)
        if isinstance(body, dict):
            body, headers["Content-Type"] = json.dumps(body), "application/json"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        began = time.perf_counter()
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read()
        took = (time.perf_counter() - began) * 1000
        assert answer.status < 400, (path, answer.status, text[:300])
        return took, answer, text


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--subjects", type=int, default=212_000)
    subjects = arguments.parse_args().subjects
    with tempfile.TemporaryDirectory(prefix="throng-bench-") as home:
        server = Server(home)
        try:
            slowest = measure(server, subjects)
        finally:
            server.process.terminate()
            server.process.wait()
    print(f"\nslowest {slowest:.0f} ms, limit {LIMIT_MS} ms")
    return 0 if slowest <= LIMIT_MS else 1


def measure(server, subjects):
    _, _, text = server.ask("POST", "/api/projects", {"world": "city", "subjects": subjects})
    project = f"/api/projects/{json.loads(text)['id']}"
    began = time.perf_counter()
    while True:
        view = json.loads(server.ask("GET", f"{project}/data")[2])
        if view["state"] != "loading":
            break
        time.sleep(0.05)
    print(f"{view['counts']['events']:,} events loaded in {time.perf_counter() - began:.2f} s")
    # The attacker curve is prepared while people look at the data.
    server.ask("GET", f"{project}/risk")
    edit = {"op": "set", "row": 7, "column": "item", "value": "A1"}
    know = [{"item": view["top_items"][0]["item"]}, {"item": view["top_items"][1]["item"]}]
    check = {"method": "seqanon", "settings": {"k": "5", "m": "2"}}
    screens = [
        ("Start", "GET", "/api/projects", None),
        ("Start", "GET", "/api/catalogue", None),
        ("Data", "GET", f"{project}/data", None),
        ("Data", "GET", f"{project}/rows?limit=100", None),
        ("Data", "GET", f"{project}/rows?limit=100&offset=900000&sort=-item", None),
        ("Data", "GET", f"{project}/rows?limit=100&filter=D4", None),
        ("Data", "GET", f"{project}/histogram?column=item", None),
        ("Data", "GET", f"{project}/histogram?column=subject", None),
        ("Data", "GET", f"{project}/map", None),
        ("Data", "POST", f"{project}/edits", edit),
        ("Data", "GET", f"{project}/data", "after an edit"),
        ("Data", "POST", f"{project}/undo", None),
        ("Meaning", "GET", f"{project}/inputs", None),
        ("Meaning", "GET", f"{project}/taxonomy", None),
        ("Meaning", "GET", f"{project}/items?search=d", None),
        ("Risk today", "GET", f"{project}/risk", None),
        ("Risk today", "POST", f"{project}/play", {"know": know, "ordered": True}),
        ("Promise and method", "POST", f"{project}/check", check),
        ("Run", "GET", f"{project}/jobs", None),
    ]
    slowest = 0
    edited = False
    for screen, method, path, body in screens:
        times = []
        if edited and screen != "Data":
            # Whatever an edit made stale is prepared again before the next screen is opened.
            server.ask("GET", f"{project}/risk")
            edited = False
        edited |= method == "POST" and screen == "Data"
        for _ in range(REPEATS):
            note = body if isinstance(body, str) else ""
            if note:
                server.ask("POST", f"{project}/edits", edit)
            times.append(server.ask(method, path, body if isinstance(body, dict) else None)[0])
        slowest = max(slowest, *times)
        name = path.removeprefix(project) or path
        print(f"  {screen:<20} {method:<5} {name:<48} {min(times):7.1f} {max(times):7.1f} ms  {note}")
    return slowest


if __name__ == "__main__":
    sys.exit(main())
