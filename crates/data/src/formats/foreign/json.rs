//! JSON: an object a line, or one list of objects. Members of objects inside are named `outer.inner`; a list of plain values becomes one
//! cell, `a|b|c`.

use serde_json::{Map, Value};
use throng_contract::help;

use super::rows::{self, Row, TakeRow};
use super::{Lines, refused};
use crate::formats::error::{Defect, InputError};
use crate::limits::Limit;

/// Depth to which objects inside objects are followed.
const DEEPEST: usize = 8;

/// The file as CSV.
pub(super) fn to_csv(file: &str, bytes: &[u8]) -> Result<(Vec<u8>, Lines), InputError> {
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf][..]).unwrap_or(bytes);
    rows::to_csv(file, |take| walk(file, bytes, take))
}

/// Goes through the objects one by one: an object is parsed alone, so that a list of millions is never in memory as values.
fn walk(file: &str, bytes: &[u8], take: TakeRow<'_>) -> Result<(), InputError> {
    let mut text = Text { bytes, at: 0, line: 1 };
    text.skip_blanks();
    let is_list = text.peek() == Some(b'[');
    if is_list {
        text.at += 1;
    }
    let mut is_first = true;
    loop {
        text.skip_blanks();
        let line = text.line;
        let wrong = |what: &str| Err(wrong(file, Some(line), what));
        match (text.peek(), is_list) {
            (None, false) => return Ok(()),
            (None, true) => return wrong("it ends inside a list"),
            (Some(b']'), true) => {
                text.at += 1;
                text.skip_blanks();
                return match text.peek() {
                    None => Ok(()),
                    Some(_) => wrong("something stands behind the list"),
                };
            }
            (Some(b','), true) if !is_first => {
                text.at += 1;
                text.skip_blanks();
            }
            (Some(_), true) if !is_first => return wrong("not well-formed"),
            _ => {}
        }
        is_first = false;
        let begins = text.line;
        let object = match text.peek() {
            Some(b'{') => text.object(),
            _ if is_list => return wrong("a list that holds something else"),
            _ => return wrong("something else than an object"),
        };
        let Some(object) = object else { return wrong("it ends inside an object") };
        if !Limit::Row.allows(object.len() as u64) {
            return Err(InputError::line(file, begins, Defect::Limit(Limit::Row)));
        }
        // The library's own words may repeat what stands there.
        let object: Map<String, Value> = serde_json::from_slice(object).map_err(|error| {
            let line = begins + (error.line() as u64).saturating_sub(1);
            self::wrong(file, Some(line), "not well-formed")
        })?;
        // A list in one line says nothing by its lines, but where it is in several it does.
        let line = (!is_list).then_some(begins);
        take(row(file, &object, line)?).map_err(|defect| refused(file, defect))?;
    }
}

/// Where the walk is.
struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> Text<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        let blank = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.pass(blank);
    }

    fn pass(&mut self, count: usize) -> &'a [u8] {
        let passed = &self.bytes[self.at..self.at + count];
        self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.at += count;
        passed
    }

    /// The object that begins here, to its closing brace; `None` where there is none.
    fn object(&mut self) -> Option<&'a [u8]> {
        let (mut open, mut in_text, mut escaped) = (0_u64, false, false);
        for (count, byte) in self.bytes[self.at..].iter().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_text => escaped = true,
                b'"' => in_text = !in_text,
                b'{' if !in_text => open += 1,
                b'}' if !in_text => open -= 1,
                _ => {}
            }
            if open == 0 {
                return Some(self.pass(count + 1));
            }
        }
        None
    }
}

fn wrong(file: &str, line: Option<u64>, what: &str) -> InputError {
    let mut error = refused(file, Defect::Json { what: what.to_owned() });
    error.place.line = line;
    error
}

fn row(file: &str, object: &Map<String, Value>, line: Option<u64>) -> Result<Row, InputError> {
    if matches!(object.get("type").and_then(Value::as_str), Some("Feature" | "FeatureCollection")) {
        let what = "GeoJSON: points, and not yet events".to_owned();
        let help = help!("turn them into sequences of places: {throng prepare $ -o DIR}", file);
        return Err(refused(file, Defect::Question { what, help }));
    }
    let mut cells = Vec::new();
    flatten("", object, 0, &mut cells).map_err(|what| wrong(file, line, what))?;
    Ok(Row { line, cells })
}

fn flatten(
    prefix: &str,
    object: &Map<String, Value>,
    depth: usize,
    cells: &mut Vec<(String, String)>,
) -> Result<(), &'static str> {
    if depth > DEEPEST {
        return Err("objects inside objects, too deep to be columns");
    }
    for (name, value) in object {
        let name = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            Value::Object(inner) => flatten(&name, inner, depth + 1, cells)?,
            value => cells.push((name, plain(value)?)),
        }
    }
    Ok(())
}

fn plain(value: &Value) -> Result<String, &'static str> {
    match value {
        Value::Null => Ok(String::new()),
        Value::Bool(value) => Ok(value.to_string()),
        Value::Number(value) => Ok(value.to_string()),
        Value::String(value) => Ok(value.clone()),
        Value::Array(values) => {
            let parts: Vec<String> = values.iter().map(plain_part).collect::<Result<_, _>>()?;
            Ok(parts.join("|"))
        }
        Value::Object(_) => Err("objects inside a list cannot be columns"),
    }
}

fn plain_part(value: &Value) -> Result<String, &'static str> {
    match value {
        Value::Array(_) => Err("lists inside lists cannot be columns"),
        value => plain(value),
    }
}
