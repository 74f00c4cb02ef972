#!/usr/bin/env python3
"""Talks to the workbench with generated requests and holds every answer against the API's own description.

No request may end in a server error, and every refusal must be a documented problem. Identifiers of real projects and jobs
are put into the description first: random ones would only ever be answered with "not found".

The seed and the number of requests are fixed, so that a run can be repeated; time is no limit but for a run that hangs. A run in
which some operation was not tried in each phase fails.

    run.py THRONG [EXAMPLES]
"""

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

# Requests that are generated for each operation, beside those that cover its description.
EXAMPLES = 40
# Beyond this many seconds something hangs.
HANGS = 3600
PHASES = ["Coverage", "Fuzzing"]
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


class Workbench:
    """A server in a directory of its own."""

    def __init__(self, program: str, home: Path):
        self.process = subprocess.Popen(
            [program, "serve", "--no-browser", "--data-dir", str(home / "data"), "--max-upload", "5"],
            stdout=subprocess.PIPE, text=True, env={**os.environ, "THRONG_LEDGER": str(home / "ledger.jsonl")},
        )
        address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://([\w-]+\.localhost:(\d+))/\?token=(\w+)", address)
        host, self.port, token = found[1], int(found[2]), found[3]
        # Not every resolver knows names under .localhost: programs use the address, and send the secret of the cookie as a bearer.
        self.origin = f"http://127.0.0.1:{self.port}"
        answer, _ = self.send("GET", f"/?token={token}", headers={"Host": host})
        self.bearer = "Bearer " + answer.headers["set-cookie"].split(";")[0].split("=", 1)[1]

    def send(self, method: str, path: str, body: bytes = b"", headers: dict = {}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANGS)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer, answer.read()

    def ask(self, method: str, path: str, body=None):
        headers = {"Authorization": self.bearer, "Origin": self.origin, "Content-Type": "application/json"}
        answer, text = self.send(method, path, json.dumps(body).encode() if body is not None else b"", headers)
        assert answer.status < 300, (method, path, answer.status, text)
        return json.loads(text) if text else None


def furnish(bench: Workbench) -> dict:
    """Projects and jobs to speak of."""
    project = bench.ask("POST", "/api/projects", {"world": "city", "subjects": 300})["id"]
    other = bench.ask("POST", "/api/projects", {"world": "metro", "subjects": 300})["id"]
    spec = {"kind": "anonymize", "method": "seqanon", "settings": {"k": "3", "m": "2"}}
    bench.ask("POST", f"/api/projects/{project}/inputs/taxonomy/generate", {"fanout": 4})
    # Some jobs are there to be deleted.
    jobs = [bench.ask("POST", f"/api/projects/{project}/jobs", spec)["id"] for _ in range(5)]
    for job in jobs:
        while bench.ask("GET", f"/api/jobs/{job}")["state"] in ("queued", "running"):
            time.sleep(0.1)
    spare = [bench.ask("POST", "/api/projects", {"world": "clicks", "subjects": 20})["id"] for _ in range(3)]
    return {"project": [project, other], "job": jobs[:2], "spare": {"project": spare, "job": jobs[2:]}}


def aim(description: dict, there: dict) -> dict:
    """The description with identifiers of things that are there."""
    inputs = ["places", "taxonomy", "sensitive", "constraints", "queries", "patterns", "records", "sensitive-values"]
    values = {
        "project": [*there["project"], "missing"],
        "job": [*there["job"], "missing"],
        "input": [*inputs, "nothing"],
        "name": ["release.csv", "manifest.json", "report.html", "../linkage.csv", "nothing"],
        "miner": ["sequences", "itemsets", "subgraphs", "nothing"],
    }
    for path, item in description["paths"].items():
        for method, operation in item.items():
            # Whatever may be deleted is not what the other requests are about.
            deletes = method == "delete" and path.count("{") == 1
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "path":
                    name = parameter["name"]
                    own = ["missing", *there["spare"][name]] if deletes else values[name]
                    parameter["schema"] = {"type": "string", "enum": own}
    # Larger worlds only take longer.
    description["components"]["schemas"]["NewProject"]["properties"]["subjects"] = {"type": "integer", "minimum": 1, "maximum": 500}
    return description


def run(bench: Workbench, home: Path, examples: int) -> tuple[int, str]:
    """Sends the requests; what was printed is given back too."""
    command = [
        Path(sys.executable).parent / "schemathesis", "run", str(home / "openapi.json"), "--url", bench.origin,
        "--header", f"Authorization: {bench.bearer}", "--header", f"Origin: {bench.origin}",
        "--checks", CHECKS, "--phases", ",".join(PHASES).lower(), "--mode", "all",
        "--max-examples", str(examples), "--seed", "1", "--generation-database", "none", "--request-timeout", str(HANGS),
        "--suppress-health-check", "all", "--continue-on-failure", "--no-shrink", "--no-color",
    ]
    process = subprocess.Popen(command, cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    alarm = threading.Timer(HANGS, process.kill)
    alarm.start()
    said = []
    for line in process.stdout:
        sys.stdout.write(line)
        said.append(line)
    alarm.cancel()
    return process.wait(), "".join(said)


def complete(said: str, operations: int) -> bool:
    """Whether every operation was tried in every phase."""
    tried = f"Tested: {operations}\n" in said
    for phase in PHASES:
        found = re.search(rf"{phase} \(in [^)]*\)\n\n\s+\S+ (\d+) (?:passed|failed)([^\n]*)", said)
        tried &= found is not None and "skipped" not in found[2]
    return tried


def main() -> int:
    program = sys.argv[1]
    examples = int(sys.argv[2]) if len(sys.argv) > 2 else EXAMPLES
    home = Path(tempfile.mkdtemp(prefix="throng-api-"))
    bench = Workbench(program, home)
    try:
        description = aim(bench.ask("GET", "/api/openapi.json"), furnish(bench))
        operations = sum(len(item) for item in description["paths"].values())
        (home / "openapi.json").write_text(json.dumps(description))
        code, said = run(bench, home, examples)
        alive = bench.process.poll() is None and bench.ask("GET", "/api/session")["program"] == "throng"
        print("the server is still there" if alive else "the server is gone")
        whole = complete(said, operations)
        print(f"{operations} operations, {'each tried in every phase' if whole else 'some were not tried'}")
        return code if alive and whole else 1
    finally:
        bench.process.terminate()
        bench.process.wait()
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
