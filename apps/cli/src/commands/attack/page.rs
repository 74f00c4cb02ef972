//! The answers as text: a table for each attacker, or the answer to one query.

use throng_lab::{Answered, Attacked, AttackedBy, Columns, KnownTogether};
use throng_measure::attack::{AttackResult, Common, Played, Point};

use crate::layout::{BOLD, FAINT, Side, Table, count, counted, percent, wrap};

const WIDTH: usize = 96;

/// What several attackers can do.
pub fn attacked(attacked: &Attacked) -> String {
    let mut text = String::new();
    for attacked_by in &attacked.attackers {
        text.push_str(&format!(
            "{BOLD}Knowing {}{BOLD:#}\n{}\n",
            attacked_by.knows,
            table(attacked_by, attacked)
        ));
    }
    let looked_for = attacked
        .attackers
        .first()
        .and_then(|attacked_by| attacked_by.before.as_ref().or(attacked_by.after.as_ref()));
    if let Some(attack) = looked_for {
        paragraph(
            &mut text,
            "",
            &format!("{} {}", who(attack, &attacked.attackers), legend(attack, attacked)),
        );
    }
    if let Some(columns) = &attacked.columns {
        text.push_str(&of_columns(columns, attacked.below));
    }
    text.push_str(&of_both(&attacked.together, attacked.below));
    notes(&mut text, &attacked.notes);
    text
}

/// Who is found by so many columns and so many events together: a row for each number of columns, a column for each of events.
fn of_both(together: &[KnownTogether], below: u32) -> String {
    let mut text = String::new();
    let of_data = |known: &'static str| -> (&str, fn(&KnownTogether) -> Option<&AttackResult>) {
        match known {
            "data" => ("data", |answer| answer.before.as_ref()),
            _ => ("release", |answer| answer.after.as_ref()),
        }
    };
    for (name, attack) in [of_data("data"), of_data("release")] {
        let rows: Vec<(u64, &AttackResult)> =
            together.iter().filter_map(|answer| Some((answer.columns, attack(answer)?))).collect();
        let Some((_, widest)) = rows.first().filter(|(_, attack)| !attack.points.is_empty()) else {
            continue;
        };
        text.push_str(&format!("\n{BOLD}Columns and events of the {name} together{BOLD:#}\n"));
        let mut header = vec!["COLUMNS".to_owned()];
        header.extend(
            widest.points.iter().map(|point| format!("+{}", counted(point.known, "event", "events"))),
        );
        let mut table =
            Table::new(&vec![Side::Right; header.len()]).header(header.iter().map(String::as_str)).indent(2);
        for (columns, attack) in &rows {
            let mut row = vec![columns.to_string()];
            row.extend(attack.points.iter().map(|point| {
                format!("{} ({})", percent(point.below.share), percent(point.singled_out.share))
            }));
            table.row(row);
        }
        text.push_str(&table.render());
        let words = format!(
            "People whom fewer than {below} fit, themselves included (in brackets: only themselves), for an attacker who knows so many of the \
             columns and so many of the events or items."
        );
        paragraph(&mut text, "", &words);
    }
    text
}

/// Sets of columns that are shown.
const SHOWN: usize = 10;

/// The risks of a table, and which columns together single people out.
fn of_columns(columns: &Columns, below: u32) -> String {
    let mut text = String::new();
    for (name, side) in [("data", &columns.before), ("release", &columns.after)] {
        let Some(side) = side else { continue };
        text.push_str(&format!("\n{BOLD}Columns of the {name} together{BOLD:#}\n"));
        let mut table = Table::new(&[Side::Right, Side::Right, Side::Left])
            .header(["ALONE", &format!("<{below}"), "COLUMNS"])
            .indent(2);
        for subset in side.subsets.iter().take(SHOWN) {
            table.row([
                percent(subset.singled_out.share),
                percent(subset.below.share),
                subset.columns.join(", "),
            ]);
        }
        text.push_str(&table.render());
        if let Some(risks) = &side.risks {
            let risks = format!(
                "Knowing all columns: prosecutor risk up to {}, journalist risk up to {}, marketer risk {}; {} of people are found \
                 among fewer than {below}.",
                percent(risks.prosecutor),
                percent(risks.journalist),
                percent(risks.marketer.mean),
                percent(risks.at_risk.share),
            );
            paragraph(&mut text, "", &risks);
        }
    }
    text
}

fn table(attacked_by: &AttackedBy, attacked: &Attacked) -> String {
    let sides: Vec<(&str, &AttackResult)> = [("DATA", &attacked_by.before), ("RELEASE", &attacked_by.after)]
        .into_iter()
        .filter_map(|(name, attack)| Some((name, attack.as_ref()?)))
        .collect();
    if sides.iter().all(|(_, attack)| attack.points.is_empty()) {
        return "  no people to look for\n".to_owned();
    }
    let alone = sides.len() == 1;
    let mut header = vec!["KNOWN".to_owned()];
    for (name, attack) in sides.iter().filter(|(_, attack)| !attack.points.is_empty()) {
        let lead = if alone { String::new() } else { format!("{name}: ") };
        header.extend([format!("{lead}ALONE"), format!("<{}", attacked.below), "FOUND".to_owned()]);
        header.extend(["FEWEST".to_owned(), "MEDIAN".to_owned()]);
        if attack.points.iter().any(|point| point.inference.is_some()) {
            header.extend([format!(">{}", percent(attacked.confidence)), "HIGHEST".to_owned()]);
        }
    }
    let mut table =
        Table::new(&vec![Side::Right; header.len()]).header(header.iter().map(String::as_str)).indent(2);
    let known = sides.iter().map(|(_, attack)| attack.points.len()).max().unwrap_or(0);
    for place in 0..known {
        let numbers = sides.iter().filter_map(|(_, attack)| attack.points.get(place));
        let mut row = vec![numbers.map(|point| point.known).max().unwrap_or(0).to_string()];
        for point in sides.iter().filter_map(|(_, attack)| attack.points.get(place)) {
            row.extend(cells(point));
        }
        table.row(row);
    }
    table.render()
}

fn cells(point: &Point) -> Vec<String> {
    let mut cells = vec![
        percent(point.singled_out.share),
        percent(point.below.share),
        percent(point.reidentified.mean),
        count(point.crowds.smallest),
        count(point.crowds.half),
    ];
    if let Some(inference) = &point.inference {
        cells.extend([percent(inference.confident.share), percent(inference.highest)]);
    }
    cells
}

fn who(attack: &AttackResult, attackers: &[AttackedBy]) -> String {
    if !attack.sampled {
        return format!("Looked for: all {}.", counted(attack.people, "person", "people"));
    }
    let points = attackers.iter().flat_map(|attacked_by| attacked_by.before.iter().chain(&attacked_by.after));
    let intervals = points.flat_map(|attack| &attack.points).flat_map(|point| {
        [point.singled_out.interval, point.below.interval, point.reidentified.interval].into_iter().flatten()
    });
    let widest = intervals.map(|[low, high]| high - low).fold(0.0, f64::max);
    format!(
        "Looked for: {} people drawn from {}; with 95% confidence, shares are right to within {:.1} points.",
        count(attack.targets),
        count(attack.people),
        widest * 50.0
    )
}

fn legend(attack: &AttackResult, attacked: &Attacked) -> String {
    let mut text = format!(
        "ALONE: people whom no one else fits. <{}: people whom fewer than {} fit, themselves included. FOUND: the \
         average chance of picking the right one among those who fit. FEWEST, MEDIAN: how many fit.",
        attacked.below, attacked.below
    );
    if attack.points.iter().any(|point| point.inference.is_some()) {
        let sure = percent(attacked.confidence);
        text.push_str(&format!(
            " >{sure}: people of whom some secret is guessed with more than {sure} confidence. HIGHEST: the highest confidence."
        ));
    }
    text
}

/// The answer to one query.
pub fn answered(answered: &Answered) -> String {
    let separator = if answered.attacker.ordered { " > " } else { ", " };
    let mut text = format!("{BOLD}Knowing {}{BOLD:#}\n", answered.known.join(separator));
    let sides = [("In the data", &answered.before), ("In the release", &answered.after)];
    for (name, played) in sides {
        if let Some(played) = played {
            text.push_str(&told(name, played, answered.known.len()));
        }
    }
    notes(&mut text, &answered.notes);
    text
}

fn told(name: &str, played: &Played, known: usize) -> String {
    let mut text = format!(
        "\n{BOLD}{name}{BOLD:#}, {} of {} {}\n",
        count(played.people),
        counted(played.of, "person", "people"),
        if played.people == 1 { "fits" } else { "fit" },
    );
    if (played.used as usize) < known {
        text.push_str(&format!("  using {} of {known} that are known: no one has all of it\n", played.used));
    }
    let mut table = Table::new(&[Side::Left, Side::Right, Side::Right]).indent(2);
    for (kind, common) in [("also has", &played.items), ("secret", &played.secrets)] {
        for Common { name, people, share } in common {
            table.row([format!("{kind} {name}"), count(*people), percent(*share)]);
        }
    }
    text.push_str(&table.render());
    text
}

fn notes(text: &mut String, notes: &[String]) {
    for note in notes {
        text.push('\n');
        paragraph(text, "note: ", note);
    }
}

fn paragraph(text: &mut String, lead: &str, words: &str) {
    for (number, line) in wrap(words, WIDTH - lead.len()).iter().enumerate() {
        let lead = if number == 0 { lead.to_owned() } else { " ".repeat(lead.len()) };
        text.push_str(&format!("{FAINT}{lead}{line}{FAINT:#}\n"));
    }
}
