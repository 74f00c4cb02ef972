"""Sends signals at every call of a run to the system, one run a call.

A run that replaces a release, with a linkage, a kept run and an internal report, gets SIGINT as it makes its n-th call of a kind, and in a second
round another one at the call behind it. Either everything is as it was (exit code 130, or the signal itself before the run listens), or everything is
there (exit code 0): the release, its linkage, its line in the ledger, the kept run and the internal report.
"""

import pathlib
import shutil
import sys
import tempfile

from world import RELEASE, World

CALLS = ["openat", "write", "fsync", "rename", "renameat2", "mkdir", "unlink", "unlinkat"]
BESIDE = ["internal.html", "kept"]
RUN = [*RELEASE, "--internal-report", "internal.html", "--keep-run", "kept"]


def judge(world, earlier, code, what):
    """Whether the run has finished."""
    beside = [name for name in BESIDE if (world.home / name).exists()]
    later = world.release() != earlier[0]
    if code == 0:
        assert later and beside == BESIDE, f"{what}: exit code 0 with {beside}, another release: {later}"
    else:
        assert code in (130, -2), f"{what}: exit code {code}"
        assert not later and not beside, f"{what}: exit code {code} with {beside}, another release: {later}"
        assert world.linkage() == earlier[2], f"{what}: exit code {code}, and another linkage"
    assert code < 0 or not world.hidden(), f"{what}: {world.hidden()} is left"
    world.holds(earlier[:2], what)
    return later


def main(program):
    sent = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        first = World(program, folder / "first").begin()
        earlier = (first.release(), first.entries(), first.linkage())
        for call in CALLS:
            number, finished = 0, 0
            while True:
                number += 1
                codes = []
                for times in (1, 2):
                    world = first.copy_to(folder / "world")
                    log = folder / "log"
                    when = f"{number}..{number + times - 1}"
                    inject = ["strace", "-f", "-qq", "-o", str(log), "-e", f"trace={call}", "-e", f"inject={call}:signal=SIGINT:when={when}"]
                    ran = world.run(*RUN, before=inject)
                    came = "--- SIGINT" in log.read_text(errors="replace")
                    if came:
                        sent += 1
                        finished += judge(world, earlier, ran.returncode, f"{call} {number}, {times} signals: {ran.stderr}")
                    codes.append(came)
                    shutil.rmtree(world.root)
                if not all(codes):
                    break
            print(f"  {call}: signals at each of {number - 1} calls; {finished} runs had finished")
    print(f"{sent} runs with signals: each has finished whole, or left everything as it was")


if __name__ == "__main__":
    main(sys.argv[1])
