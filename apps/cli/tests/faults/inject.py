"""Makes each call of a run to the system fail in turn, as a broken or full disk does, and looks at what is left.

A run replaces a release. For every call that writes, syncs, makes, renames or removes, and each time it is made, one run is told by
the system that it failed. Whatever the run says, a whole release is there, earlier or later, the ledger knows it, and the next run works.
"""

import pathlib
import re
import shutil
import sys
import tempfile

from world import RELEASE, World

CALLS = {
    "write": "ENOSPC", "fsync": "EIO", "rename": "EIO", "renameat": "EIO", "renameat2": "EIO", "mkdir": "ENOSPC", "unlink": "EIO", "unlinkat": "EIO",
    "flock": "ENOLCK", "getdents64": "EIO", "openat": "EMFILE",
}


def main(program):
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        first = World(program, folder / "first").begin()
        earlier = (first.release(), first.entries())
        for call, error in CALLS.items():
            number, later = 0, 0
            while True:
                number += 1
                world = first.copy_to(folder / "world")
                log = folder / "log"
                inject = ["strace", "-f", "-qq", "-o", str(log), "-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={number}"]
                ran = world.run(*RELEASE, before=inject)
                if "(INJECTED)" not in log.read_text(errors="replace"):
                    shutil.rmtree(world.root)
                    break
                what = f"{call} fails the {number}. time ({error})"
                said = ran.stdout + ran.stderr
                assert "this is a bug" not in said and ran.returncode >= 0, f"{what}: {said}"
                # The system's loader, which finds no library, has words of its own.
                loader = re.search(r"error while loading shared libraries", said)
                assert ran.returncode == 0 or loader or "error: " in said or call == "write", f"{what}: {ran.returncode} {said}"
                later += world.holds(earlier, what)
                failed += 1
                shutil.rmtree(world.root)
            print(f"  {call}: failed at each of {number - 1} calls; {later} releases were made all the same")
    print(f"{failed} injected failures: every release is whole and in the ledger, and every next run works")


if __name__ == "__main__":
    main(sys.argv[1])
