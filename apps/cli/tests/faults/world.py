"""A small world: an earlier release with its ledger, and what must hold of it after any fault."""

import os
import pathlib
import shutil
import subprocess

TRIPS = "subject,item\nanna,a\nbert,a\ncarl,b\ndora,b\nemil,c\nfritz,c\ngreta,d\nhanna,d\n"
PLACES = "item,x,y\na,0,0\nb,1,0\nc,10,0\nd,11,0\n"
# Everybody's record becomes the same: an earlier and a later release differ in their manifests only, and must be told apart all the same.
RELEASE = "anonymize trips.csv --places places.csv --method seqanon -k 8 -m 1 -o out --linkage who.csv --force".split()


class World:
    """A folder `home` with data and a release, and a folder `ledger` beside it."""

    def __init__(self, program, root):
        self.program, self.root = program, pathlib.Path(root)
        self.home, self.ledger = self.root / "home", self.root / "ledger"

    def begin(self):
        """Makes the data and the earlier release."""
        for folder in (self.home, self.ledger):
            folder.mkdir(parents=True)
        (self.home / "trips.csv").write_text(TRIPS)
        (self.home / "places.csv").write_text(PLACES)
        self.ok(*RELEASE)
        return self

    def copy_to(self, root):
        shutil.copytree(self.root, root)
        return World(self.program, root)

    def environment(self):
        return {"THRONG_LEDGER": str(self.ledger / "ledger.jsonl"), "RAYON_NUM_THREADS": "1", "PATH": os.environ["PATH"]}

    def run(self, *words, before=()):
        words = [*before, self.program, *words]
        return subprocess.run(words, cwd=self.home, env=self.environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)

    def ok(self, *words):
        ran = self.run(*words)
        assert ran.returncode == 0, f"{words}: {ran.returncode}\n{ran.stdout}{ran.stderr}"
        return ran.stdout

    def entries(self):
        file = self.ledger / "ledger.jsonl"
        return len(file.read_text().splitlines()) if file.exists() else 0

    def release(self):
        """Everything in the release, to tell the earlier from the later one."""
        return {path.name: path.read_bytes() for path in sorted((self.home / "out").iterdir())}

    def linkage(self):
        return (self.home / "who.csv").read_bytes()

    def hidden(self):
        """What is hidden beside the release and holds something."""
        hidden = [path for path in self.home.iterdir() if path.name.startswith(".")]
        return sorted(path.name for path in hidden if path.is_dir() or path.stat().st_size)

    def holds(self, earlier, what):
        """There is a release, it is whole, the ledger knows it, and the next run works and leaves nothing behind. `earlier` is
        what the release was before, and how many the ledger knew. Returns whether there is another one now."""
        assert (self.home / "out").is_dir(), f"{what}: there is no release"
        self.ok("verify", "out")
        if self.run("ledger", "check").returncode != 0:
            # A line that was cut off by a power failure is set aside by name, not passed over.
            self.ok("ledger", "check", "--mend")
        self.ok("ledger")
        later = self.release() != earlier[0]
        wanted = earlier[1] + later
        assert self.entries() == wanted, f"{what}: {self.entries()} entries in the ledger, not {wanted}"
        linked = self.linkage().decode()
        assert linked.startswith("record,subject\n") and len(linked.splitlines()) == 9, f"{what}: half a linkage"
        self.ok(*RELEASE)
        self.ok("verify", "out")
        self.ok("ledger", "check")
        assert self.entries() == wanted + 1, f"{what}: the next run is not in the ledger"
        assert not self.hidden(), f"{what}: {self.hidden()} is left"
        return later
