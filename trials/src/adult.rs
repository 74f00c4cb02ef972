//! Incognito on a table with hierarchies, against every combination of levels: `throng-trials adult DIR`.
//!
//! The directory holds `adult_subset.csv`, perhaps `adult.csv.gz`, and `adult_hierarchy_COLUMN.csv` for every column: the census
//! table as ARX publishes it, fields separated by semicolons. Nothing but the files' text is used here: levels are the names on a
//! hierarchy's line, groups are rows with the same names.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use rayon::prelude::*;
use throng_contract::{Progress, Settings};
use throng_data::formats::Source;
use throng_data::{
    Column, ColumnValues, Dataset, Dictionary, Hierarchy, Inputs, RecodedColumn, RecodedTable, Role, Table,
};
use throng_methods::{Task, find};

const SIZES: [u64; 4] = [2, 5, 10, 100];
/// The budget as typed, and as a fraction of rows.
const BUDGETS: [(&str, u64, u64); 2] = [("0", 0, 1), ("4%", 4, 100)];
const METRICS: [&str; 4] = ["ncp", "dm", "c-avg", "height"];

/// A column: what each row is called on each level, coded, and what a name costs.
struct Levels {
    name: String,
    /// The name of each row on each level, as a number.
    rows: Vec<Vec<u32>>,
    /// The share of leaves below each name; 0 for leaves.
    losses: HashMap<String, f64>,
    /// The names themselves, by level and number.
    names: Vec<Vec<String>>,
}

/// Compares for every k, budget and metric, and prints a line each; whether all agree.
pub fn adult(directory: &Path) -> Result<bool, String> {
    let mut agree = true;
    for file in ["adult_subset.csv", "adult.csv.gz"] {
        let path = directory.join(file);
        if path.exists() {
            agree &= table(directory, &path).map_err(|error| format!("{file}: {error}"))?;
        }
    }
    Ok(agree)
}

fn text(path: &Path) -> Result<String, String> {
    let mut stream = Source::file(path).open().map_err(|error| error.to_string())?;
    let bytes = stream.read_all().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

fn table(directory: &Path, path: &Path) -> Result<bool, String> {
    let mut out = io::stdout();
    let mut say = |line: String| {
        let _ = writeln!(out, "{line}");
    };
    let began = Instant::now();
    let text_of = text(path)?;
    let mut lines = text_of.lines();
    let header: Vec<&str> = lines.next().ok_or("no header")?.split(';').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(';').collect()).collect();
    let (mut columns, mut levels, mut inputs) = (Vec::new(), Vec::new(), Inputs::default());
    for (at, name) in header.iter().enumerate() {
        let hierarchy = text(&directory.join(format!("adult_hierarchy_{name}.csv")))?;
        let paths: Vec<Vec<&str>> = hierarchy.lines().map(|line| line.split(';').collect()).collect();
        let cells: Vec<&str> = rows.iter().map(|row| row[at]).collect();
        levels.push(Levels::new(name, &paths, &cells)?);
        let tree = Hierarchy::from_paths(paths.iter().map(|path| path.iter().copied()));
        inputs.hierarchies.insert((*name).to_owned(), tree.map_err(|error| error.to_string())?);
        let mut values = Dictionary::new();
        let codes = cells.iter().map(|cell| values.intern(cell)).collect();
        let role = Some(Role::QuasiIdentifying);
        columns.push(Column {
            name: (*name).to_owned(),
            role,
            values: ColumnValues::Categories { values, codes },
        });
    }
    let people: Vec<String> = (0..rows.len()).map(|row| row.to_string()).collect();
    let data = Dataset::from_table(people.iter().map(String::as_str).collect(), Table { columns });
    say(format!("{}: {} rows, read in {:.0?}", path.display(), rows.len(), began.elapsed()));

    let began = Instant::now();
    let best = exhaustive(&levels, rows.len());
    let nodes: usize = levels.iter().map(|column| column.rows.len()).product();
    say(format!("all {nodes} combinations of levels in {:.1?}", began.elapsed()));

    let method = find("incognito").ok_or("there is no incognito")?;
    let mut agree = true;
    for ((k, budget, metric), expected) in best {
        let given =
            [("k", k.to_string()), ("max-suppressed", budget.to_owned()), ("metric", metric.to_owned())];
        let given = given.iter().map(|(name, value)| (*name, value.as_str()));
        let settings = Settings::parse(method.descriptor(), given).map_err(|error| error.to_string())?;
        let progress = Progress::silent();
        let task = Task { inputs: &inputs, ..Task::new(&data, &settings, &progress) };
        let began = Instant::now();
        let outcome = method.anonymize(&task).map_err(|error| error.to_string())?;
        let took = began.elapsed();
        let released = outcome.release.table().ok_or("no table")?;
        let found = cost(&levels, released, rows.len(), k, metric)?;
        let same = (found - expected).abs() <= 1e-9 * expected.max(1.0);
        agree &= same;
        let word = if same { "equal" } else { "DIFFERENT" };
        say(format!(
            "k {k:>3}  suppressed {budget:>2}  {metric:<6}  best {expected:.6}  found {found:.6}  {word}  in {took:.0?}"
        ));
    }
    Ok(agree)
}

impl Levels {
    fn new(name: &str, paths: &[Vec<&str>], cells: &[&str]) -> Result<Levels, String> {
        let of: HashMap<&str, &Vec<&str>> = paths.iter().map(|path| (path[0], path)).collect();
        let height = paths.iter().map(Vec::len).max().unwrap_or(0);
        if paths.iter().any(|path| path.len() != height) {
            return Err(format!("the hierarchy of `{name}` is uneven"));
        }
        let mut below: HashMap<String, f64> = HashMap::new();
        for path in paths {
            let mut names = path.clone();
            names.dedup();
            names.iter().for_each(|name| *below.entry((*name).to_owned()).or_default() += 1.0);
        }
        let leaf = |name: &str| of.contains_key(name);
        let losses = below
            .iter()
            .map(|(name, count)| (name.clone(), if leaf(name) { 0.0 } else { count / paths.len() as f64 }));
        let losses = losses.collect();
        let (mut rows, mut names) = (Vec::new(), Vec::new());
        for level in 0..height {
            let mut known: Vec<String> = Vec::new();
            let mut number_of: HashMap<&str, u32> = HashMap::new();
            let mut coded = Vec::with_capacity(cells.len());
            for cell in cells {
                let path =
                    of.get(cell).ok_or_else(|| format!("`{cell}` is not in the hierarchy of `{name}`"))?;
                coded.push(*number_of.entry(path[level]).or_insert_with(|| {
                    known.push(path[level].to_owned());
                    known.len() as u32 - 1
                }));
            }
            rows.push(coded);
            names.push(known);
        }
        Ok(Levels { name: name.to_owned(), rows, losses, names })
    }
}

type Best = BTreeMap<(u64, &'static str, &'static str), f64>;

/// The least cost of all combinations of levels, for every k, budget and metric.
fn exhaustive(levels: &[Levels], rows: usize) -> Best {
    let nodes: usize = levels.iter().map(|column| column.rows.len()).product();
    let least = |mut a: Best, b: Best| {
        for (key, cost) in b {
            let known = a.entry(key).or_insert(f64::INFINITY);
            *known = known.min(cost);
        }
        a
    };
    (0..nodes).into_par_iter().map(|node| costs(levels, rows, node)).reduce(Best::new, least)
}

/// What a combination of levels costs, wherever it keeps the promise.
fn costs(levels: &[Levels], rows: usize, mut node: usize) -> Best {
    let vector: Vec<usize> = levels
        .iter()
        .map(|column| {
            let level = node % column.rows.len();
            node /= column.rows.len();
            level
        })
        .collect();
    let mut keys = vec![0_u64; rows];
    let mut loss = vec![0.0_f64; rows];
    for (column, level) in levels.iter().zip(&vector) {
        let names = &column.names[*level];
        let losses: Vec<f64> = names.iter().map(|name| column.losses[name]).collect();
        for ((key, loss), code) in keys.iter_mut().zip(&mut loss).zip(&column.rows[*level]) {
            *key = *key * names.len() as u64 + u64::from(*code);
            *loss += losses[*code as usize] / levels.len() as f64;
        }
    }
    let mut groups: HashMap<u64, (u64, f64)> = HashMap::new();
    for (key, loss) in keys.iter().zip(&loss) {
        let group = groups.entry(*key).or_default();
        *group = (group.0 + 1, group.1 + loss);
    }
    // By size, so that sums do not depend on the order of a hash table.
    let mut groups: Vec<(u64, f64)> = groups.into_values().collect();
    groups.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let (mut best, n) = (Best::new(), rows as f64);
    for k in SIZES {
        let kept = &groups[groups.partition_point(|(size, _)| *size < k)..];
        let left: u64 = kept.iter().map(|(size, _)| size).sum();
        let gone = rows as u64 - left;
        for (budget, part, whole) in BUDGETS {
            if gone * whole > part * rows as u64 {
                continue;
            }
            let ncp = (kept.iter().map(|(_, loss)| loss).sum::<f64>() + gone as f64) / n;
            let dm = kept.iter().map(|(size, _)| (size * size) as f64).sum::<f64>() + n * gone as f64;
            let average = n / (kept.len() as f64 * k as f64);
            let height = vector.iter().sum::<usize>() as f64;
            for (metric, cost) in METRICS.into_iter().zip([ncp, dm, average, height]) {
                best.insert((k, budget, metric), cost);
            }
        }
    }
    best
}

/// What a release costs, read off its cells.
fn cost(levels: &[Levels], table: &RecodedTable, rows: usize, k: u64, metric: &str) -> Result<f64, String> {
    let mut groups: HashMap<Vec<u32>, u64> = HashMap::new();
    let (mut gone, mut loss) = (0, 0.0);
    let columns = levels.len() as f64;
    for row in 0..rows {
        if table.is_suppressed(row) {
            gone += 1;
            continue;
        }
        *groups.entry(table.columns.iter().map(|column| column.cells[row]).collect()).or_default() += 1;
        for (column, levels) in table.columns.iter().zip(levels) {
            let cell = column.cover(row).render();
            let lost = levels
                .losses
                .get(&cell)
                .ok_or_else(|| format!("`{cell}` is no name of `{}`", levels.name))?;
            loss += lost / columns;
        }
    }
    if let Some(small) = groups.values().find(|size| **size < k) {
        return Err(format!("a group of {small}"));
    }
    let n = rows as f64;
    Ok(match metric {
        "dm" => groups.values().map(|size| (size * size) as f64).sum::<f64>() + n * f64::from(gone),
        "c-avg" => n / (groups.len() as f64 * k as f64),
        "height" => {
            table.columns.iter().zip(levels).map(|(column, levels)| levels.level(column, table, rows)).sum()
        }
        _ => (loss + f64::from(gone)) / n,
    })
}

impl Levels {
    /// The lowest level that gives the cells of a column.
    fn level(&self, column: &RecodedColumn, table: &RecodedTable, rows: usize) -> f64 {
        let fits = |level: &usize| {
            let names = &self.names[*level];
            let mut shown = (0..rows).filter(|row| !table.is_suppressed(*row));
            shown.all(|row| column.cover(row).render() == names[self.rows[*level][row] as usize])
        };
        (0..self.rows.len()).find(fits).map_or(f64::INFINITY, |level| level as f64)
    }
}
