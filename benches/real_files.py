"""Opens every file of a folder of real data with `throng inspect FILE` alone, asks `throng recommend` for the best release of each for three goals, and
writes docs/REAL-FILES.md.

    python3 benches/real_files.py target/release/throng ../shared/data docs/REAL-FILES.md

The files are not part of the project; for other files give another folder: the tables then have those that are listed here and lie there.
"""

import json
import os
import pathlib
import resource
import shlex
import subprocess
import sys
import tempfile

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

# What a publisher would add to what was found, where it is not enough for a release.
CENSUS = ["--quasi", "sex,age,race,marital-status,education,native-country", "--sensitive-attribute", "salary-class"]
BESIDE = {
    "adult-arx/adult.csv.gz": [*CENSUS, "--hierarchies", "adult-arx"],
    "adult-arx/adult_subset.csv": [*CENSUS, "--hierarchies", "adult-arx"],
    "adult-uci/Adult_adult.data.gz": ["--quasi", "1,4,6,9,10,14", "--sensitive-attribute", "15"],
    "foursquare-nyc/foursquare_nyc_semantic_trajectories.csv.gz": ["--lat", "lat", "--lon", "lon", "--first-value"],
    "foursquare-nyc/tsmc2014_nyc_filtered/checkins.csv.gz": ["--lat", "lat", "--lon", "lon", "--first-value"],
}

# What must survive, in words and as flags: of events, and of a table.
GOALS = [
    ("patterns", ["--keep", "patterns"], None),
    ("counts", ["--keep", "counts"], ["--keep", "counts"]),
    ("truthful rows", ["--truthful"], ["--truthful"]),
]

# How long one goal of one file may take, in seconds, and flags that bound the work otherwise than usual.
PATIENCE = int(os.environ.get("THRONG_PATIENCE", "150"))
BOUNDS = []


def best_releases(program, folder, name, answer, shelf):
    """The best release for each goal with both verdicts, in words; `-` where the goal means nothing for such data."""
    flags = BESIDE.get(name, [])
    data = [name, *answer["found"]["flags"], *flags]
    if "prepare" in answer:
        made = pathlib.Path(shelf) / name.replace("/", "-")
        found = [made.as_posix() if word == "prepared" else word for word in shlex.split(answer["prepare"])[1:]]
        ran = subprocess.run([program, *found], cwd=folder, capture_output=True, text=True)
        if ran.returncode:
            return [f"`throng prepare` stops: {said(ran)}"] * len(GOALS)
        data = [str(made / "events.csv"), "--places", str(made / "places.csv")]
    elif answer.get("kind") == "set" and "fimi" not in data:
        data.append("--sets")
    table = "table" in answer
    told = []
    for _, events, rows in GOALS:
        keep = rows if table else events
        told.append("-" if keep is None else best_release(program, folder, [*data, *keep]))
    return told


def best_release(program, folder, arguments):
    """What `throng recommend` says of a goal, in a few words."""
    line = [program, "recommend", *arguments, "--attacker-knows", "2", "-k", "5", *BOUNDS, "--json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        ran = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return f"no answer in {PATIENCE} s"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return f"{in_words(ran)} [{spent:.0f} s]"


def in_words(ran):
    """What was found, and how good it is."""
    if not ran.stdout.strip():
        return said(ran)
    found = json.loads(ran.stdout)
    if found["chosen"]:
        return f"{promise(found)} {verdict(found['chosen'])}"
    near = found.get("nearest")
    kept = [trial for trial in found["on_all"] or found["trials"] if "kept" in trial]
    if near and near["best"]:
        first = f"; {near['coarse']}" if near.get("coarse") else ""
        known = f", m={near['known']}" if "known" in near else ""
        return f"nothing useful keeps `{found['promise']}`; nearest: k={near['crowd']}{known}{first}, {verdict(near['best'])}"
    if kept:
        return f"nothing useful: {promise(found)} {verdict(kept[0])}"
    return f"nothing keeps `{found['promise']}`"


def promise(found):
    return f"`{found.get('kept_promise') or found['promise']}` holds,"


def verdict(trial):
    """Method and grade, and what is left."""
    kept = trial["kept"]
    left = ", ".join(f"{share['share']:.0%} of {share['what']}" for share in kept["survived"])
    return f"`{trial['method']}`: **{kept['grade']}** ({left})"


def said(ran):
    """The first line of an error."""
    lines = [line.split(": ", 1)[1] for line in ran.stderr.splitlines() if line.startswith("error: ")]
    return lines[0] if lines else f"exit {ran.returncode}"


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
    program, folder = str(pathlib.Path(program).resolve()), pathlib.Path(folder).resolve()
    rows, commands, notes, best = [], [], [], []
    shelf = tempfile.TemporaryDirectory()
    opened = 0
    for name, what, no_person in FILES:
        path = pathlib.Path(folder) / name
        if not path.exists():
            continue
        answer, question = inspect(program, path)
        opened += answer is not None
        rows.append(row(name, what, answer, question))
        if answer:
            told = best_releases(program, folder, name, answer, shelf.name)
            best.append(f"| `{name}` | " + " | ".join(told) + " |")
            print(best[-1], flush=True)
        line = command(name, answer)
        if line:
            commands.append(line)
        if no_person and question:
            notes.append(f"* `{name}`: {no_person}.")
    text = f"""# Real files

What `throng inspect FILE` makes of files that were written for something else, in their original form and without a flag: {opened} of {len(rows)} open, the
others stop with a question. Made by `python3 benches/real_files.py target/release/throng ../shared/data docs/REAL-FILES.md`; the files are not part of the project.

| file | what it is | opens as | what was found |
| --- | --- | --- | --- |
""" + "\n".join(rows) + "\n"
    if notes:
        text += "\n" + "\n".join(notes) + "\n"
    text += f"""
## The best release for three goals

What `throng recommend FILE --attacker-knows 2 -k 5` finds: five people who fit any two events of a person (of a table: the quasi-identifying columns; the sensitive column
is also `l-diverse`, with `-l 2`), with the usual `--effort`. Methods are tried on 2,000 people at most, and the best two run on all. Both verdicts are those of the release of all people: whether
the promise holds, by its own checker, and whether it is still of use (`throng methods usefulness`), with what is left.

* *patterns* (`--keep patterns`): what many people do, in which order or together, up to three events;
* *counts* (`--keep counts`): how many people were here and there, or did this and that;
* *truthful rows* (`--truthful`): the events as they happened (of a table: what cells say), nothing made up, no counts in place of records.

In brackets behind a cell: seconds on a processor, with reading, for one answer.

| file | patterns | counts | truthful rows |
| --- | --- | --- | --- |
""" + "\n".join(best) + "\n"
    beside = "\n".join(f"* `{name}`: `{shlex.join(flags)}`" for name, flags in BESIDE.items())
    text += f"\nGiven besides what was found:\n\n{beside}\n* points: events and places of `throng prepare` with the cell size that it chose\n"
    text += "\n## Commands\n\nEverything that was found, said:\n\n```sh\n" + "\n".join(commands) + "\n```\n"
    pathlib.Path(target).write_text(text)
    print(f"{opened} of {len(rows)} open; wrote {target}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
