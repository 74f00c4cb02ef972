//! Lets attackers loose on data, on a release of them, or on a release alone.
//!
//! The answers speak of single people and rare patterns. They are the publisher's, and are written nowhere.

mod beside;
mod stage;
mod wishes;

use std::path::PathBuf;

use serde::Serialize;
use throng_contract::{Class, Failure, Help, Progress, Settings, did_you_mean, help};
use throng_data::formats::{Source, TimeReader};
use throng_data::{Dictionary, EventKind, RecodedTable};
use throng_measure::attack::table::{CellClue, Risks, Subset, TableScene, attack_table, play_table, subsets};
use throng_measure::attack::{
    self, ATTACKER, AttackResult, Attacker, Clue, Knowledge, MAX_KNOWN, Plan, Played, Scene, Together,
    attack_together,
};

use self::stage::Stage;
use throng_data::load::Files;

/// What is attacked, and by whom.
#[derive(Debug, Clone)]
pub struct Attacking {
    /// The data as [`Files::data`], or a release directory to be attacked alone; with what tells secrets.
    pub files: Files,
    /// A release of the data.
    pub release: Option<PathBuf>,
    /// Which record of the release is whose.
    pub linkage: Option<Source>,
    /// A second release of the same people, which has columns, and whose record is whose there: what both say of a person is taken together.
    pub beside: Option<(PathBuf, Source)>,
    /// The attacker and the plan as a user types them, by the names of [`ATTACKER`]. Without a word on what attackers
    /// know, several of them come.
    pub settings: Vec<(String, String)>,
    /// Seed of every random choice.
    pub seed: u64,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Attacked {
    /// How many people `below` counts.
    pub below: u32,
    /// What `confident` counts.
    pub confidence: f64,
    /// One entry for each attacker.
    pub attackers: Vec<AttackedBy>,
    /// Of a table: what columns give away together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<Columns>,
    /// Of events with columns that may be known: what both give away together, by how many columns are known, from none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<KnownTogether>,
    /// How far the answers can be relied on.
    pub notes: Vec<String>,
}

/// What an attacker who knows so many columns, and some events besides, can do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KnownTogether {
    /// How many columns are known.
    pub columns: u64,
    /// With the data as they are: a point for each number of known events, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<AttackResult>,
    /// With the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<AttackResult>,
}

/// What one attacker can do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttackedBy {
    /// Who.
    pub attacker: Attacker,
    /// What they know, in plain words.
    pub knows: String,
    /// With the data as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<AttackResult>,
    /// With the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<AttackResult>,
}

/// What the quasi-identifying columns of a table give away together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Columns {
    /// In the data as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Side>,
    /// In the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Side>,
}

/// The same of the data, or of the release.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    /// The risks from an attacker who knows all columns; none without people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risks: Option<Risks>,
    /// Sets of columns, the most telling first.
    pub subsets: Vec<Subset>,
}

/// Sets of up to so many columns are looked at by themselves.
const LARGEST_SUBSET: usize = 3;

/// What one query of an attacker tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answered {
    /// What is known, as typed.
    pub known: Vec<String>,
    /// How: in order, with times.
    pub attacker: Attacker,
    /// In the data as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Played>,
    /// In the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Played>,
    /// How far the answers can be relied on.
    pub notes: Vec<String>,
}

/// Attacks.
pub fn attack(attacking: &Attacking, progress: &Progress) -> Result<Attacked, Failure> {
    let settings = settings_of(attacking)?;
    let stage = Stage::set(attacking, attack::Asked::of(&settings).worlds, progress)?;
    let plan = Plan::of(&settings);
    let of_knowledge = |name: &str| Knowledge::ALL.iter().any(|setting| setting.name == name);
    let told = attacking.settings.iter().any(|(name, _)| of_knowledge(name));
    let attackers = if told { vec![Attacker::of(&settings)] } else { Attacker::panel(stage.known_events()) };
    refuse_without_times(&stage, attackers.iter().any(|attacker| attacker.times.is_some()))?;
    let kind = stage.known_events().kind();
    if kind == EventKind::Absent {
        return attack_columns(&stage, &attackers, &plan, attacking.seed, progress);
    }
    let notes = stage.notes.clone();
    let together = match attackers.first() {
        Some(attacker) if stage.worlds().is_empty() => {
            columns_and_events(&stage, attacker, &plan, attacking.seed, progress)?
        }
        _ => Vec::new(),
    };
    let run = |scene: &Scene<'_>, attacker: &Attacker| {
        attack::attack(scene, attacker, &plan, attacking.seed, progress)
    };
    let (before, after, worlds) = (stage.before(), stage.after(), stage.worlds());
    let mut answers = Vec::new();
    for attacker in attackers {
        let over_worlds = || attack::attack_worlds(&worlds, &attacker, &plan, attacking.seed, progress);
        answers.push(AttackedBy {
            attacker,
            knows: attacker.in_words(kind),
            before: before.as_ref().map(|scene| run(scene, &attacker)).transpose()?,
            after: match &after {
                Some(_) if !worlds.is_empty() => Some(over_worlds()?),
                after => after.as_ref().map(|scene| run(scene, &attacker)).transpose()?,
            },
        });
    }
    Ok(Attacked {
        below: plan.below,
        confidence: plan.confidence.to_f64(),
        attackers: answers,
        columns: None,
        together,
        notes,
    })
}

/// Attackers who know columns and events of a person; none where no column may be known.
fn columns_and_events(
    stage: &Stage,
    attacker: &Attacker,
    plan: &Plan,
    seed: u64,
    progress: &Progress,
) -> Result<Vec<KnownTogether>, Failure> {
    let run = |scene: Option<Scene<'_>>, table: Option<TableScene>| match (scene, table) {
        (Some(scene), Some(table)) if table.columns() > 0 => {
            attack_together(&scene, &table, attacker, plan, seed, progress)
        }
        _ => Ok(Vec::new()),
    };
    let (before, after) =
        (run(stage.before(), stage.table_before())?, run(stage.after(), stage.table_after())?);
    let mut answers: Vec<KnownTogether> = Vec::new();
    for (found, is_before) in [(before, true), (after, false)] {
        for Together { columns, attack } in found {
            let place = answers.iter().position(|answer| answer.columns == columns);
            let place = place.unwrap_or_else(|| {
                answers.push(KnownTogether { columns, before: None, after: None });
                answers.len() - 1
            });
            *(if is_before { &mut answers[place].before } else { &mut answers[place].after }) = Some(attack);
        }
    }
    Ok(answers)
}

/// Attacks a table: attackers know cells of a person's row.
fn attack_columns(
    stage: &Stage,
    attackers: &[Attacker],
    plan: &Plan,
    seed: u64,
    progress: &Progress,
) -> Result<Attacked, Failure> {
    let (before, after) = (stage.table_before(), stage.table_after());
    let mut answers = Vec::new();
    for attacker in attackers {
        let run = |scene: &TableScene| attack_table(scene, attacker, plan, seed, progress);
        answers.push(AttackedBy {
            attacker: *attacker,
            knows: attacker.in_words(EventKind::Absent),
            before: before.as_ref().map(run).transpose()?,
            after: after.as_ref().map(run).transpose()?,
        });
    }
    let side = |scene: &TableScene, attack: Option<&AttackResult>| -> Result<Side, Failure> {
        let subsets = subsets(scene, plan, LARGEST_SUBSET, seed, progress)?;
        Ok(Side { risks: attack.and_then(Risks::of), subsets })
    };
    let first = answers.first();
    let columns = Columns {
        before: before
            .as_ref()
            .map(|scene| side(scene, first.and_then(|by| by.before.as_ref())))
            .transpose()?,
        after: after.as_ref().map(|scene| side(scene, first.and_then(|by| by.after.as_ref()))).transpose()?,
    };
    Ok(Attacked {
        below: plan.below,
        confidence: plan.confidence.to_f64(),
        attackers: answers,
        columns: Some(columns),
        together: Vec::new(),
        notes: stage.notes.clone(),
    })
}

/// Plays the attacker: who fits what is known, and what does that tell? `know` is typed as `a > b > c`, with times as
/// `a@12 > b@15`, of sets also as `a, b`, of a table as `age=34, sex=F`; at most `list` items are told.
pub fn play(
    attacking: &Attacking,
    know: &str,
    list: usize,
    progress: &Progress,
) -> Result<Answered, Failure> {
    let settings = settings_of(attacking)?;
    let stage = Stage::set(attacking, attack::Asked::of(&settings).worlds, progress)?;
    if stage.known_events().kind() == EventKind::Absent {
        return play_columns(&stage, Attacker::of(&settings), know, list);
    }
    let known = known_events(know, &stage);
    if known.len() > MAX_KNOWN {
        return Err(Failure::new(Class::Usage, format!("`know` names more than {MAX_KNOWN} events"))
            .with_help("give fewer events"));
    }
    let format = attacking.files.read.time_format.as_deref();
    let clues: Vec<(Clue, bool)> =
        known.iter().map(|word| clue(word, stage.items(), format)).collect::<Result<_, Failure>>()?;
    let timed = clues.iter().filter(|(_, timed)| *timed).count();
    if timed > 0 && timed < clues.len() {
        return Err(Failure::new(Class::Usage, "`know` gives times for some events only")
            .with_help("give a time for each event, or for none: `a@12 > b@15`"));
    }
    let asked = Attacker::of(&settings);
    let ordered = asked.ordered && stage.known_events().kind() == EventKind::Sequence;
    let times = (timed > 0).then(|| asked.times.unwrap_or(0));
    let attacker = Attacker { ordered, times, ..asked };
    refuse_without_times(&stage, times.is_some())?;
    let clues: Vec<Clue> = clues.into_iter().map(|(clue, _)| clue).collect();
    let ask = |scene: &Scene<'_>, name: &dyn Fn(u32) -> String| {
        attack::play(scene, &attacker, &clues, name, list, progress)
    };
    let items = stage.items();
    let before = stage.before().map(|scene| ask(&scene, &|item| items.name(item).to_owned())).transpose()?;
    let after = match (stage.asked(), stage.release()) {
        (Some(scene), Some(release)) => Some(ask(&scene, &|item| release.described(item))?),
        _ => None,
    };
    Ok(Answered { known, attacker, before, after, notes: stage.notes.clone() })
}

/// Known events as typed. Items of sets have no order: there a comma separates them, too, unless it is a part of a name.
fn known_events(know: &str, stage: &Stage) -> Vec<String> {
    let items = stage.items();
    let is_set = stage.known_events().kind() == EventKind::Set;
    let words = know.split('>').map(str::trim).flat_map(|word| match is_set && items.find(word).is_none() {
        true => word.split(',').map(|word| word.trim().to_owned()).collect(),
        false => vec![word.to_owned()],
    });
    words.collect()
}

/// Plays the attacker of a table.
fn play_columns(stage: &Stage, attacker: Attacker, know: &str, list: usize) -> Result<Answered, Failure> {
    let (before, after) = (stage.shown_before(), stage.shown_after());
    let columns: Vec<&str> = before
        .iter()
        .chain(after)
        .flat_map(|table| &table.columns)
        .map(|column| column.name.as_str())
        .collect();
    let clues = cell_clues(know, &columns)?;
    let played = |table: &RecodedTable| play_table(table, &clues).told(list);
    Ok(Answered {
        known: clues.iter().map(|clue| format!("{}={}", clue.column, clue.value)).collect(),
        attacker: Attacker { ordered: false, times: None, ..attacker },
        before: before.as_ref().map(played),
        after: after.map(played),
        notes: stage.notes.clone(),
    })
}

/// Known cells as typed: `age=34, sex=F`. A comma begins the next one only where a column follows: values may hold commas.
fn cell_clues(know: &str, columns: &[&str]) -> Result<Vec<CellClue>, Failure> {
    let mut clues: Vec<CellClue> = Vec::new();
    for part in know.split(',') {
        let named = part.split_once('=').map(|(column, value)| (column.trim(), value.trim()));
        match (named, clues.last_mut()) {
            (Some((column, value)), _) if columns.contains(&column) => {
                clues.push(CellClue { column: column.to_owned(), value: value.to_owned() });
            }
            (_, Some(last)) => {
                last.value.push(',');
                last.value.push_str(part.trim_end());
            }
            (named, None) => {
                let column = named.map_or(part.trim(), |(column, _)| column);
                let help = match did_you_mean(column, columns.iter().copied()) {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => format!(
                        "write known cells as `{}=VALUE`, with commas between them",
                        columns.first().unwrap_or(&"COLUMN")
                    ),
                };
                let message = format!("`know`: no column `{column}` of the table has a role");
                return Err(Failure::new(Class::Usage, message).with_help(help));
            }
        }
    }
    Ok(clues)
}

fn refuse_without_times(stage: &Stage, wanted: bool) -> Result<(), Failure> {
    if !wanted || stage.known_events().times().is_some() {
        return Ok(());
    }
    Err(Failure::new(Class::Usage, "attackers cannot know times: the events have none")
        .with_help("name the column of times with {time COLUMN}, or attack without times"))
}

fn settings_of(attacking: &Attacking) -> Result<Settings, Failure> {
    let given = attacking.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Ok(Settings::parse(&ATTACKER, given)?)
}

/// A known event as typed, and whether it has a time. An item may have an `@` in its name.
fn clue(word: &str, items: &Dictionary, format: Option<&str>) -> Result<(Clue, bool), Failure> {
    if let Some(item) = items.find(word) {
        return Ok((Clue { item, time: 0 }, false));
    }
    let time = |text: &str| TimeReader::for_file(text, format).and_then(|reader| reader.read(text)).ok();
    if let Some((name, text)) = word.rsplit_once('@')
        && let (Some(item), Some(time)) = (items.find(name.trim()), time(text))
    {
        return Ok((Clue { item, time }, true));
    }
    let name = word.rsplit_once('@').map_or(word, |(name, _)| name.trim());
    let help = match did_you_mean(name, items.names()) {
        _ if items.find(name).is_some() => {
            Help::from("write times as the data do: `a@12`, `a@2024-05-01T08:30`")
        }
        Some(close) => help!("did you mean `$`?", close),
        None => "write known events as `a > b > c`, by the names they have in the data".into(),
    };
    Err(Failure::new(Class::Usage, format!("`know`: no person has an event `{word}`")).with_help(help))
}

#[cfg(test)]
mod tests;
