//! JSON: an object a line, or one list of objects. Members of objects inside are named `outer.inner`; a list of plain values becomes one
//! cell, `a|b|c`.

use serde_json::{Deserializer, Map, Value};

use super::{Rows, refused};
use crate::formats::error::{Defect, InputError};

/// Depth to which objects inside objects are followed.
const DEEPEST: usize = 8;

pub(super) fn rows(file: &str, bytes: &[u8]) -> Result<Rows, InputError> {
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf][..]).unwrap_or(bytes);
    let mut rows = Rows::default();
    let mut values = Deserializer::from_slice(bytes).into_iter::<Value>();
    let (mut line, mut counted) = (1, 0);
    loop {
        let ended = values.byte_offset().min(bytes.len());
        let blank = bytes[ended..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        line += memchr::memchr_iter(b'\n', &bytes[counted..ended + blank]).count() as u64;
        counted = ended + blank;
        let Some(value) = values.next() else { break };
        match value {
            Ok(Value::Object(object)) => {
                add(file, &mut rows, &object)?;
                rows.lines.resize(rows.cells.len(), line);
            }
            Ok(Value::Array(objects)) if rows.cells.is_empty() => {
                for object in &objects {
                    match object {
                        Value::Object(object) => add(file, &mut rows, object)?,
                        _ => return Err(wrong(file, None, "a list that holds something else")),
                    }
                }
            }
            Ok(_) => return Err(wrong(file, None, "something else than an object")),
            // The library's own words may repeat what stands there.
            Err(error) => {
                let what = if error.is_eof() { "it ends inside an object" } else { "not well-formed" };
                return Err(wrong(file, Some(error.line() as u64), what));
            }
        }
    }
    if rows.cells.is_empty() {
        return Err(refused(file, Defect::Empty));
    }
    Ok(rows)
}

fn wrong(file: &str, line: Option<u64>, what: &str) -> InputError {
    let mut error = refused(file, Defect::Json { what: what.to_owned() });
    error.place.line = line;
    error
}

fn add(file: &str, rows: &mut Rows, object: &Map<String, Value>) -> Result<(), InputError> {
    if matches!(object.get("type").and_then(Value::as_str), Some("Feature" | "FeatureCollection")) {
        let what = "GeoJSON: points, and not yet events".to_owned();
        let help = format!("turn them into sequences of places: `throng prepare {file} -o DIR`");
        return Err(refused(file, Defect::Question { what, help }));
    }
    let mut cells = Vec::new();
    flatten(rows, "", object, 0, &mut cells).map_err(|what| wrong(file, None, what))?;
    rows.cells.push(cells);
    Ok(())
}

fn flatten(
    rows: &mut Rows,
    prefix: &str,
    object: &Map<String, Value>,
    depth: usize,
    cells: &mut Vec<(usize, String)>,
) -> Result<(), &'static str> {
    if depth > DEEPEST {
        return Err("objects inside objects, too deep to be columns");
    }
    for (name, value) in object {
        let name = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        if let Value::Object(inner) = value {
            flatten(rows, &name, inner, depth + 1, cells)?;
            continue;
        }
        let text = plain(value)?;
        let column = rows.column(&name);
        cells.push((column, text));
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
