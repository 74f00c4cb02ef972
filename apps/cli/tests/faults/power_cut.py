"""Cuts the power after every write of a run, and looks at what the disk holds then.

The calls of one run that replaces a release are recorded. A model of a file system replays them: what was written is in memory until it
is synced, and so are the names in a folder. After each call the disk may hold different things, and all of these are made as folders:

* everything (the process was killed),
* all names, but of each file only what was synced,
* all names, and of each file half of what was not synced,
* only what was synced of the names, too.

In each of them the program must find a whole release, earlier or later, that the ledger knows, and the next run must work.
"""

import ast
import pathlib
import re
import shutil
import sys
import tempfile

from world import RELEASE, World

CALLS = "openat,write,writev,pwrite64,fsync,fdatasync,rename,renameat,renameat2,mkdir,mkdirat,unlink,unlinkat,rmdir,ftruncate,close"
CALLS += ",link,linkat,copy_file_range,sendfile,symlink,symlinkat,dup,dup3,fcntl"


class Node:
    """A file or a folder: what it holds, and what of that is on the disk."""

    def __init__(self, holds):
        self.holds, self.synced = holds, type(holds)()

    def is_folder(self):
        return isinstance(self.holds, dict)

    def sync(self):
        self.synced = self.holds.copy() if self.is_folder() else self.holds


class Disk:
    """The folders of a world, by path."""

    def __init__(self, root):
        self.root, self.top = pathlib.Path(root), self.load(pathlib.Path(root))
        self.open = {}

    def load(self, path):
        """Everything that is there at the start is on the disk."""
        node = Node({entry.name: self.load(entry) for entry in path.iterdir()} if path.is_dir() else path.read_bytes())
        node.sync()
        return node

    def parts(self, path):
        path = pathlib.PurePath(path)
        if self.root not in path.parents and path != self.root:
            return None
        return [part for part in path.relative_to(self.root).parts if part != "."]

    def find(self, path):
        node = self.top
        for part in self.parts(path) or []:
            node = node.holds.get(part) if node and node.is_folder() else None
        return node

    def parent(self, path):
        path = pathlib.PurePath(path)
        return self.find(path.parent), path.name

    def apply(self, call, words, result):
        """One call; whether it changed anything."""
        inside = [word for word in words if isinstance(word, str) and self.parts(word) is not None]
        if call == "openat":
            if not inside:
                self.open.pop(result, None)
                return False
            folder, name = self.parent(inside[0])
            flags = words[2]
            fresh = name not in folder.holds if self.parts(inside[0]) else False
            if fresh:
                folder.holds[name] = Node(b"")
            node = self.find(inside[0])
            if "O_TRUNC" in flags:
                node.holds = b""
            self.open[result] = [node, 0, "O_APPEND" in flags]
            return fresh or "O_TRUNC" in flags
        if call == "close":
            self.open.pop(words[0], None)
            return False
        if call in ("rename", "renameat", "renameat2") and len(inside) == 2:
            (a, one), (b, other) = map(self.parent, inside)
            if any("RENAME_EXCHANGE" in word for word in words if isinstance(word, str)):
                a.holds[one], b.holds[other] = b.holds[other], a.holds[one]
            else:
                b.holds[other] = a.holds.pop(one)
            return True
        if call in ("mkdir", "mkdirat") and inside:
            folder, name = self.parent(inside[0])
            folder.holds[name] = Node({})
            return True
        if call in ("unlink", "rmdir") and inside:
            folder, name = self.parent(inside[0])
            del folder.holds[name]
            return True
        if call == "unlinkat":
            # A folder is emptied through its own number.
            folder = self.open[words[0]][0] if words[0] in self.open and not words[1].startswith("/") else None
            folder, name = (folder, words[1]) if folder else self.parent(words[1])
            del folder.holds[name]
            return True
        handle = self.open.get(words[0]) if words else None
        if handle is None:
            return False
        node = handle[0]
        if call == "write":
            data = words[1][:result]
            at = len(node.holds) if handle[2] else handle[1]
            node.holds = node.holds[:at] + data + node.holds[at + len(data):]
            handle[1] = at + len(data)
            return True
        if call == "ftruncate":
            node.holds = node.holds[:words[1]]
            return True
        if call in ("fsync", "fdatasync"):
            node.sync()
            return True
        assert call in ("fcntl",), f"the model does not know `{call}` of {words}"
        return False

    def states(self):
        """What the disk may hold if the power goes now, by name, each as paths with bytes (or nothing, for a folder)."""
        def half(node):
            return node.synced + node.holds[len(node.synced):][:(len(node.holds) - len(node.synced)) // 2]

        return {
            "killed": self.tree(lambda node: node.holds, lambda node: node.holds),
            "data lost": self.tree(lambda node: node.holds, lambda node: node.synced),
            "data torn": self.tree(lambda node: node.holds, half),
            "names lost": self.tree(lambda node: node.synced, lambda node: node.synced),
        }

    def tree(self, names, data):
        found = {}

        def walk(node, path):
            if node.is_folder():
                found[path] = None
                for name, below in names(node).items():
                    walk(below, f"{path}/{name}")
            else:
                found[path] = data(node)

        walk(self.top, "")
        return found


def record(world, log):
    """The calls of one run, in their order, of all its threads."""
    watch = ["strace", "-ff", "-ttt", "-xx", "-s", "10000000", "-o", str(log), "-e", f"trace={CALLS}"]
    ran = world.run(*RELEASE, before=watch)
    assert ran.returncode == 0, ran.stderr
    calls = []
    for file in log.parent.glob(f"{log.name}.*"):
        for line in file.read_text().splitlines():
            found = re.match(r"([\d.]+) (\w+)\((.*)\)\s+= (-?\d+)", line)
            if found and not found[4].startswith("-"):
                calls.append((float(found[1]), found[2], words(found[3]), int(found[4])))
    calls.sort(key=lambda call: call[0])
    return [call[1:] for call in calls]


def words(text):
    """The arguments of a call: numbers, texts and bytes."""
    given = []
    for text_, word in re.findall(r'"((?:[^"\\]|\\.)*)"(?:\.\.\.)?|([^,"\s][^,"]*)', text):
        if word:
            given.append(int(word) if re.fullmatch(r"-?\d+", word.strip()) else word.strip())
        else:
            given.append(ast.literal_eval(f'b"{text_}"'))
    return given


def named(call, given, home):
    """Bytes that are paths, as such."""
    if call in ("write", "pwrite64", "writev"):
        return given
    def path(word):
        text = word.decode()
        return text if call == "unlinkat" and "/" not in text else str(pathlib.PurePath(home) / text)
    return [path(word) if isinstance(word, bytes) else word for word in given]


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        first = World(program, folder / "first").begin()
        earlier = (first.release(), first.entries())
        world = first.copy_to(folder / "recorded")
        disk = Disk(world.root)
        seen, cuts, later = set(), 0, 0
        calls = record(world, folder / "calls")
        # Every disk is made in the same place: the ledger knows releases by their paths.
        done = folder / "done"
        world.root.rename(done)
        for number, (call, given, result) in enumerate(calls):
            if not disk.apply(call, named(call, given, world.home), result):
                continue
            cuts += 1
            for name, state in disk.states().items():
                key = frozenset(state.items())
                if key in seen:
                    continue
                seen.add(key)
                later += look(program, world.root, state, earlier, f"{name} after call {number} ({call})")
        final = disk.tree(lambda node: node.holds, lambda node: node.holds)
        assert final == Disk(done).tree(lambda node: node.holds, lambda node: node.holds), "the model went astray"
        on_disk = disk.tree(lambda node: node.synced, lambda node: node.synced)
        assert on_disk["/home/out/manifest.json"] == (done / "home/out/manifest.json").read_bytes(), \
            "the run said that it was done before its release was on the disk"
        print(f"{cuts} power cuts, {len(seen)} different disks: {len(seen) - later} with the earlier release, {later} with the later one")


def look(program, root, state, earlier, what):
    shutil.rmtree(root, ignore_errors=True)
    for path, data in state.items():
        place = pathlib.Path(f"{root}{path}")
        if data is None:
            place.mkdir(parents=True)
        else:
            place.write_bytes(data)
            place.chmod(0o600)
    return World(program, root).holds(earlier, what)


if __name__ == "__main__":
    main(sys.argv[1])
