//! What a reader of the published files can verify, told by the program that the reader would run: `throng verify` on the release.
//!
//! A run judges with the original data at hand: it knows whose records are whose, and what columns held that are withheld. A reader has
//! the files alone. Where the two differ, the workbench says both.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use throng_contract::shell_line;
use throng_data::Role;
use throng_lab::Manifest;
use utoipa::ToSchema;

use crate::workbench::run::{RELEASE, VERIFIED};

/// A verdict in one word, as `throng verify` prints it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ReaderAnswer)]
pub enum Answer {
    /// All of the promise was judged, and holds.
    Holds,
    /// Something that was judged is broken.
    DoesNotHold,
    /// What was judged holds; something was not judged.
    JudgedInPart,
    /// Nothing could be judged.
    NotJudged,
}

/// What `throng verify` answers to a reader of the published files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReaderVerdict {
    /// The answer.
    pub answer: Answer,
    /// The same in plain words, with what would make it whole.
    pub words: Vec<String>,
}

/// What the program prints, as far as it is needed here.
#[derive(Debug, Deserialize)]
struct Printed {
    answer: Answer,
    #[serde(default)]
    not_judged: Vec<String>,
    #[serde(default)]
    contradictions: Vec<String>,
}

/// The answer in a job's folder; none where it was not asked for, as in runs of earlier versions.
pub fn of(folder: &Path) -> Option<ReaderVerdict> {
    let printed: Printed = serde_json::from_slice(&fs::read(folder.join(VERIFIED)).ok()?).ok()?;
    let mut words = printed.in_words();
    let roles = roles(folder);
    if !roles.is_empty() {
        let line = shell_line(roles.iter().map(String::as_str));
        words
            .push(format!("The reader has to be told what the columns are: `throng verify release {line}`."));
    }
    Some(ReaderVerdict { answer: printed.answer, words })
}

/// What a reader of a released table has to be told: which columns may be known, and which are sensitive. The release cannot say so
/// itself, since a reader need not believe it.
pub fn roles(folder: &Path) -> Vec<String> {
    let Some(manifest) = Manifest::read(&folder.join(RELEASE)).ok().flatten() else { return Vec::new() };
    let told = |flag: &str, role: Role| {
        // A name with a comma in it cannot stand in a list.
        let columns =
            manifest.table.iter().filter(|column| column.role == role && !column.name.contains(','));
        let columns: Vec<&str> = columns.map(|column| column.name.as_str()).collect();
        if columns.is_empty() { Vec::new() } else { vec![flag.to_owned(), columns.join(",")] }
    };
    let mut words = told("--quasi", Role::QuasiIdentifying);
    words.extend(told("--sensitive-attribute", Role::Sensitive));
    words
}

impl Printed {
    fn in_words(&self) -> Vec<String> {
        let mut words = vec![match self.answer {
            Answer::Holds if self.contradictions.is_empty() => {
                "A reader of the published files can verify it: `throng verify` answers that it holds.".to_owned()
            }
            Answer::Holds | Answer::DoesNotHold => {
                "A reader of the published files who runs `throng verify` is told that it does not hold.".to_owned()
            }
            Answer::JudgedInPart => {
                "A reader of the published files can verify it in part: `throng verify` answers “partly verified”."
                    .to_owned()
            }
            Answer::NotJudged => {
                "A reader cannot verify it from the published files: `throng verify` answers “not judged”.".to_owned()
            }
        }];
        words.extend(self.not_judged.iter().map(|part| format!("Not judged from the files: {part}.")));
        words.extend(self.contradictions.iter().map(|part| format!("Contradicted by the files: {part}.")));
        if self.not_judged.iter().any(|part| part.starts_with("people: ")) {
            words.push(
                "To make it whole: publish one record for each person, or choose a promise that counts records. An auditor \
                 whom you trust can be given the linkage of records and people, which is not published."
                    .to_owned(),
            );
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_follow_the_answer_and_name_a_way_out() {
        let printed = |answer, not_judged: &[&str]| Printed {
            answer,
            not_judged: not_judged.iter().map(|part| (*part).to_owned()).collect(),
            contradictions: Vec::new(),
        };
        assert_eq!(printed(Answer::Holds, &[]).in_words().len(), 1);
        let part = printed(Answer::JudgedInPart, &["people: the 4 records are of 2"]).in_words();
        assert!(part[0].contains("in part") && part[1].contains("4 records"), "{part:?}");
        assert!(part[2].starts_with("To make it whole: publish one record for each person"), "{part:?}");
        let contradicted =
            Printed { contradictions: vec!["k is 3".to_owned()], ..printed(Answer::Holds, &[]) }.in_words();
        assert!(contradicted[0].ends_with("does not hold."), "{contradicted:?}");
    }
}
