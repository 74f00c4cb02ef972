//! What a release says of itself, as far as it is shown, and what would help where it is not good.

use serde::Serialize;
use throng_data::{Nature, Role};
use throng_lab::manifest::{ColumnEntry, Manifest};
use throng_lab::{Advice, ColumnsVerdict, Grade, Usefulness};
use utoipa::ToSchema;

/// The part of a manifest that screens show.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Manifest)]
pub struct ShownManifest {
    /// The method's name.
    method: String,
    /// Whether the events really happened: `truthful`, `perturbed` or `synthetic`.
    #[schema(value_type = String)]
    nature: Nature,
    /// What the rows are where they are no events of records: `counts`.
    form: Option<String>,
    /// The second verdict; releases of version 0.1.0 have none.
    usefulness: Option<ShownUsefulness>,
    /// The columns of a released table.
    table: Vec<PublishedColumn>,
    /// What published columns give away.
    columns_verdict: Option<ShownColumnsVerdict>,
}

/// What a release is good for, and why.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Usefulness)]
pub struct ShownUsefulness {
    /// The grade.
    #[schema(value_type = GradeName)]
    grade: Grade,
    /// What it rests on, the worst first.
    reasons: Vec<String>,
}

/// Three grades.
#[derive(ToSchema)]
#[schema(as = Grade, rename_all = "lowercase")]
#[expect(dead_code, reason = "it only describes how the type of another crate is written")]
enum GradeName {
    Good,
    Limited,
    Poor,
}

/// Something to change, and what came of it on a sample.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Advice)]
pub struct ShownAdvice {
    /// What to do.
    change: String,
    /// What it came to, in words.
    effect: String,
    /// The grade with the change.
    #[schema(value_type = GradeName)]
    grade: Grade,
    /// On how many people it was tried.
    people: u64,
}

impl ShownAdvice {
    /// Advice as it is shown.
    pub fn of(advice: Advice) -> Self {
        ShownAdvice {
            change: advice.change,
            effect: advice.effect,
            grade: advice.grade,
            people: advice.people,
        }
    }
}

/// A column of a released table.
#[derive(Debug, Serialize, ToSchema)]
pub struct PublishedColumn {
    /// Its name.
    name: String,
    /// What it is to an attacker.
    #[schema(value_type = String)]
    role: Role,
}

/// What published columns give away.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ColumnsVerdict)]
pub struct ShownColumnsVerdict {
    /// Whether every group is large enough, and no column names people.
    covered: bool,
    /// How large a group has to be.
    crowd: u64,
    /// People in smaller groups.
    people_below: u64,
    /// People alone in their group.
    unique: u64,
    /// Whether the publisher accepted it where it is not covered.
    accepted: bool,
    /// The verdict in plain words.
    statement: String,
}

/// What the screens show of a manifest.
pub fn shown(manifest: &Manifest) -> ShownManifest {
    let column = |column: &ColumnEntry| PublishedColumn { name: column.name.clone(), role: column.role };
    let useful =
        |useful: &Usefulness| ShownUsefulness { grade: useful.grade, reasons: useful.reasons.clone() };
    let given_away = |columns: &ColumnsVerdict| ShownColumnsVerdict {
        covered: columns.covered,
        crowd: columns.crowd,
        people_below: columns.people_below,
        unique: columns.unique,
        accepted: columns.accepted,
        statement: columns.statement.clone(),
    };
    ShownManifest {
        method: manifest.method.name.clone(),
        nature: manifest.nature,
        form: manifest.form.as_ref().map(|form| form.name.clone()),
        usefulness: manifest.usefulness.as_ref().map(useful),
        table: manifest.table.iter().map(column).collect(),
        columns_verdict: manifest.columns_verdict.as_ref().map(given_away),
    }
}
