//! Patterns as text, as SPMF and as JSON.
//!
//! A sequence is written `a > b`, a set `a, b`; SPMF ends each step of a sequence with -1 and has no -1 in a set.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use throng_data::{Dictionary, ItemId};

use crate::{Keep, Patterns};

/// What the patterns are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Items in order.
    Sequences,
    /// Items without order.
    Itemsets,
}

/// How patterns are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// `a > b > c  #SUP: 12` or, for sets, `a, b, c  #SUP: 12`, a pattern a line.
    Text,
    /// `3 -1 5 -1 #SUP: 12`, or `3 5 #SUP: 12` for sets, as SPMF writes patterns. Items whose names are not numbers are numbered from
    /// one, and a table of `@ITEM=3=name` lines comes first.
    Spmf,
    /// One object with the patterns, supports and whether the search was complete.
    Json,
}

/// Writes patterns in the order given. An incomplete search says so in every format.
pub fn write(
    out: &mut dyn Write,
    patterns: &Patterns,
    items: &Dictionary,
    form: Form,
    keep: Keep,
    format: Format,
) -> io::Result<()> {
    match format {
        Format::Text => write_text(out, patterns, items, form),
        Format::Spmf => write_spmf(out, patterns, items, form),
        Format::Json => {
            let document = Document {
                schema: "throng-patterns/1",
                form,
                keep,
                subjects: patterns.subjects,
                min_support: patterns.min_support,
                complete: patterns.complete,
                patterns: List { patterns, items },
            };
            serde_json::to_writer_pretty(&mut *out, &document)?;
            writeln!(out)
        }
    }
}

fn write_text(out: &mut dyn Write, patterns: &Patterns, items: &Dictionary, form: Form) -> io::Result<()> {
    let between = match form {
        Form::Sequences => " > ",
        Form::Itemsets => ", ",
    };
    if !patterns.complete {
        writeln!(out, "# stopped early: patterns may be missing")?;
    }
    let mut line = String::new();
    for pattern in patterns.iter() {
        line.clear();
        for (position, item) in pattern.items.iter().enumerate() {
            line.push_str(if position == 0 { "" } else { between });
            push_name(&mut line, items.name(*item));
        }
        writeln!(out, "{line}  #SUP: {}", pattern.support)?;
    }
    Ok(())
}

fn write_spmf(out: &mut dyn Write, patterns: &Patterns, items: &Dictionary, form: Form) -> io::Result<()> {
    let step = match form {
        Form::Sequences => "-1 ",
        Form::Itemsets => "",
    };
    if !patterns.complete {
        writeln!(out, "# stopped early: patterns may be missing")?;
    }
    let mut used: Vec<ItemId> = patterns.iter().flat_map(|pattern| pattern.items).copied().collect();
    used.sort_unstable();
    used.dedup();
    let numeric = used.iter().all(|item| {
        let name = items.name(*item);
        !name.is_empty() && name.len() <= 9 && name.bytes().all(|byte| byte.is_ascii_digit())
    });
    let mut line = String::new();
    if !numeric {
        writeln!(out, "@CONVERTED_FROM_TEXT")?;
        for item in &used {
            line.clear();
            push_name(&mut line, items.name(*item));
            writeln!(out, "@ITEM={}={line}", item + 1)?;
        }
    }
    for pattern in patterns.iter() {
        for item in pattern.items {
            if numeric {
                write!(out, "{} {step}", items.name(*item))?;
            } else {
                write!(out, "{} {step}", item + 1)?;
            }
        }
        writeln!(out, "#SUP: {}", pattern.support)?;
    }
    Ok(())
}

/// A name may hold a line break when its file quoted it; a line of output may not.
fn push_name(line: &mut String, name: &str) {
    for c in name.chars() {
        if c.is_control() {
            // Writing to a string cannot fail.
            let _ = write!(line, "{}", c.escape_default());
        } else {
            line.push(c);
        }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    form: Form,
    keep: Keep,
    subjects: u64,
    min_support: u64,
    complete: bool,
    patterns: List<'a>,
}

struct List<'a> {
    patterns: &'a Patterns,
    items: &'a Dictionary,
}

#[derive(Serialize)]
struct Entry<'a> {
    items: Vec<&'a str>,
    support: u64,
}

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.patterns.len()))?;
        for pattern in self.patterns.iter() {
            let items = pattern.items.iter().map(|item| self.items.name(*item)).collect();
            list.serialize_element(&Entry { items, support: pattern.support })?;
        }
        list.end()
    }
}
