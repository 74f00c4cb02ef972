"""Opens every file of a folder of real data with `throng inspect FILE` alone, and writes docs/REAL-FILES.md.

    python3 benches/real_files.py target/release/throng ../shared/data docs/REAL-FILES.md

The files are not part of the project; whoever has others gives another folder, and gets the table of those that are listed here and there.
"""

import json
import pathlib
import shlex
import subprocess
import sys

# Files that hold people, with what they are; the rest of the folder is maps, lists and graphs.
FILES = [
    ("adult-arx/adult.csv.gz", "census, a row a person", None),
    ("adult-arx/adult_subset.csv", "census, a part of it", None),
    ("adult-uci/Adult_adult.data.gz", "census without a header", None),
    ("cabspotting/cabs_sf_20080608.csv.gz", "positions of cabs", None),
    ("eventlogs/sepsis.csv.gz", "hospital log", None),
    ("foursquare-nyc/foursquare_nyc_semantic_trajectories.csv.gz", "check-ins in trips", None),
    ("foursquare-nyc/tsmc2014_nyc_filtered/checkins.csv.gz", "check-ins, a ten-core", None),
    ("geolife/geolife_sample.txt.gz", "GPS of two people", None),
    ("msnbc/msnbc990928.seq.xz", "categories of pages, in order", None),
    ("pathways/US_flights_train.ngram.gz", "itineraries of flights", None),
    ("pathways/tube_od.csv.gz", "trips counted by origin and destination", "counts of trips: no row is a person or an event of one"),
    ("raw-trajectories/vehicles.csv.gz", "positions of trucks and buses", None),
    ("spmf-sequences/BMS2.txt.gz", "clicks in a shop", None),
    ("spmf-sequences/LEVIATHAN.txt.gz", "words of a book", None),
    ("spmf-sequences/MSNBC.txt.gz", "categories of pages, a part", None),
    ("spmf-sequences/SIGN.txt.gz", "signs", None),
    ("transactions-arules/Groceries_Groceries.data.gz", "baskets as a matrix of counts", None),
    ("transactions-fimi/BMS1.dat.gz", "clicks in a shop, as sets", None),
]


def inspect(program, path):
    """What the program finds: its answer, or its question."""
    ran = subprocess.run([program, "inspect", str(path), "--json"], capture_output=True, text=True)
    if ran.returncode == 0:
        return json.loads(ran.stdout), None
    lines = [line.split(": ", 1)[1] for line in ran.stderr.splitlines() if line.startswith(("error: ", "help: "))]
    return None, (ran.returncode, lines)


def roles_of(answer):
    """The columns that were taken, in words."""
    roles = answer["shape"]["roles"]
    return ", ".join(f"{role} `{name}`" for role, name in roles.items() if name)


def row(name, what, answer, question):
    """One line of the table."""
    if question:
        code, lines = question
        asked = lines[0].split("`: ", 1)[-1] if lines else ""
        return f"| `{name}` | {what} | stops (exit {code}) | {asked} |"
    if "prepare" in answer:
        found = answer["found"]
        columns = [f"{c['role']} `{c['name']}`" for c in found["columns"] if c["role"] not in ("none", "attribute")]
        return f"| `{name}` | {what} | points | {', '.join(columns)} |"
    if "table" in answer:
        table = answer["table"]
        return f"| `{name}` | {what} | a table | {table['people']:,} people, {len(table['columns'])} columns |"
    kind = {"sequence": "sequences", "set": "sets"}.get(answer["kind"], answer["kind"])
    sizes = f"{answer['subjects']:,} people, {answer['items']:,} items, {answer['events']:,} events"
    roles = roles_of(answer)
    return f"| `{name}` | {what} | {kind} | {sizes}{'; ' + roles if roles else ''} |"


def command(name, answer):
    """What to type next."""
    if answer is None:
        return None
    if "prepare" in answer:
        return answer["prepare"].replace(answer["source"], name)
    flags = answer["found"]["flags"]
    if not flags:
        return f"throng inspect {name}"
    return " ".join(["throng inspect", name, *map(shlex.quote, flags)])


def main(program, folder, target):
    """Runs all of it."""
    rows, commands, notes = [], [], []
    opened = 0
    for name, what, nobody in FILES:
        path = pathlib.Path(folder) / name
        if not path.exists():
            continue
        answer, question = inspect(program, path)
        opened += answer is not None
        rows.append(row(name, what, answer, question))
        line = command(name, answer)
        if line:
            commands.append(line)
        if nobody and question:
            notes.append(f"* `{name}`: {nobody}.")
    text = f"""# Real files

What `throng inspect FILE` makes of files that were written for something else, in their original form and without a flag: {opened} of {len(rows)} open, the
others stop with a question. Made by `python3 benches/real_files.py target/release/throng ../shared/data docs/REAL-FILES.md`; the files are not part of the project.

| file | what it is | opens as | what was found |
| --- | --- | --- | --- |
""" + "\n".join(rows) + "\n"
    if notes:
        text += "\n" + "\n".join(notes) + "\n"
    text += "\nThe same with everything said that was found:\n\n```sh\n" + "\n".join(commands) + "\n```\n"
    pathlib.Path(target).write_text(text)
    print(f"{opened} of {len(rows)} open; wrote {target}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
