//! The form of a text: sequences, lines of items, or rows of fields; and what comes before the first row.

use super::fields::of_rows;
use super::prose::is_prose;
use crate::formats::{
    DATE, Defect, Format, Framing, ITEM, InputError, LAT, LON, RECORD, ReadOptions, RoleName, SUBJECT,
    Source, TIME, X, Y,
};

/// Delimiters that are tried.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Rows of fields to look at.
pub(crate) struct Sample {
    /// Names of the columns.
    pub names: Vec<String>,
    /// Names that the header has several times.
    pub doubled: Vec<String>,
    /// The rows, field by field.
    pub rows: Vec<Vec<String>>,
    /// Whether these are all rows.
    pub whole: bool,
}

/// The form of a text.
pub(crate) struct Shaped {
    pub format: Format,
    pub framing: Framing,
    /// The rows, where there are columns.
    pub columns: Option<Sample>,
    pub rows: usize,
    pub notes: Vec<String>,
}

/// The text of the lines that are there as a whole; bytes that are not UTF-8 are for the reader to report.
pub(crate) fn whole_lines(head: &[u8], whole: bool) -> String {
    let end = match whole {
        true => head.len(),
        false => memchr::memrchr(b'\n', head).map_or(head.len(), |at| at + 1),
    };
    String::from_utf8_lossy(&head[..end]).into_owned()
}

/// What a text is. Errors are of files that are nothing we read.
pub(crate) fn form_of(
    text: &str,
    whole: bool,
    source: &Source,
    foreign: Option<Format>,
    options: &ReadOptions,
) -> Result<Shaped, InputError> {
    let refused = |defect| InputError::file(source.name(), defect);
    if foreign.is_some() {
        let framing = Framing { delimiter: Some(b','), header: !options.no_header, ..Framing::default() };
        let table = options.format.filter(|format| *format == Format::Table);
        let format = table.or(foreign).unwrap_or(Format::LongCsv);
        return Ok(of_rows(text, whole, format, framing, Vec::new(), options));
    }
    let lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches('\r')).collect();
    if lines.iter().all(|line| line.trim().is_empty()) {
        return Err(refused(Defect::Empty));
    }
    let extension = source.extension();
    let format = match (options.format, extension.as_deref()) {
        (Some(format), _) => Some(format),
        (None, _) if options.wide.is_some() => Some(Format::WideCsv),
        (None, Some("csv" | "tsv")) => Some(Format::LongCsv),
        (None, Some("spmf")) => Some(Format::Spmf),
        (None, Some("dat" | "fimi")) if !lines.iter().any(|line| line.contains([',', ';', '\t', '|'])) => {
            Some(Format::Fimi)
        }
        _ => None,
    };
    match format {
        Some(Format::Spmf | Format::Fimi) => {
            let format = format.unwrap_or(Format::Fimi);
            return Ok(of_lines(&lines, format, Framing::default(), Vec::new(), false));
        }
        Some(Format::Lines) => {
            let (framing, notes) = preamble(&lines);
            let after: Vec<&str> = lines.iter().skip(framing.skipped as usize).copied().collect();
            let delimiter = options.delimiter.or_else(|| item_delimiter(&after));
            return Ok(of_lines(&lines, Format::Lines, Framing { delimiter, ..framing }, notes, false));
        }
        Some(format) => {
            let (framing, notes) = frame(&lines, options);
            return Ok(of_rows(text, whole, format, framing, notes, options));
        }
        None => {}
    }
    refuse_others(text, &lines).map_err(refused)?;
    let (before, notes) = preamble(&lines);
    let after: Vec<&str> =
        lines.iter().skip(before.skipped as usize).copied().filter(|line| !line.trim().is_empty()).collect();
    let ends = after.iter().filter(|line| line.trim_end().ends_with(" -2")).count();
    if ends * 2 > after.len() {
        return Ok(of_lines(&lines, Format::Spmf, Framing::default(), Vec::new(), true));
    }
    let delimiter = options.delimiter.or_else(|| field_delimiter(&after)).or_else(|| blanks_delimit(&after));
    if delimiter.is_some() || (source.is_unnamed() && after.len() < 2) {
        let (framing, notes) = frame(&lines, &ReadOptions { delimiter, ..options.clone() });
        return Ok(of_rows(text, whole, Format::LongCsv, framing, notes, options));
    }
    let delimiter = item_delimiter(&after);
    if is_prose(&after, extension.as_deref(), delimiter) {
        return Err(refused(Defect::Question {
            what: "it reads like prose: every line would be a person, and every word something that they did".to_owned(),
            help: "if each line holds what one person did, say {input-format lines}; else give a file with one row an event \
                   or a person"
                .into(),
        }));
    }
    Ok(of_lines(&lines, Format::Lines, Framing { delimiter, ..before }, notes, true))
}

/// Refuses what is nothing we read, though it is text.
fn refuse_others(text: &str, lines: &[&str]) -> Result<(), Defect> {
    let start = text.trim_start();
    if start.starts_with('<') && start.contains("<gpx") {
        return Err(Defect::Question {
            what: "GPX: tracks of points, and not yet events".to_owned(),
            help: "turn them into sequences of places: {throng prepare FILE -o DIR}".into(),
        });
    }
    let triples = lines.iter().filter(|line| line.starts_with('<') && line.trim_end().ends_with('.')).count();
    if start.contains("@prefix ") || triples * 2 > lines.len() || start.contains("<rdf:RDF") {
        let help = "give a file with one row an event or a person";
        return Err(Defect::NoPeople { what: "RDF triples", several: true, help });
    }
    if start.starts_with('<') {
        return Err(Defect::UnknownFormat);
    }
    let graph = |line: &&str| {
        let mut words = line.split_ascii_whitespace();
        matches!(words.next(), Some("t" | "v" | "e")) && words.next().is_some()
    };
    let content = lines.iter().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let (graphs, all) =
        content.fold((0, 0), |(graphs, all), line| (graphs + usize::from(graph(line)), all + 1));
    if graphs > 1 && graphs == all {
        let help = "mine its patterns with {throng mine subgraphs FILE}, or give a file with one row an event or a person";
        return Err(Defect::NoPeople { what: "labelled graphs", several: true, help });
    }
    Ok(())
}

fn is_comment(line: &str) -> bool {
    line.starts_with(['#', '%', '@'])
}

/// Comments before the first record, and lines that stand among them in paragraphs of their own. A line in between that could be a record,
/// because its items occur later on, is one.
fn preamble(lines: &[&str]) -> (Framing, Vec<String>) {
    let Some(first) = lines.iter().position(|line| !line.trim().is_empty()) else {
        return (Framing { header: false, ..Framing::default() }, Vec::new());
    };
    let mut skipped = 0;
    if is_comment(lines[first]) {
        let near = lines.len().min(100);
        let last = (0..near).rev().find(|at| is_comment(lines[*at])).unwrap_or(first);
        let blank = |at: usize| lines.get(at).is_none_or(|line| line.trim().is_empty());
        let apart = (first..last).all(|at| {
            let line = lines[at];
            line.trim().is_empty() || is_comment(line) || (at > 0 && blank(at - 1) && blank(at + 1))
        });
        let inside = || (first..last).filter(|at| !is_comment(lines[*at]) && !lines[*at].trim().is_empty());
        let words: Vec<&str> = inside().flat_map(|at| lines[at].split_ascii_whitespace()).collect();
        let later = || lines[last + 1..].iter().flat_map(|line| line.split_ascii_whitespace());
        let own = words.is_empty() || !later().any(|word| words.contains(&word));
        let end = match apart && own {
            true => last + 1,
            false => (first..lines.len()).find(|at| !is_comment(lines[*at])).unwrap_or(lines.len()),
        };
        skipped = (end..lines.len()).find(|at| !blank(*at)).unwrap_or(end);
    }
    let notes = match skipped {
        0 => Vec::new(),
        1 => vec!["the first line is a comment and was passed over".to_owned()],
        skipped => {
            vec![format!("the first {skipped} lines are comments and what belongs to them: passed over")]
        }
    };
    (Framing { header: false, skipped: skipped as u64, ..Framing::default() }, notes)
}

/// Number of fields of a line, quotes respected.
fn fields(line: &str, delimiter: u8) -> usize {
    let mut inside = false;
    let count = line.bytes().filter(|byte| {
        inside ^= *byte == b'"';
        !inside && *byte == delimiter
    });
    count.count() + 1
}

/// What separates fields, if all lines have the same number of them, at least two.
fn field_delimiter(lines: &[&str]) -> Option<u8> {
    let width = |delimiter: u8| {
        let mut counts = lines.iter().map(|line| fields(line, delimiter));
        let first = counts.next()?;
        (first > 1 && counts.all(|count| count == first)).then_some(first)
    };
    // A quoted line end makes lines of two widths: then the header alone decides, as it does for `.csv`.
    if lines.iter().any(|line| line.bytes().filter(|byte| *byte == b'"').count() % 2 == 1) {
        return Some(crate::formats::guess_delimiter(lines.first()?));
    }
    let found = DELIMITERS.iter().filter_map(|delimiter| Some((*delimiter, width(*delimiter)?)));
    // `max_by_key` takes the last of equals; the comma is preferred.
    found.rev().max_by_key(|(_, width)| *width).map(|(delimiter, _)| delimiter)
}

/// Whether single blanks separate fields rather than items: names of roles above them, or a column of numbers with fractions.
fn blanks_delimit(lines: &[&str]) -> Option<u8> {
    let first = lines.first()?;
    let width = fields(first, b' ');
    if width < 2 || lines.len() < 2 || !lines.iter().all(|line| fields(line, b' ') == width) {
        return None;
    }
    let named = first.split(' ').any(is_role_name);
    let fractions = (0..width).any(|column| {
        lines.iter().all(|line| {
            line.split(' ').nth(column).is_some_and(|text| text.contains('.') && text.parse::<f64>().is_ok())
        })
    });
    (named || fractions).then_some(b' ')
}

/// What separates the items of lines, where it is not a blank: a sign that most lines have.
fn item_delimiter(lines: &[&str]) -> Option<u8> {
    let holds = |delimiter: u8| lines.iter().filter(|line| line.as_bytes().contains(&delimiter)).count();
    DELIMITERS.into_iter().find(|delimiter| holds(*delimiter) * 2 > lines.len())
}

/// Records a line. Where every line ascends, items were sorted, and order means nothing.
fn of_lines(lines: &[&str], format: Format, framing: Framing, mut notes: Vec<String>, found: bool) -> Shaped {
    let records: Vec<&str> = lines
        .iter()
        .skip(framing.skipped as usize)
        .copied()
        .filter(|line| !line.trim().is_empty() && !is_comment(line))
        .collect();
    let mut format = format;
    if found && format == Format::Lines && framing.delimiter.is_none() {
        let numbers = |line: &str| -> Option<Vec<u64>> {
            line.split_ascii_whitespace().map(|item| item.parse().ok()).collect()
        };
        let ascends = |line: &&str| numbers(line).is_some_and(|items| items.is_sorted_by(|a, b| a < b));
        let long = records.iter().filter(|line| line.split_ascii_whitespace().count() > 1).count();
        if long > 1 && records.iter().all(ascends) {
            format = Format::Fimi;
            notes.push(
                "the items of every line ascend, so they are read as sets; `input-format lines` keeps their order"
                    .into(),
            );
        }
    }
    // Formats that were given, or that the name of the file gives, are known to have no person IDs.
    if found {
        notes.push("no ID column: each line counts as one person".to_owned());
    }
    Shaped { format, rows: records.len(), framing, columns: None, notes }
}

/// What comes before the rows of a file with columns.
fn frame(lines: &[&str], options: &ReadOptions) -> (Framing, Vec<String>) {
    let mut notes = Vec::new();
    let first = lines.iter().position(|line| !line.trim().is_empty()).unwrap_or(0);
    let mut at = first;
    while lines.get(at).is_some_and(|line| line.starts_with('#') || line.trim().is_empty()) {
        at += 1;
    }
    let mut hash = false;
    // The last comment may name the columns.
    if at > first
        && at < lines.len()
        && let Some(name_line) = lines[first..at].iter().rposition(|line| line.starts_with('#'))
    {
        let delimiter = options.delimiter.unwrap_or_else(|| crate::formats::guess_delimiter(lines[at]));
        let names = lines[first + name_line].trim_start_matches('#');
        let known = names.split(char::from(delimiter)).any(|name| is_role_name(name.trim()));
        if fields(names, delimiter) == fields(lines[at], delimiter) && known {
            hash = true;
            at = first + name_line;
        }
    }
    if at >= lines.len() {
        at = first;
    }
    let rest = &lines[at..];
    let delimiter = options.delimiter.unwrap_or_else(|| {
        let plain = crate::formats::guess_delimiter(rest.first().copied().unwrap_or_default());
        // A header of one column, or one that is no header, may say nothing.
        let filled: Vec<&str> = rest.iter().copied().filter(|line| !line.trim().is_empty()).collect();
        if fields(rest.first().copied().unwrap_or_default(), plain) > 1 {
            plain
        } else {
            field_delimiter(&filled).unwrap_or(plain)
        }
    });
    if at > first {
        let lines = at - first;
        notes.push(format!(
            "{lines} comment line{} before the rows passed over",
            if lines == 1 { "" } else { "s" }
        ));
    }
    let skipped = if at > first { at as u64 } else { 0 };
    (Framing { delimiter: Some(delimiter), header: !options.no_header, skipped, hash }, notes)
}

/// Whether a column may be called so because of what it is.
pub(super) fn is_role_name(name: &str) -> bool {
    const ROLES: [RoleName; 9] = [SUBJECT, RECORD, ITEM, TIME, DATE, LAT, LON, X, Y];
    let name = name.trim().trim_matches('"');
    ROLES.iter().any(|role| role.fits(name) > 1)
}
