//! The findings about points, which have to become events before anything else can be said.

use serde::Serialize;
use throng_data::formats::Roles;
use throng_data::recognize::{FoundRole, Proposal};

use super::page::decided;
use crate::layout::{BOLD, Side, Table, counted};

/// What was found.
pub struct PointsFound<'a> {
    /// The file.
    pub source: &'a str,
    /// What it is.
    pub proposal: &'a Proposal,
}

/// The same for programs.
#[derive(Serialize)]
pub struct Json<'a> {
    source: &'a str,
    shape: Shape,
    found: &'a Proposal,
    prepare: String,
}

#[derive(Serialize)]
struct Shape {
    format: &'static str,
    roles: Roles,
}

impl<'a> PointsFound<'a> {
    /// For programs: `shape.roles` as for events, and the command that prepares the points.
    pub fn as_json(&self) -> Json<'a> {
        let name = |role| self.proposal.column(role).map(str::to_owned);
        let roles = Roles {
            subject: name(FoundRole::Subject),
            record: name(FoundRole::Record),
            item: None,
            time: name(FoundRole::Time),
        };
        Json {
            source: self.source,
            shape: Shape { format: "points", roles },
            found: self.proposal,
            prepare: self.proposal.prepare_command(self.source),
        }
    }
}

/// A sentence, the columns, and what to do next.
pub fn of(found: &PointsFound<'_>) -> String {
    let proposal = found.proposal;
    let mut text = format!("{BOLD}Points: a position and a time in every row, and no items yet{BOLD:#}\n\n");
    let mut table = Table::new(&[Side::Left, Side::Left, Side::Left]).indent(2);
    for column in proposal.columns.iter().filter(|column| column.role != FoundRole::None) {
        let role = serde_json::to_value(column.role).ok();
        let role = role.as_ref().and_then(|role| role.as_str()).unwrap_or_default().to_owned();
        table.row([role, column.name.clone(), column.reason.clone()]);
    }
    text.push_str(&table.render());
    let rows = counted(proposal.rows as u64, "row", "rows");
    let all = if proposal.all_rows { "all there are" } else { "the first ones" };
    text.push_str(&format!("\n  Looked at: {rows}, {all}.\n"));
    text.push_str(&decided(&proposal.notes));
    let command = proposal.prepare_command(found.source);
    text.push_str(&format!("\n{BOLD}Turn them into sequences of places{BOLD:#}\n  {command}\n"));
    text
}
