#!/usr/bin/env python3
"""Changes the code of a crate in one place at a time, and asks its tests and those of the papers whether they notice: `make mutants CRATE=models`.

    run.py CRATE [--only TEXT] [--again lived] [--own] [--built] [--tests NAMES] [--seconds S] [--share N]
    run.py CRATE --show lived                  what is known, without running anything

All mutants are built into one program (rewrite.py), which is why thousands of them can be tried: the crate is compiled a few times and not once for
each. A mutant that does not compile is dropped. Every test is then run alone, once, to see which places it comes by; a mutant is given to the
tests that come by its place, the quickest and those that caught its neighbours first, until one fails. Tests of a second or more may be left out at the end: a
mutant gets S seconds of tests, counted as they take without it. Random cases are as many as `make test` draws, from one seed.

What a mutant did, in target/mutants/CRATE/results.jsonl, one line each (the last one counts):
    caught         a test failed; or, where `by` ends in a remark, ran on without end (ten times the calls it makes otherwise, and a million) or died
    lived          all tests passed
    not reached    no test comes by
    not compiling  dropped
A run that is stopped goes on where it was. The score is caught / (caught + lived + not reached). Tests in documentation are not run.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

from rewrite import Mutant, Rewriter, test_modules

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = pathlib.Path(os.environ.get("THRONG_MUTANTS_DIR", ROOT / "target" / "mutants")).absolute()
TREE = WORK / "tree"
TOO_MANY = 86
MEMORY = 6 << 30


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("crate", help="a folder of crates/")
    parser.add_argument("--only", default="", help="mutants whose file and function contain this")
    parser.add_argument("--again", choices=["lived", "all"], help="try once more what lived or was not reached; or everything")
    parser.add_argument("--own", action="store_true", help="only the crate's own tests: to see whether new ones catch what lived")
    parser.add_argument("--tests", default="", help="only tests whose name contains one of these, with commas between: what they do not catch stays what it was")
    parser.add_argument("--built", action="store_true", help="the programs of the last time, and the code as it was then: go on without compiling")
    parser.add_argument("--seconds", type=float, default=20, help="of tests for a mutant")
    parser.add_argument("--share", type=float, default=1, help="of the mutants, drawn with a fixed seed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", metavar="STATE", help="print the mutants of a state and stop")
    arguments = parser.parse_args()
    crates = sorted(manifest.parent.name for manifest in ROOT.glob("crates/*/Cargo.toml"))
    if arguments.crate not in crates:
        parser.error(f"there is no crate `{arguments.crate}`: one of {', '.join(crates)}")
    known = Known(WORK / arguments.crate / "results.jsonl")
    if arguments.show:
        known.show(arguments.show, arguments.only)
        return known.score(arguments.only)
    last = WORK / arguments.crate / "built.json"
    if arguments.built and not last.exists():
        parser.error(f"nothing of `{arguments.crate}` is built yet: leave `--built` out")
    if not arguments.built:
        copy_tree()
        mutants = compiled(arguments.crate, known)
        programs = built(arguments.crate, arguments.own)
        last.write_text(json.dumps({"mutants": [vars(mutant) for mutant in mutants], "programs": programs}))
    kept = json.loads(last.read_text())
    mutants = [Mutant(**mutant) for mutant in kept["mutants"]]
    tests = recorded(arguments.crate, kept["programs"], arguments.tests.split(","), arguments.jobs)
    try_all(mutants, tests, known, arguments)
    known.score(arguments.only)


class Known:
    """What each mutant did, kept in a file of lines."""

    def __init__(self, path):
        self.path, self.of, self.lock = path, {}, threading.Lock()
        if path.exists():
            for line in path.read_text().splitlines():
                result = json.loads(line)
                self.of[result["key"]] = result

    def add(self, mutant, state, **more):
        result = {"key": mutant.key, "file": mutant.file, "line": mutant.line, "function": mutant.function, "change": mutant.change, "state": state, **more}
        with self.lock:
            self.of[mutant.key] = result
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a") as file:
                file.write(json.dumps(result) + "\n")

    def state(self, mutant):
        return self.of.get(mutant.key, {}).get("state")

    def keep(self, mutants):
        """Forgets mutants of code that is no longer there."""
        keys = {mutant.key for mutant in mutants}
        self.of = {key: result for key, result in self.of.items() if key in keys}

    def show(self, state, only):
        for result in sorted(self.of.values(), key=lambda result: (result["file"], result["line"])):
            if result["state"] == state and only in f"{result['file']} {result['function']}":
                print(f"{result['file']}:{result['line']} {result['function']}: {result['change']}" + (f"  [{result['left_out']} tests left out]" if result.get("left_out") else ""))

    def score(self, only):
        files = collections.defaultdict(collections.Counter)
        for result in self.of.values():
            if only in f"{result['file']} {result['function']}":
                files[result["file"]][result["state"]] += 1
                files["all"][result["state"]] += 1
        states = ["caught", "lived", "not reached", "not compiling"]
        print(f"{'':60}" + "".join(f"{state:>15}" for state in states) + f"{'score':>8}")
        for name in sorted(files, key=lambda name: (name == "all", name)):
            of = files[name]
            judged = sum(of[state] for state in states[:3])
            print(f"{name:60}" + "".join(f"{of[state]:15}" for state in states) + (f"{of['caught'] / judged:8.1%}" if judged else ""))


# The copy.

def copy_tree():
    """The working tree, changes that are not committed included. What is the same is not written, so that it is not compiled again."""
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    for name in names.decode().split("\0"):
        if name and (ROOT / name).is_file() and not name.startswith(("docs/", "apps/web/")):
            put(TREE / name, (ROOT / name).read_bytes())


def put(path, content):
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def sources(crate):
    """The crate's files without those that only tests have."""
    root = ROOT / "crates" / crate / "src"
    files, testing = sorted(root.rglob("*.rs")), []
    for file in files:
        folder = file.parent if file.name in ("lib.rs", "mod.rs") else file.with_suffix("")
        testing += [folder / name for name in test_modules(file.read_bytes())]
    return [file for file in files if not any(file.with_suffix("") == module or module in file.parents for module in testing)]


# Making it compile.

def compiled(crate, known):
    """Writes the rewritten crate, without the mutants that do not compile: they are found in a few rounds, since the compiler says some errors only
    when there are no others."""
    files = sources(crate)
    numbering = Rewriter()
    for file in files:
        numbering.rewrite(str(file.relative_to(ROOT / "crates" / crate)), file.read_bytes())
    mutants = numbering.mutants
    known.keep(mutants)
    dropped = {mutant.number for mutant in mutants if known.state(mutant) == "not compiling"}
    prepare_crate(crate)
    while True:
        spans = {}
        rewriter = Rewriter(dropped)
        for file in files:
            name = str(file.relative_to(ROOT / "crates" / crate))
            text, spans[name] = rewriter.rewrite(name, file.read_bytes())
            if name == "src/lib.rs":
                text += b"\n#[allow(missing_docs)]\npub mod mutant;\n"
            put(TREE / "crates" / crate / name, text)
        bad = errors(crate, spans)
        if not bad:
            break
        print(f"{len(bad)} mutants do not compile", flush=True)
        for number in sorted(bad):
            known.add(mutants[number], "not compiling")
        dropped |= bad
    print(f"{len(mutants)} mutants, {len(mutants) - len(dropped)} compile", flush=True)
    return [mutant for mutant in mutants if mutant.number not in dropped]


def prepare_crate(crate):
    folder = TREE / "crates" / crate
    put(folder / "src" / "mutant.rs", pathlib.Path(__file__).with_name("switch.rs").read_bytes())


def cargo(*arguments, **options):
    environment = {
        **os.environ, "CARGO_TARGET_DIR": str(WORK / "build"), "RUSTFLAGS": "--cap-lints=allow", "CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_INCREMENTAL": "0",
    }
    return subprocess.run(["cargo", *arguments, "--message-format=json"], cwd=TREE, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def errors(crate, spans):
    """The mutants in which the compiler finds errors."""
    run = cargo("check", "--package", f"throng-{crate}", "--lib", "--jobs", "2")
    if run.returncode == 0:
        return set()
    bad, elsewhere = set(), []
    for message in messages(run):
        for span in message.get("spans", []) if message["level"] == "error" else []:
            if not span["is_primary"]:
                continue
            name = span["file_name"].removeprefix(f"crates/{crate}/")
            around = [known for known in spans.get(name, []) if known.start <= span["byte_start"] and span["byte_end"] <= known.end]
            if around:
                bad |= set(min(around, key=lambda known: known.end - known.start).mutants)
            else:
                elsewhere.append(message["rendered"])
    if not bad:
        sys.exit("\n".join(elsewhere) or run.stderr)
    return bad


def messages(run):
    for line in run.stdout.splitlines():
        said = json.loads(line)
        if said.get("reason") == "compiler-message":
            yield said["message"]


# Tests.

class Test:
    """One test of one program, what it comes by and what it costs."""

    def __init__(self, program, folder, name):
        self.program, self.folder, self.name = program, folder, name
        self.places, self.calls, self.seconds = set(), 0, 0.0

    def run(self, limit, **environment):
        """The exit code, and the seconds of the processor: a busy machine must not look like a loop without end. After `limit` of them the
        test is ended."""
        environment = {
            **os.environ, "RAYON_NUM_THREADS": "1", "RUST_BACKTRACE": "0", "CARGO_MANIFEST_DIR": str(self.folder), "PROPTEST_RNG_SEED": "1",
            "PROPTEST_MAX_SHRINK_ITERS": "0", "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "1", **environment,
        }
        limited = ["sh", "-c", 'ulimit -t "$0"; exec "$@"', str(round(limit))]
        command = [*limited, str(self.program), "--exact", self.name, "--test-threads=1", "--quiet"]
        quiet = {name: subprocess.DEVNULL for name in ("stdin", "stdout", "stderr")}
        process = subprocess.Popen(command, cwd=self.folder, env=environment, **quiet)
        # A test that waits for something that never comes needs no processor.
        stop = threading.Timer(3600, process.kill)
        stop.start()
        _, status, usage = os.wait4(process.pid, 0)
        stop.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, usage.ru_utime + usage.ru_stime


def built(crate, own):
    """The programs of the crate's tests and of the papers', copied: the next crate's would be written over them."""
    others = [] if own else ["--package", "throng-papers"]
    run = cargo("test", "--no-run", "--package", f"throng-{crate}", *others, "--jobs", "2")
    if run.returncode:
        sys.exit("\n".join(message["rendered"] for message in messages(run)) or run.stderr)
    programs, keep = [], WORK / crate / "programs"
    shutil.rmtree(keep, ignore_errors=True)
    keep.mkdir(parents=True)
    for line in run.stdout.splitlines():
        said = json.loads(line)
        if said.get("reason") == "compiler-artifact" and said.get("executable") and said["profile"]["test"]:
            folder = pathlib.Path(said["manifest_path"]).parent
            program = keep / f"{folder.name}-{said['target']['name']}"
            shutil.copy2(said["executable"], program)
            programs.append((str(program), str(folder)))
    return programs


def recorded(crate, programs, wanted, jobs):
    """Every test, with what it comes by. Kept for programs that are the same."""
    kept_at = WORK / crate / "reached.json"
    kept = json.loads(kept_at.read_text()) if kept_at.exists() else {}
    tests, reached = [], {}

    def record(test, key):
        file = WORK / crate / f"reached-{threading.get_ident()}"
        file.write_text("")
        code, seconds = test.run(600, THRONG_MUTANT_REACHED=str(file))
        lines = file.read_text().splitlines()
        calls = max([int(line.split()[1]) for line in lines if line.startswith("calls")], default=0)
        return key, test, {"passes": code == 0, "seconds": seconds, "calls": calls, "places": [int(line) for line in lines if not line.startswith("calls")]}

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = []
        for program, folder in [(pathlib.Path(program), pathlib.Path(folder)) for program, folder in programs]:
            digest = hashlib.sha256(program.read_bytes()).hexdigest()
            for line in subprocess.run([program, "--list"], cwd=folder, capture_output=True, text=True).stdout.splitlines():
                name = line.removesuffix(": test")
                if name != line and any(part in f"{program.name} {name}" for part in wanted):
                    test = Test(program, folder, name)
                    key = f"{program.name} {test.name} {digest}"
                    waiting.append(pool.submit(lambda test=test, key=key: (key, test, kept[key]) if key in kept else record(test, key)))
        for future in waiting:
            key, test, result = future.result()
            reached[key] = result
            if not result["passes"]:
                print(f"left out, since it fails as it is: {test.program.name} {test.name}", flush=True)
                continue
            test.places, test.calls, test.seconds = set(result["places"]), result["calls"], result["seconds"]
            if test.places:
                tests.append(test)
    kept_at.write_text(json.dumps(kept | reached))
    print(f"{len(waiting)} tests, {len(tests)} of which come by; {sum(test.seconds for test in tests):.0f} s", flush=True)
    return tests


# Trying.

def try_all(mutants, tests, known, arguments):
    chosen = [mutant for mutant in mutants if arguments.only in f"{mutant.file} {mutant.function}"]
    random.Random(1).shuffle(chosen)
    chosen = chosen[:round(len(chosen) * arguments.share)]
    again = {None, "lived", "not reached"} if arguments.again == "lived" else {None}
    chosen = [mutant for mutant in chosen if arguments.again == "all" or known.state(mutant) in again]
    coming = collections.defaultdict(list)
    for test in tests:
        for number in test.places:
            coming[number].append(test)
    kills = collections.Counter()
    begin, done = time.monotonic(), 0
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def judge(mutant):
        nonlocal done
        reaching = coming[mutant.place]
        if reaching:
            state, more = tried(mutant, reaching, kills, arguments.seconds)
        else:
            state, more = "not reached", {}
        if state == "caught" or not arguments.tests:
            known.add(mutant, state, **more)
        done += 1
        if done % 100 == 0:
            print(f"{done} of {len(chosen)} after {time.monotonic() - begin:.0f} s", flush=True)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for _ in pool.map(judge, chosen):
            pass


def tried(mutant, tests, kills, budget):
    """Gives a mutant to its tests, those that are likely to catch it for little first."""
    def cost(test):
        return (test.seconds + 0.005) / (1 + kills[mutant.file, test] + 10 * kills[mutant.file, mutant.function, test])

    spent, left_out = 0.0, 0
    for test in sorted(tests, key=cost):
        if test.seconds >= 1 and spent + test.seconds > budget:
            left_out += 1
            continue
        spent += test.seconds
        code, _ = test.run(20 + 20 * test.seconds, THRONG_MUTANT=str(mutant.number), THRONG_MUTANT_CALLS=str(10 * test.calls + 1_000_000))
        if code != 0:
            kills[mutant.file, test] += 1
            kills[mutant.file, mutant.function, test] += 1
            remark = {101: "", TOO_MANY: " (too many calls)"}.get(code, " (too long)" if -code in (signal.SIGXCPU, signal.SIGKILL) else f" (code {code})")
            return "caught", {"by": f"{test.program.name} {test.name}{remark}"}
    return "lived", {"left_out": left_out} if left_out else {}


if __name__ == "__main__":
    os.nice(5)
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("stopped; what is known is kept, and the same command goes on")
