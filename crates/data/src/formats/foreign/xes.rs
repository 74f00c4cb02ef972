//! XES event logs (IEEE 1849): traces of events with attributes. A row an event; attributes of its trace are named `case:KEY`, as other tools
//! do when they write a log as a table.

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::rows::{self, Row, TakeRow};
use super::{Lines, refused};
use crate::formats::error::{Defect, InputError};

/// Elements that carry a key and a plain value.
const PLAIN: [&str; 6] = ["string", "date", "int", "float", "boolean", "id"];

/// The log as CSV.
pub(super) fn to_csv(file: &str, bytes: &[u8]) -> Result<(Vec<u8>, Lines), InputError> {
    rows::to_csv(file, |take| walk(file, bytes, take))
}

fn walk(file: &str, bytes: &[u8], take: TakeRow<'_>) -> Result<(), InputError> {
    let mut xml = Reader::from_reader(bytes);
    let mut log = Log::default();
    let mut buffer = Vec::new();
    let (mut line, mut counted) = (1, 0);
    loop {
        let begins = usize::try_from(xml.buffer_position()).map_or(bytes.len(), |at| at.min(bytes.len()));
        line += memchr::memchr_iter(b'\n', &bytes[counted..begins]).count() as u64;
        counted = begins;
        let wrong = |what: String| InputError::line(file, line, Defect::Xes { what });
        let event = xml.read_event_into(&mut buffer).map_err(|error| wrong(error.to_string()))?;
        match event {
            Event::Start(tag) => {
                log.start(&tag, line).map_err(wrong)?;
                log.open.push(tag.local_name().as_ref().to_owned());
            }
            Event::Empty(tag) => {
                log.start(&tag, line).map_err(wrong)?;
                log.end(tag.local_name().as_ref(), take).map_err(|defect| refused(file, defect))?;
            }
            Event::End(_) => match log.open.pop() {
                Some(name) => log.end(&name, take).map_err(|defect| refused(file, defect))?,
                None => return Err(wrong("an element ends that did not begin".to_owned())),
            },
            Event::Eof => break,
            _ => {}
        }
        buffer.clear();
    }
    let wrong = |what: &str| refused(file, Defect::Xes { what: what.to_owned() });
    if !log.open.is_empty() {
        return Err(wrong("it ends inside an element"));
    }
    if log.events == 0 {
        return Err(wrong("no event is in it"));
    }
    Ok(())
}

/// What was read so far.
#[derive(Default)]
struct Log {
    events: u64,
    open: Vec<String>,
    of_trace: Vec<(String, String)>,
    of_event: Vec<(String, String)>,
    /// The line at which the event begins.
    begun: u64,
}

impl Log {
    fn start(&mut self, tag: &BytesStart<'_>, line: u64) -> Result<(), String> {
        let local = tag.local_name();
        let name = local.as_ref();
        let inside = self.open.last().map(String::as_str);
        match (name, inside) {
            ("trace", _) => self.of_trace.clear(),
            ("event", _) => {
                self.of_event.clear();
                self.begun = line;
            }
            (name, Some(owner @ ("trace" | "event"))) if PLAIN.contains(&name) => {
                let value = |wanted: &str| -> Result<Option<String>, String> {
                    let Some(attribute) = tag.try_get_attribute(wanted).map_err(|error| error.to_string())?
                    else {
                        return Ok(None);
                    };
                    let text = attribute.normalized_value(XmlVersion::Implicit1_0);
                    // The library's own words repeat a part of the value.
                    text.map(|text| Some(text.into_owned()))
                        .map_err(|_| "an entity that XML does not define".to_owned())
                };
                let (Some(key), Some(value)) = (value("key")?, value("value")?) else {
                    return Err(format!("an attribute `{name}` without key or value"));
                };
                if owner == "trace" {
                    self.of_trace.push((format!("case:{key}"), value));
                } else {
                    self.of_event.push((key, value));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &str, take: TakeRow<'_>) -> Result<(), Defect> {
        // An attribute of a trace may stand behind its events; none is known to do so, and it would be lost for these.
        if name == "event" {
            self.events += 1;
            let cells = self.of_trace.iter().cloned().chain(self.of_event.drain(..)).collect();
            take(Row { line: Some(self.begun), cells })?;
        }
        Ok(())
    }
}
