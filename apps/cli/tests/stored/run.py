"""Runs stored commands with the program and compares what they give with what they gave before.

    python3 apps/cli/tests/stored/run.py target/debug/throng             compares
    python3 apps/cli/tests/stored/run.py target/debug/throng --update    stores what this program gives

`releases.txt` has a line for each run: exit code, what was run, and a fingerprint for every file with data in the release; of
the manifest, for its numbers, names and keys. Sentences (notes, the report) may be reworded without a change here.
`commands.txt` has the exit code and the keys of the JSON of each command.
"""

import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cases
import world

HERE = Path(__file__).parent
SALT = "5a" * 32
# Depend on the machine, the day or the version of the program.
PASSING = {"throng", "version", "created", "took", "seconds", "timings", "bytes", "sha256", "path", "file", "digest", "program"}


def start(program, line, folder):
    environment = {"THRONG_LEDGER": str(folder / "ledger.jsonl"), "PATH": os.environ["PATH"], "HOME": str(folder)}
    return subprocess.run(
        [program, *shlex.split(line)], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=1200
    )


def short(data):
    return hashlib.sha256(data).hexdigest()[:16]


def facts(value):
    """Keys, numbers and names of a JSON value; sentences are left out."""
    if isinstance(value, dict):
        return {key: facts(inner) for key, inner in sorted(value.items()) if key not in PASSING}
    if isinstance(value, list):
        return [facts(inner) for inner in value]
    if isinstance(value, str) and " " in value:
        return "a sentence"
    return value


def keys(value, prefix=""):
    """The paths of all keys of a JSON value; elements of a list share theirs."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield prefix + key
            yield from keys(inner, f"{prefix}{key}.")
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner, prefix + "[].")


def release(program, line):
    """One stored run, in a folder of its own."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        world.write(folder)
        ran = start(program, f"anonymize {line} -o release --salt {SALT} --no-ledger --no-advice --quiet", folder)
        files = []
        for path in sorted((folder / "release").glob("*")) if ran.returncode == 0 else []:
            if path.name == "manifest.json":
                text = json.dumps(facts(json.loads(path.read_text())), sort_keys=True)
                files.append(f"{path.name}:{short(text.encode())}")
            elif path.suffix != ".html":
                files.append(f"{path.name}:{short(path.read_bytes())}")
        linkage = folder / "linkage.csv"
        if linkage.exists():
            files.append(f"linkage:{short(linkage.read_bytes())}")
        return " ".join([str(ran.returncode), " ".join(line.split()), "|", *files])


def command(program, line, prepared):
    """The exit code and the keys of one command."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        subprocess.run(["cp", "-r", f"{prepared}/.", home], check=True)
        ran = start(program, f"{line} --json", folder)
        try:
            printed = " ".join(sorted(set(keys(json.loads(ran.stdout)))))
        except ValueError:
            printed = "(no JSON)"
        return f"{ran.returncode} {line} | {printed}"


def main():
    program, update = os.path.abspath(sys.argv[1]), "--update" in sys.argv[2:]
    failed = False
    with ThreadPoolExecutor(os.cpu_count()) as pool, tempfile.TemporaryDirectory() as prepared:
        folder = Path(prepared)
        world.write(folder)
        for name, line in cases.PREPARED.items():
            ran = start(program, f"anonymize {line} -o {name} --salt {SALT} --quiet", folder)
            assert ran.returncode == 0, (name, ran.stderr.decode())
        found = {
            "releases.txt": list(pool.map(lambda line: release(program, line), cases.releases())),
            "commands.txt": list(pool.map(lambda line: command(program, line, prepared), cases.COMMANDS)),
        }
    for name, lines in found.items():
        stored = HERE / name
        if update:
            stored.write_text("".join(line + "\n" for line in lines))
            continue
        before = {line.split(" |")[0].split(" ", 1)[1]: line for line in stored.read_text().splitlines()}
        now = {line.split(" |")[0].split(" ", 1)[1]: line for line in lines}
        for case in [*before, *(case for case in now if case not in before)]:
            if before.get(case) != now.get(case):
                failed = True
                print(f"{name}: differs\n  before: {before.get(case)}\n  now:    {now.get(case)}", file=sys.stderr)
        print(f"{name}: {len(lines)} compared")
    sys.exit(failed)


if __name__ == "__main__":
    main()
