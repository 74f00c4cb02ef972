//! Points of GeoJSON lines: a feature a line, a Point with a time or a LineString with a time a position.

use serde_json::{Map, Value};
use throng_contract::Progress;
use throng_data::Coordinates;
use throng_data::formats::{BLOCK, Blocks, RECORD, RoleName, SUBJECT, Source, TIME, TimeReader};

use super::{Meter, Reading, at, check_degrees, fault};
use crate::points::error::{Fault, PrepareError};
use crate::points::point::Point;

/// Where the times of a LineString are kept.
const LINE_TIMES: RoleName = RoleName { role: "coordTimes", flag: None, aliases: &["times"], weaker: &[] };

pub(super) fn read(
    source: &Source,
    reading: &mut Reading<'_>,
    progress: &Progress,
) -> Result<(), PrepareError> {
    reading.agree_on_system(source.name(), Coordinates::Degrees)?;
    let mut blocks = Blocks::new(source.open()?, source.name(), BLOCK, false)?;
    let mut meter = Meter::new(progress, blocks.stream());
    let mut features = Features { file: source.name(), reading, times: None };
    while let Some(block) = blocks.next_block()? {
        for (line, text) in block.lines(source.name())? {
            // RFC 8142 begins every feature with a record separator.
            let text = text.trim_matches(['\u{1e}', ' ', '\t', '\r']);
            if !text.is_empty() {
                features.feature(text, line)?;
            }
        }
        meter.tell(blocks.stream().consumed())?;
        blocks.recycle(block);
    }
    Ok(())
}

struct Features<'a, 'b> {
    file: &'a str,
    reading: &'a mut Reading<'b>,
    times: Option<TimeReader>,
}

impl Features<'_, '_> {
    fn feature(&mut self, text: &str, line: u64) -> Result<(), PrepareError> {
        let fail = |what| fault(self.file, Some(line), Fault::Feature { what });
        let json: Value = serde_json::from_str(text).map_err(|error| {
            // The library's own line number is always 1 here.
            let what = error.to_string();
            let what = what.split(" at line ").next().unwrap_or_default().to_owned();
            fault(self.file, Some(line), Fault::Json { what })
        })?;
        match json["type"].as_str() {
            Some("Feature") => {}
            Some("FeatureCollection") => return Err(fault(self.file, Some(line), Fault::Collection)),
            _ => return Err(fail("a line that is not a feature")),
        }
        let properties =
            json["properties"].as_object().ok_or_else(|| fail("a feature without properties"))?;
        let options = self.reading.options;
        let subject = property(properties, SUBJECT, options.subject.as_deref())
            .and_then(text_of)
            .filter(|name| !name.is_empty())
            .ok_or_else(|| fail("a feature without a subject"))?;
        let record = property(properties, RECORD, options.record.as_deref()).and_then(text_of);
        let coordinates = json["geometry"]["coordinates"]
            .as_array()
            .ok_or_else(|| fail("a feature without coordinates"))?;
        let (positions, times): (Vec<&Value>, Vec<&Value>) = match json["geometry"]["type"].as_str() {
            Some("Point") => {
                let time = property(properties, TIME, options.time.as_deref());
                let time = time.ok_or_else(|| fail("a point without a time"))?;
                (vec![&json["geometry"]["coordinates"]], vec![time])
            }
            Some("LineString") => {
                let times = property(properties, LINE_TIMES, options.time.as_deref())
                    .or_else(|| properties.get("coordinateProperties")?.get("times"))
                    .and_then(Value::as_array)
                    .ok_or_else(|| fail("a line without times"))?;
                (coordinates.iter().collect(), times.iter().collect())
            }
            _ => return Err(fail("a feature that is neither a Point nor a LineString")),
        };
        if positions.len() != times.len() {
            return Err(fail("a line whose positions and times differ in number"));
        }
        let is_line = json["geometry"]["type"] == "LineString";
        let record = match record {
            Some(name) => self.reading.records.intern(&name),
            None if is_line => self.reading.own_record(self.file)?,
            None => self.reading.records.intern(""),
        };
        let subject = self.reading.subjects.intern(&subject);
        for (position, time) in positions.into_iter().zip(times) {
            let (Some(x), Some(y)) = (position[0].as_f64(), position[1].as_f64()) else {
                return Err(fail("a position that is not a longitude and a latitude"));
            };
            check_degrees(y, x).map_err(|(axis, defect)| at(self.file, Some(line), Some(axis), defect))?;
            let time = self.time(time, line)?;
            self.reading.points.push(Point { subject, record, time, x, y });
        }
        Ok(())
    }

    fn time(&mut self, value: &Value, line: u64) -> Result<i64, PrepareError> {
        let text = text_of(value).unwrap_or_default();
        let times = match self.times.take() {
            Some(times) => times,
            None => self.reading.time_reader(self.file, Some(line), "time", &text)?,
        };
        let time = times.read(&text).map_err(|defect| at(self.file, Some(line), Some("time"), defect));
        self.times = Some(times);
        Ok(time?)
    }
}

/// The property of a role: as the user named it, or by one of the role's names.
fn property<'a>(
    properties: &'a Map<String, Value>,
    role: RoleName,
    named: Option<&str>,
) -> Option<&'a Value> {
    match named {
        Some(named) => properties.get(named),
        None => {
            properties.get(role.role).or_else(|| role.aliases.iter().find_map(|alias| properties.get(*alias)))
        }
    }
}

/// A name or a number as text.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
