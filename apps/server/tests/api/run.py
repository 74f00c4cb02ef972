#!/usr/bin/env python3
"""Talks to the workbench with generated requests and holds every answer against the API's own description.

No request may end in a server error, and every refusal must be a documented problem. Identifiers of real projects and jobs
are put into the description first: random ones would only ever be answered with "not found".

    run.py THRONG [SECONDS]
"""

import http.client
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


class Workbench:
    """A server in a directory of its own."""

    def __init__(self, program: str, home: Path):
        self.process = subprocess.Popen(
            [program, "serve", "--no-browser", "--data-dir", str(home / "data"), "--max-upload", "5"],
            stdout=subprocess.PIPE, text=True,
        )
        address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"(http://127\.0\.0\.1:(\d+))/\?token=(\w+)", address)
        self.origin, self.port, token = found[1], int(found[2]), found[3]
        answer, _ = self.send("GET", f"/?token={token}")
        self.cookie = answer.headers["set-cookie"].split(";")[0]

    def send(self, method: str, path: str, body: bytes = b"", headers: dict = {}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer, answer.read()

    def ask(self, method: str, path: str, body=None):
        headers = {"Cookie": self.cookie, "Origin": self.origin, "Content-Type": "application/json"}
        answer, text = self.send(method, path, json.dumps(body).encode() if body is not None else b"", headers)
        assert answer.status < 300, (method, path, answer.status, text)
        return json.loads(text) if text else None


def furnish(bench: Workbench) -> dict:
    """Projects and jobs to speak of."""
    project = bench.ask("POST", "/api/projects", {"world": "city", "subjects": 300})["id"]
    other = bench.ask("POST", "/api/projects", {"world": "metro", "subjects": 300})["id"]
    spec = {"kind": "anonymize", "method": "seqanon", "settings": {"k": "3", "m": "2"}}
    jobs = [bench.ask("POST", f"/api/projects/{project}/jobs", spec)["id"] for _ in range(2)]
    for job in jobs:
        while bench.ask("GET", f"/api/jobs/{job}")["state"] in ("queued", "running"):
            time.sleep(0.1)
    spare = [bench.ask("POST", "/api/projects", {"world": "clicks", "subjects": 20})["id"] for _ in range(3)]
    return {"project": [project, other], "job": jobs, "spare": spare}


def aim(description: dict, there: dict) -> dict:
    """The description with identifiers of things that are there."""
    inputs = ["places", "taxonomy", "sensitive", "constraints", "queries", "patterns", "records", "sensitive-values"]
    values = {
        "project": [*there["project"], "nobody"],
        "job": [*there["job"], "nobody"],
        "input": [*inputs, "nothing"],
        "name": ["release.csv", "manifest.json", "report.html", "../linkage.csv", "nothing"],
    }
    for path, item in description["paths"].items():
        for method, operation in item.items():
            # Whatever may be deleted is not what the other requests are about.
            deletes = method == "delete" and path.count("{") == 1
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "path":
                    own = ["nobody", *there["spare"]] if deletes else values[parameter["name"]]
                    parameter["schema"] = {"type": "string", "enum": own}
    # Larger worlds only take longer.
    description["components"]["schemas"]["NewProject"]["properties"]["subjects"] = {"type": "integer", "minimum": 1, "maximum": 500}
    return description


def main() -> int:
    program = sys.argv[1]
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 90
    home = Path(tempfile.mkdtemp(prefix="throng-api-"))
    bench = Workbench(program, home)
    try:
        description = aim(bench.ask("GET", "/api/openapi.json"), furnish(bench))
        (home / "openapi.json").write_text(json.dumps(description))
        ended = subprocess.run(
            [
                Path(sys.executable).parent / "schemathesis", "run", str(home / "openapi.json"), "--url", bench.origin,
                "--header", f"Cookie: {bench.cookie}", "--header", f"Origin: {bench.origin}",
                "--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--mode", "all",
                "--max-examples", "30", "--max-time", str(seconds), "--seed", "1", "--request-timeout", "60",
                "--suppress-health-check", "all", "--warnings", "off", "--continue-on-failure", "--no-shrink",
            ],
            cwd=home,
        )
        alive = bench.process.poll() is None and bench.ask("GET", "/api/session")["program"] == "throng"
        print("the server is still there" if alive else "the server is gone")
        return ended.returncode if alive else 1
    finally:
        bench.process.terminate()
        bench.process.wait()
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
