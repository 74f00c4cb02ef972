//! What two releases give away together, in words.

use super::{paragraph, short};
use crate::layout::{Side, Table, count, counted, percent};
use throng_measure::Composition;
use throng_measure::composition::{CountsTogether, TablesTogether};

/// What two releases give away together.
pub fn attacked(first: &str, second: &str, found: &Composition) -> String {
    let mut text = String::new();
    if let Some(counts) = &found.counts {
        return counts_of_both(first, second, found, counts);
    }
    if found.targets == 0 {
        paragraph(&mut text, "No person is in both, so there is no one to look for.", "  ");
        return text;
    }
    let sampled = if found.sampled { ", drawn at random" } else { "" };
    let looked_for = counted(found.targets, "person", "people");
    let knows = match &found.tables {
        Some(_) => "who knows every published column that is not sensitive".to_owned(),
        None if found.points.first().is_some_and(|point| point.known == 0) => {
            "who knows the published columns that are not sensitive, and so many events".to_owned()
        }
        None => "who knows so many events".to_owned(),
    };
    paragraph(
        &mut text,
        &format!(
            "{} in both; {looked_for} looked for{sampled}. Share of them whom fewer than {} people fit, for an attacker \
             {knows}:",
            counted(found.people, "person is", "people are"),
            found.k
        ),
        "  ",
    );
    let sides = [Side::Right; 6];
    let header = ["KNOWN", "in A", "in B", "in BOTH", "lost", "alone in both"];
    let mut table = Table::new(&sides).header(header).indent(2);
    for point in &found.points {
        table.row([
            if found.tables.is_some() { "columns".to_owned() } else { point.known.to_string() },
            percent(point.below_in_first.share),
            percent(point.below_in_second.share),
            percent(point.below_in_both.share),
            percent(point.lost.share),
            percent(point.singled_out.share),
        ]);
    }
    text.push_str(&table.render());
    paragraph(
        &mut text,
        &format!(
            "A is {first}, B is {second}. In both: an attacker who can tell which records of the two are one person's. \
             Lost: {} or more people fit in each alone, but fewer in both.",
            found.k
        ),
        "  ",
    );
    if let Some(worlds) = found.worlds {
        paragraph(
            &mut text,
            &format!(
                "Records were taken apart: a crowd is how many people have what is known, on average over {worlds} possible \
                 worlds that fit A, B, or both. Who is in which cluster is taken to be known."
            ),
            "  ",
        );
    }
    if let Some(items) = found.items.as_ref().filter(|items| items.narrowed > 0) {
        let narrowed =
            counted(items.narrowed, "event that both generalise is", "events that both generalise are");
        paragraph(
            &mut text,
            &format!("{narrowed} narrowed down by the other; {} to a single item.", count(items.pinned)),
            "  ",
        );
        for example in &items.examples {
            let (first, second) = (short(&example.first), short(&example.second));
            text.push_str(&format!("    {first} and {second} is {}\n", short(&example.item)));
        }
    }
    if let Some(tables) = &found.tables {
        text.push_str(&tables_of_both(tables, found.k));
        return text + &left_out(found);
    }
    for point in &found.points {
        for learned in point.learned.iter().filter(|learned| learned.targets.count > 0) {
            paragraph(
                &mut text,
                &format!(
                    "Knowing {}, `{}` of {} of them follows from both, and from neither alone.",
                    counted(point.known, "event", "events"),
                    learned.column,
                    percent(learned.targets.share)
                ),
                "  ",
            );
        }
    }
    text + &left_out(found)
}

/// What the groups of two tables give away of sensitive columns, and of people who are in one of them.
fn tables_of_both(tables: &TablesTogether, k: u64) -> String {
    let mut text = String::new();
    for values in &tables.values {
        let column = &values.column;
        if values.certain.count > 0 {
            let what = format!(
                "`{column}` of {} of them ({}) is certain from the values that both groups have in common, and from neither alone. No row has to be \
                 tied to another for that.",
                percent(values.certain.share),
                counted(values.certain.count, "person", "people")
            );
            paragraph(&mut text, &what, "  ");
        }
        if values.certain_by_rows.count > values.certain.count {
            let what = format!(
                "`{column}` of {} of them ({}) is certain to an attacker who can tell which rows of the two are one person's.",
                percent(values.certain_by_rows.share),
                counted(values.certain_by_rows.count, "person", "people")
            );
            paragraph(&mut text, &what, "  ");
        }
        if values.promise_lost.count > 0 {
            let what = format!(
                "`{column}` of {} of them ({}) is less varied among the people in both groups than each release promises.",
                percent(values.promise_lost.share),
                counted(values.promise_lost.count, "person", "people")
            );
            paragraph(&mut text, &what, "  ");
        }
    }
    for (moved, where_) in [(&tables.left, "A alone"), (&tables.joined, "B alone")] {
        if moved.exposed.count > 0 {
            let what = format!(
                "{} in {where_}; {} of them can be told from the other rows of their group, which leaves fewer than {k} people or fewer values \
                 than promised.",
                counted(moved.people, "person is", "people are"),
                count(moved.exposed.count)
            );
            paragraph(&mut text, &what, "  ");
        }
    }
    text
}

/// What two releases of counts give away.
fn counts_of_both(first: &str, second: &str, found: &Composition, counts: &CountsTogether) -> String {
    let mut text = String::new();
    let k = found.k;
    let both = format!(
        "A is {first}, B is {second}; {} in the data of both. {} in both releases, and {} of them differ by 1 to {} people: a count of so few follows by \
         subtraction. {} in one release alone; {} of them withheld in the other, whose data have people there, fewer than {k} more or less.",
        counted(found.people, "person is", "people are"),
        counted(counts.cells, "count is", "counts are"),
        count(counts.differ_by_few),
        k - 1,
        counted(counts.in_one, "count is", "counts are"),
        count(counts.told)
    );
    paragraph(&mut text, &both, "  ");
    if counts.other_spans {
        paragraph(&mut text, "Counts with times were not compared: the spans of time are different.", "  ");
    }
    text
}

/// What was not compared.
fn left_out(found: &Composition) -> String {
    let mut text = String::new();
    for what in &found.not_compared {
        paragraph(&mut text, &format!("Not compared: {what}."), "  ");
    }
    text
}
