"""What is run: releases over all methods, forms and formats, and commands whose exit codes and keys must stay."""

SEQUENCES = "events.csv"
SETS = "wide.csv --sets --wide items"
TABLE = "table.csv --id id --quasi age,town,job --sensitive-attribute illness"
HIERARCHIES = "--hierarchy age=age.csv --hierarchy town=town.csv --hierarchy job=job.csv"
MIXED = "events.csv --records people.csv --role age=quasi-identifying --role town=quasi-identifying"
MIXED_SETS = MIXED + " --sets"

# Method: data it takes, inputs, several settings.
METHODS = {
    "seqanon": (SEQUENCES, "--places places.csv", ["-k 3 -m 2", "-k 5 -m 1", "-k 3 -m 2 --distance single", "-k 2 -m 3 --no-apriori"]),
    "sd-seqanon": (SEQUENCES, "--taxonomy taxonomy.csv", ["-k 3 -m 2", "-k 4 -m 2 --places places.csv"]),
    "u-seqanon": (SEQUENCES, "--places places.csv --constraints constraints.txt", ["-k 3 -m 2 --max-suppressed 50%", "-k 2 -m 2 --max-suppressed 100%"]),
    "zga": (SEQUENCES, "--places places.csv --sensitive sensitive.txt", ["-k 3 -m 2 -l 2", "-k 3 -m 2 -l 2 --clusters 3", "-k 2 -m 2 -l 2 --form count"]),
    "sga": (SEQUENCES, "--places places.csv --sensitive sensitive.txt", ["-k 3 -m 2 -l 2", "-k 3 -m 2 -l 2 --clusters 2 --itineraries 4"]),
    "lkc": (SEQUENCES + " --resolve-ties first", "", ["--L 1 --K 3 --C 60%", "--L 2 --K 2 --C 100% --score 2", "--L 1 --K 3 --C 50% --records people.csv --sensitive-values illness=flu"]),
    "lkc-local": (SEQUENCES + " --resolve-ties first", "", ["--L 1 --K 3 --C 60%", "--L 2 --K 2 --C 100% --loss patterns"]),
    "bf-p2ka": (SEQUENCES, "", ["-k 2 --max-suppressed 100%", "-k 3 --max-suppressed 100%"]),
    "mi-bottom-up": (SEQUENCES, "--taxonomy taxonomy.csv --patterns patterns.txt", ["--epsilon 0.3", "--epsilon 0.5 --unit bits --cost iloss --window 2", "--epsilon 0.3 --person-patterns own-patterns.csv"]),
    "mi-top-down": (SEQUENCES, "--taxonomy taxonomy.csv --patterns patterns.txt", ["--epsilon 0.3", "--epsilon 0.5 --window 2 --only hide"]),
    "suppress": (SEQUENCES, "", ["-k 3 -m 2 --max-suppressed 100%", "-k 3 -m 2 --scope global --max-suppressed 100%"]),
    "lm-suppress": (SEQUENCES, "--sensitive sensitive.txt", ["-k 3 -m 2 -l 2 --max-suppressed 100%", "-k 2 -m 1 -l 2 --form count --max-suppressed 100%"]),
    "ngrams": (SEQUENCES, "--alphabet alphabet.txt", ["--epsilon 2 --seed 9876543210123", "--epsilon 5 --sampler grams --seed 9876543210123"]),
    "apriori": (SETS, "--taxonomy taxonomy.csv", ["-k 3 -m 2", "-k 5 -m 3"]),
    "da": (SETS, "--taxonomy taxonomy.csv", ["-k 3 -m 2"]),
    "oa": (SETS, "--taxonomy taxonomy.csv", ["-k 3 -m 2"]),
    "lra": (SETS, "", ["-k 3 -m 2 --part-size 30", "-k 3 -m 2 --part-size 20 --taxonomy taxonomy.csv"]),
    "vpa": (SETS, "--taxonomy taxonomy.csv", ["-k 3 -m 2", "-k 3 -m 2 --level 2"]),
    "lm-apriori": (SETS, "--taxonomy taxonomy.csv --sensitive sensitive.txt", ["-k 3 -m 2 -l 2"]),
    "lm-da": (SETS, "--taxonomy taxonomy.csv --sensitive sensitive.txt", ["-k 3 -m 2 -l 2"]),
    "lm-oa": (SETS, "--taxonomy taxonomy.csv --sensitive sensitive.txt", ["-k 3 -m 2 -l 2"]),
    "lm-lra": (SETS, "--taxonomy taxonomy.csv --sensitive sensitive.txt", ["-k 3 -m 2 -l 2 --part-size 30"]),
    "lm-vpa": (SETS, "--taxonomy taxonomy.csv --sensitive sensitive.txt", ["-k 3 -m 2 -l 2"]),
    "coat": (SETS, "--policy policy.txt --constraints constraints.txt", ["-k 10 --max-suppressed 50%"]),
    "pcta": (SETS, "", ["-k 5 --policy policy.txt", "-k 5 -m 2"]),
    "diffpart": (SETS, "--alphabet alphabet.txt", ["--epsilon 5 --seed 9876543210123"]),
    "disassociation": (SETS, "", ["-k 3 -m 2", "-k 3 -m 2 --max-cluster 12 --no-refine", "-k 2 -m 2 -l 2 --sensitive sensitive.txt"]),
    "incognito": (TABLE, HIERARCHIES, ["-k 5", "-k 3 -l 2 --max-suppressed 10% --metric dm"]),
    "mondrian": (TABLE, "", ["-k 5", "-k 5 --relaxed", "-k 5 -l 2 --bounds tight", "-k 5 -t 50%"]),
    "top-down": (TABLE, HIERARCHIES, ["-k 5", "-k 4 -l 2 --class illness"]),
    "bottom-up": (TABLE, HIERARCHIES, ["-k 5", "-k 4 -l 2"]),
    "cluster": (TABLE, "", ["-k 5", "-k 5 -l 2 --hierarchy town=town.csv", "-k 4 --range age=0..120"]),
    "rum-bound": (MIXED_SETS, "--taxonomy taxonomy.csv", ["-k 3 -m 2 --delta 50%", "-k 3 -m 2 --delta 50% --relational mondrian --merge t"]),
    "tum-bound": (MIXED_SETS, "--taxonomy taxonomy.csv", ["-k 3 -m 2 --delta 50%"]),
    "lm-rum-bound": (MIXED_SETS, "--taxonomy taxonomy.csv --sensitive sensitive.txt", ["-k 3 -m 2 -l 2 --delta 50%"]),
    "lm-tum-bound": (MIXED_SETS, "--taxonomy taxonomy.csv --sensitive sensitive.txt", ["-k 3 -m 2 -l 2 --delta 50%"]),
    "rfirst": (MIXED_SETS, "", ["-k 3 -m 2", "-k 3 -m 2 --transaction lra"]),
    "tfirst": (MIXED_SETS, "", ["-k 3 -m 2 --group-size 20"]),
    "counts": (SEQUENCES, "", ["-k 3", "-k 3 --tables visits --bin 4", "-k 2 --moves ends"]),
    "dp-counts": (SEQUENCES, "--alphabet alphabet.txt", ["--epsilon 5 --seed 9876543210123", "--epsilon 5 --cells 4 --tables visits --seed 9876543210123"]),
}

# Ways to write a release.
WRITTEN = ["", "--format parquet", "--spell-out --spreadsheet-safe"]

# The same trips in every form of file, with one method.
FORMS = [
    "tabs.tsv", "dates.csv", "events.csv.gz", "events.jsonl", "wide.csv --wide items", "lines.txt --input-format lines",
    "trips.spmf", "events.csv --no-time", "events.csv --subject record", "baskets.dat --input-format fimi",
]

# Columns beside events, a linkage, sequences with columns, other sets of columns of a table.
FURTHER = [
    "events.csv --method suppress -k 3 -m 1 --max-suppressed 100% --records people.csv --publish job --role job=insensitive --accept-exposed-columns",
    "events.csv --method suppress -k 3 -m 1 --max-suppressed 100% --records people.csv --publish job --role job=insensitive --accept-exposed-columns --format parquet",
    "events.csv --method seqanon -k 3 -m 2 --places places.csv --linkage linkage.csv",
    "table.csv --id id --quasi age --sensitive-attribute illness --method mondrian -k 5 --linkage linkage.csv",
    MIXED + " --method rfirst -k 3 -m 1 --sequential suppress --max-suppressed 100%",
    MIXED + " --method rum-bound -k 3 -m 1 --sequential suppress --max-suppressed 100% --delta 50%",
    MIXED + " --method tfirst -k 3 -m 1 --sequential suppress --max-suppressed 100% --format parquet",
    "gaps.csv --id id --quasi age,town --sensitive-attribute illness --method mondrian -k 5",
    "gaps.csv --id id --quasi age,town --sensitive-attribute illness --method cluster -k 5 -l 2 --missing value",
    "gaps.csv --id id --quasi age,town --method top-down -k 5",
    "table.csv --id - --quasi town,job --sensitive-attribute illness --method mondrian -k 3",
    "table.csv --id id --quasi age,town --sensitive-attribute illness --method mondrian -k 5 --publish job --role job=insensitive --accept-exposed-columns",
    "events.csv --method counts -k 3 --sets",
    "dates.csv --method counts -k 3 --bin 3600",
    "dates.csv --method lkc --L 1 --K 3 --C 60% --resolve-ties first",
    "events.csv --method seqanon -k 60 -m 3 --places places.csv --allow-empty --infeasible truncate",
    "events.csv --method suppress -k 5 -m 2 --max-suppressed 100% --no-map --no-advice",
    "lines.txt --input-format lines --sets --method apriori -k 3 -m 2",
    "baskets.dat --input-format fimi --method disassociation -k 3 -m 2",
    "baskets.dat --input-format fimi --method pcta -k 3 -m 2",
]

# Exit code and JSON keys of everything a script may rely on. `release` and `sets`, `rows`, `chunks`, `counted`, `both` are made first.
PREPARED = {
    "release": "events.csv --method seqanon -k 3 -m 2 --places places.csv --linkage link.csv",
    "coarse": "events.csv --method seqanon -k 9 -m 2 --places places.csv",
    "sets": SETS + " --method apriori -k 3 -m 2 --taxonomy taxonomy.csv",
    "rows": TABLE + " --method mondrian -k 5",
    "chunks": SETS + " --method disassociation -k 3 -m 2",
    "counted": "events.csv --method counts -k 3",
    "both": MIXED_SETS + " --method rfirst -k 3 -m 2",
}

COMMANDS = [
    "methods", "methods seqanon", "methods km", "methods ncp", "methods nosuch", "methods usefulness",
    "inspect events.csv", "inspect tabs.tsv", "inspect wide.csv", "inspect table.csv", "inspect table.csv --input-format table", "inspect lines.txt --input-format lines",
    "inspect trips.spmf", "inspect baskets.dat", "inspect events.jsonl", "inspect events.csv --records people.csv",
    "inspect bad.csv", "inspect empty.csv", "inspect nosuch.csv", "inspect events.csv --subject nosuch", "inspect events.csv --time item", "inspect events.csv --known 2",
    "inspect places.csv", "inspect events.csv --limit nosuch=1",
    "verify release", "verify release --promise km -k 3 -m 2", "verify release --promise km -k 3 -m 2 --list 3",
    "verify release --promise km -k 90 -m 2", "verify rows --promise k -k 5", "verify rows", "verify rows --promise k -k 50", "verify chunks", "verify counted",
    "verify both", "verify sets", "verify nosuch", "verify release --promise nosuch", "verify release --promise km -k 0", "verify events.csv --promise km -k 3 -m 2",
    "measure events.csv release", "measure events.csv release --measure shape", "measure events.csv release --measure nosuch", "measure table.csv rows --id id --quasi age,town,job --sensitive-attribute illness", "measure table.csv rows --id id",
    "measure wide.csv sets --sets --wide items --measure utility-loss", "measure wide.csv chunks --sets --wide items", "measure events.csv counted",
    "measure events.csv release --places places.csv --measure distance", "measure events.csv release --measure patterns --min-support 5%",
    "attack events.csv --release release", "attack events.csv --release release --known 2", "attack events.csv", "attack table.csv --release rows --id id --quasi age,town,job", "attack events.csv --know 'bank > cafe'",
    "attack events.csv --release nosuch", "attack table.csv --id id --quasi age,town,job", "attack wide.csv --release sets --sets --wide items", "attack events.csv --release release --times exact --known 1",
    "mine patterns events.csv --min-support 5%", "mine closed events.csv --min-support 5%", "mine itemsets wide.csv --sets --wide items --min-support 5%",
    "mine nosuch events.csv", "mine patterns events.csv --min-support 0", "mine subgraphs graph.lg --min-support 2",
    "workload events.csv --queries 5", "workload table.csv --id id --quasi age,town --queries 5",
    "hierarchy table.csv --column age --by width", "hierarchy table.csv --column town --by frequency", "hierarchy table.csv --column age --by nosuch", "taxonomy events.csv --by name", "taxonomy events.csv --by frequency", "constraints events.csv --by frequency",
    "policy wide.csv --sets --wide items --derive km", "policy wide.csv --sets --wide items --show policy.txt", "ledger", "ledger list", "ledger check", "ledger show 1", "ledger show 99", "ledger attack release coarse", "ledger attack release coarse --original events.csv",
    "recommend events.csv --places places.csv --attacker-knows 1 --keep counts", "recommend events.csv --promise km -k 3 -m 1", "recommend table.csv --id id --quasi age,town --sensitive-attribute illness",
    "reconstruct chunks -o drawn --count 1", "report release -o again.html", "generate city -o made --subjects 50", "generate baskets -o made-baskets --subjects 50",
    "generate nosuch -o made", "compare", "compare compare.toml -o compared", "prepare events events.csv -o coarse-events --max-length 2", "prepare graph events.csv -o graph -k 3", "anonymize", "anonymize events.csv", "anonymize events.csv --method nosuch -o x", "anonymize events.csv --method seqanon -o x",
    "anonymize events.csv --method seqanon --places places.csv -k 0 -o x", "anonymize events.csv --method seqanon --places places.csv -k 5 -m 99 -o x",
    "anonymize events.csv --method seqanon --places places.csv -k 500 -m 2 -o x", "anonymize events.csv --method mondrian -k 5 -o x", "anonymize table.csv --method seqanon -o x",
    "anonymize events.csv --method counts -k 3 --linkage l.csv -o x", "anonymize wide.csv --sets --wide items --method disassociation -k 3 -m 2 --format parquet -o x",
    "anonymize wide.csv --sets --wide items --method disassociation -k 3 -m 2 --linkage l.csv -o x", "anonymize events.csv --method counts -k 3 --records people.csv --publish job -o x",
    "anonymize events.csv --method suppress -k 80 -m 2 --max-suppressed 100% -o x", "anonymize events.csv --method ngrams --epsilon 1 --alphabet alphabet.txt --seed 1 -o x",
    "anonymize events.csv --method seqanon --places nosuch.csv -k 3 -m 2 -o x", "anonymize events.csv --method seqanon --places places.csv -k 3 -m 2 -o release",
    "anonymize bad.csv --method counts -k 3 -o x", "anonymize empty.csv --method counts -k 3 -o x", "anonymize events.csv --method ngrams --epsilon 1 --alphabet alphabet.txt --linkage l.csv -o x",
    "anonymize events.csv --records people.csv --publish age,town,job --method suppress -k 3 -m 1 --max-suppressed 100% -o x", "anonymize events.csv --method suppress -k 3 -m 2 --L 4 -o x",
    "anonymize events.csv --method seqanon --places places.csv -k 3 -m 2 --variant as-printed -o x", "anonymize events.csv --method seqanon --places places.csv -k 3 -m 2 -o y --salt 12",
    "anonymize events.csv --method seqanon --places places.csv -k 3 -m 2 -o z --format xml", "anonymize --recipe nosuch.toml -o x", "nosuch", "anonymize events.csv --nosuch",
]


def releases():
    """The command lines of all stored runs."""
    for method, (data, inputs, settings) in METHODS.items():
        for setting in settings:
            for written in WRITTEN:
                yield f"{data} --method {method} {inputs} {setting} {written}"
        yield f"{data} --method {method} {inputs} {settings[0]} --variant as-printed"
    for form in FORMS:
        yield f"{form} --method suppress -k 3 -m 1 --max-suppressed 100%"
        yield f"{form} --method counts -k 3"
    yield from FURTHER
