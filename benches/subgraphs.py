"""Frequent subgraphs: citeseer with and without each optimisation, against a grow-and-store miner, graphs of the shapes of GraMi's paper,
and how much an approximation finds.

    python3 benches/subgraphs.py citeseer|grow|shapes|alpha|growth  [THRONG] [GROW_AND_STORE]

Every run may take 60 seconds of processor time, all threads together, and 4 GB. Tables are printed as they stand in docs/BENCHMARKS.md.
GROW_AND_STORE is `rustc -O benches/grow_and_store.rs`.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
THRONG = sys.argv[2] if len(sys.argv) > 2 else str(ROOT / "target/release/throng")
GROW = sys.argv[3] if len(sys.argv) > 3 else str(ROOT / "target/grow_and_store")
CITESEER = os.environ.get("CITESEER", str(ROOT / "../shared/data/graphs/citeseer.lg"))
LIMIT = 60
MEMORY = 4 << 30

OPTIMISATIONS = ["push-down", "unique-labels", "automorphisms", "lazy-search", "decomposition", "look-ahead"]

# Nodes, edges, labels and skew of labels, and the supports that are tried one after the other.
SHAPES = {
    "MiCo": (100_000, 1_080_298, 29, 1.0, [20_000, 15_000, 12_000, 11_000, 10_000]),
    "Aviation": (101_185, 133_087, 6_173, 1.0, [1_000, 300, 100, 30, 20, 15, 10]),
    "Patents": (3_900_000, 16_500_000, 453, 1.0, [200_000, 100_000, 85_000, 70_000]),
}


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run(*command):
    """Standard output, processor seconds, and the most bytes in memory; no output where the limits ended it."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, preexec_fn=limited)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = status
        out.seek(0)
        text = out.read().decode() if status == 0 else None
    return text, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def mine(graph, support, *flags):
    text, seconds, memory = run(THRONG, "mine", "subgraphs", str(graph), "--min-support", str(support), "--json", *flags)
    return (json.loads(text) if text else None), seconds, memory


def said(found, seconds):
    return f"{seconds:.2f}" if found else f"not in {LIMIT}"


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def citeseer():
    row("support", "patterns", "largest", "all", *(f"without {name}" for name in OPTIMISATIONS))
    row(*["---:"] * (4 + len(OPTIMISATIONS)))
    hopeless = set()
    for support in [300, 280, 270, 260, 256, 255, 253, 252, 251, 250]:
        found, seconds, _ = mine(CITESEER, support, "--ignore-edge-labels")
        patterns = len(found["patterns"]) if found else "–"
        largest = max((len(one["edges"]) for one in found["patterns"]), default=0) if found else "–"
        rest = []
        for name in OPTIMISATIONS:
            # What did not end at a higher support does not end at this one.
            if name in hopeless:
                rest.append(said(None, 0))
                continue
            without, took, _ = mine(CITESEER, support, "--ignore-edge-labels", "--without", name)
            if not without:
                hopeless.add(name)
            assert not (found and without) or found["patterns"] == without["patterns"] or len(found["patterns"]) == len(without["patterns"])
            rest.append(said(without, took))
        row(support, patterns, largest, said(found, seconds), *rest)
        if not found:
            break


def grow():
    row("support", "patterns", "throng", "MB", "grow and store", "MB", "times as long")
    row(*["---:"] * 7)
    for support in [400, 300, 290, 280, 260, 255]:
        found, seconds, memory = mine(CITESEER, support, "--ignore-edge-labels")
        text, took, stored = run(GROW, CITESEER, str(support))
        assert not (found and text) or text.startswith(f"{len(found['patterns'])} patterns")
        times = f"{took / seconds:.0f}" if text else f"more than {took / seconds:.0f}"
        row(support, len(found["patterns"]) if found else "–", said(found, seconds), memory >> 20, said(text, took) if text else "not in 60 s and 4 GB", stored >> 20, times)


def generated(name, edges=None):
    nodes, all_edges, labels, skew, _ = SHAPES[name]
    directory = Path(tempfile.gettempdir()) / f"throng-{name}-{edges or all_edges}"
    if not directory.exists():
        share = (edges or all_edges) / all_edges
        subprocess.run(
            [THRONG, "generate", "graph", "-o", directory, "--nodes", str(int(nodes * share)), "--edges", str(edges or all_edges),
             "--labels", str(labels), "--skew", str(skew), "--motifs", "0"],
            check=True, capture_output=True,
        )
    return directory / "graph.lg", edges or all_edges


def shapes():
    row("shape", "nodes", "edges", "labels", "support", "patterns", "largest", "processor s", "bytes an edge")
    row("---", *["---:"] * 8)
    for name, (nodes, _, labels, _, supports) in SHAPES.items():
        graph, edges = generated(name)
        for support in supports:
            found, seconds, memory = mine(graph, support, "--max-edges", "8")
            patterns = len(found["patterns"]) if found else "–"
            largest = max((len(one["edges"]) for one in found["patterns"]), default=0) if found else "–"
            row(name, f"{nodes:,}", f"{edges:,}", labels, f"{support:,}", patterns, largest, said(found, seconds), f"{memory / edges:.0f}")
            if not found:
                break
        graph.unlink()
        for file in graph.parent.iterdir():
            file.unlink()
        graph.parent.rmdir()


def growth():
    row("edges", "support", "patterns", "processor s", "MB")
    row(*["---:"] * 5)
    for part in [8, 4, 2, 1]:
        edges = SHAPES["MiCo"][1] // part
        graph, _ = generated("MiCo", edges)
        found, seconds, memory = mine(graph, 16_000 // part, "--max-edges", "8")
        row(f"{edges:,}", f"{16_000 // part:,}", len(found["patterns"]) if found else "–", said(found, seconds), memory >> 20)


def alpha():
    row("support", "alpha", "patterns", "recall", "given up", "processor s")
    row(*["---:"] * 6)
    for support in [270, 260, 255]:
        exact, seconds, _ = mine(CITESEER, support, "--ignore-edge-labels")
        if not exact:
            continue
        row(support, "exact", len(exact["patterns"]), "100%", "", said(exact, seconds))
        known = {json.dumps([one["nodes"], one["edges"]]) for one in exact["patterns"]}
        for value in ["0.1", "0.01", "0.001", "0.0001"]:
            found, seconds, _ = mine(CITESEER, support, "--ignore-edge-labels", "--alpha", value)
            there = {json.dumps([one["nodes"], one["edges"]]) for one in found["patterns"]}
            assert there <= known, "no false positives"
            share = found["timed_out"] / max(1, found["searches"])
            row(support, value, len(there), f"{len(there) / len(known):.0%}", f"{share:.1%}", said(found, seconds))


if __name__ == "__main__":
    {"citeseer": citeseer, "grow": grow, "shapes": shapes, "alpha": alpha, "growth": growth}[sys.argv[1]]()
