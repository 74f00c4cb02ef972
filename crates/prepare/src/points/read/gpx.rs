//! Points of GPX tracks. A track is a record; the person is the file, or the track's name if that is asked for.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use memchr::memchr_iter;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use throng_contract::Progress;
use throng_data::Coordinates;
use throng_data::formats::{Defect, Shape, Source, TimeReader};

use super::{Meter, Reading, at, check_degrees, fault};
use crate::points::error::{Fault, PrepareError};
use crate::points::point::Point;

pub(super) fn read(
    source: &Source,
    reading: &mut Reading<'_>,
    progress: &Progress,
) -> Result<(), PrepareError> {
    reading.agree_on_system(source.name(), Coordinates::Degrees)?;
    let stream = source.open()?;
    let mut meter = Meter::new(progress, &stream);
    let mut xml = Reader::from_reader(Lines { inner: BufReader::new(stream), line: 1 });
    let mut document = Document::new(source, reading);
    let mut buffer = Vec::new();
    let mut events = 0_u32;
    loop {
        buffer.clear();
        let event = xml.read_event_into(&mut buffer);
        let line = xml.get_ref().line;
        let broken = |what: String| fault(source.name(), Some(line), Fault::Xml { what });
        match event.map_err(|error| broken(error.to_string()))? {
            Event::Start(tag) => document.start(&tag, line)?,
            Event::Empty(tag) => {
                document.start(&tag, line)?;
                document.end(line)?;
            }
            Event::End(_) => document.end(line)?,
            Event::Text(text) => document.text.push_str(&text),
            Event::CData(text) => document.text.push_str(&text),
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref().map_err(|error| broken(error.to_string()))?;
                match (character, resolve_predefined_entity(&reference)) {
                    (Some(character), _) => document.text.push(character),
                    (None, Some(text)) => document.text.push_str(text),
                    (None, None) => return Err(broken("an entity that XML does not define".to_owned())),
                }
            }
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
        events += 1;
        if events.is_multiple_of(4096) {
            meter.tell(xml.get_ref().inner.get_ref().consumed())?;
        }
    }
    let line = xml.get_ref().line;
    if !document.open.is_empty() {
        return Err(fault(
            source.name(),
            Some(line),
            Fault::Xml { what: "it ends inside an element".to_owned() },
        ));
    }
    if reading.points.len() == reading.before {
        return Err(fault(source.name(), None, Fault::NoTrackPoint));
    }
    Ok(())
}

/// The elements that matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Element {
    Track,
    Point,
    Time,
    Name,
    Other,
}

/// The state while walking through a file.
struct Document<'a, 'b> {
    file: &'a str,
    /// The person, unless tracks name them.
    person: Option<String>,
    reading: &'a mut Reading<'b>,
    open: Vec<Element>,
    /// Text since the last tag.
    text: String,
    /// Where nothing may stand that stands only once: a track in a track, a point in a point or outside every track, would be
    /// counted for another person.
    in_track: bool,
    in_point: bool,
    /// The first point and the name of the open track.
    track: usize,
    name: Option<String>,
    record: u32,
    position: [f64; 2],
    time: Option<i64>,
    times: Option<TimeReader>,
}

impl<'a, 'b> Document<'a, 'b> {
    fn new(source: &'a Source, reading: &'a mut Reading<'b>) -> Self {
        let by_track = reading.options.subject.as_deref() == Some("name") || source.name() == "-";
        Document {
            file: source.name(),
            person: (!by_track).then(|| stem(source.name())),
            in_track: false,
            in_point: false,
            track: reading.points.len(),
            reading,
            open: Vec::new(),
            text: String::new(),
            name: None,
            record: 0,
            position: [0.0; 2],
            time: None,
            times: None,
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>, line: u64) -> Result<(), PrepareError> {
        self.text.clear();
        let element = match (tag.local_name().as_ref(), self.open.last()) {
            ("trk", _) => Element::Track,
            ("trkpt", _) => Element::Point,
            ("time", Some(Element::Point)) => Element::Time,
            ("name", Some(Element::Track)) => Element::Name,
            _ => Element::Other,
        };
        self.open.push(element);
        let misplaced = |what: &str| fault(self.file, Some(line), Fault::Xml { what: what.to_owned() });
        match element {
            Element::Track if self.in_track => return Err(misplaced("a track stands inside another")),
            Element::Point if !self.in_track => {
                return Err(misplaced("a track point stands outside every track"));
            }
            Element::Point if self.in_point => return Err(misplaced("a track point stands inside another")),
            Element::Track => {
                self.in_track = true;
                self.track = self.reading.points.len();
                self.name = None;
                self.record = self.reading.own_record(self.file)?;
            }
            Element::Point => {
                let (lat, lon) = (self.coordinate(tag, "lat", line)?, self.coordinate(tag, "lon", line)?);
                check_degrees(lat, lon)
                    .map_err(|(column, defect)| at(self.file, Some(line), Some(column), defect))?;
                self.position = [lon, lat];
                self.time = None;
                self.in_point = true;
            }
            _ => {}
        }
        Ok(())
    }

    fn coordinate(&self, tag: &BytesStart<'_>, name: &'static str, line: u64) -> Result<f64, PrepareError> {
        let broken = |what: String| fault(self.file, Some(line), Fault::Xml { what });
        let attribute = tag
            .try_get_attribute(name)
            .map_err(|error| broken(error.to_string()))?
            .ok_or_else(|| fault(self.file, Some(line), Fault::TrackPoint { lacks: name }))?;
        // The library's own words repeat a part of the value.
        let text = attribute
            .normalized_value(XmlVersion::Implicit1_0)
            .map_err(|_| broken("an entity that XML does not define".to_owned()))?;
        let value: Option<f64> = text.trim().parse().ok().filter(|value: &f64| value.is_finite());
        value.ok_or_else(|| {
            at(self.file, Some(line), Some(name), Defect::Number { found: Shape::of(text.trim()) }).into()
        })
    }

    fn end(&mut self, line: u64) -> Result<(), PrepareError> {
        match self.open.pop() {
            Some(Element::Time) => {
                let text = self.text.trim();
                if self.times.is_none() {
                    self.times = Some(self.reading.time_reader(self.file, Some(line), "time", text)?);
                }
                if let Some(times) = &self.times {
                    let time = times.read(text);
                    self.time = Some(time.map_err(|defect| at(self.file, Some(line), Some("time"), defect))?);
                }
            }
            Some(Element::Name) => self.name = Some(self.text.trim().to_owned()),
            Some(Element::Point) => {
                let Some(time) = self.time else {
                    return Err(fault(self.file, Some(line), Fault::TrackPoint { lacks: "time" }));
                };
                self.in_point = false;
                let [x, y] = self.position;
                self.reading.points.push(Point { subject: 0, record: self.record, time, x, y });
            }
            Some(Element::Track) => {
                self.in_track = false;
                // The name may come after the points.
                let person = self.person.as_ref().or(self.name.as_ref()).filter(|name| !name.is_empty());
                let person = person.ok_or_else(|| fault(self.file, Some(line), Fault::UnnamedTrack))?;
                let subject = self.reading.subjects.intern(person);
                for point in &mut self.reading.points[self.track..] {
                    point.subject = subject;
                }
            }
            Some(Element::Other) | None => {}
        }
        Ok(())
    }
}

/// `anna` for `tracks/anna.gpx.gz`.
fn stem(name: &str) -> String {
    let file = Path::new(name).file_name().map_or(name.into(), |name| name.to_string_lossy());
    let plain = file.strip_suffix(".gz").or(file.strip_suffix(".zst")).unwrap_or(&file);
    plain.rsplit_once('.').map_or(plain, |(stem, _)| stem).to_owned()
}

/// Counts the lines that were taken.
struct Lines<R> {
    inner: R,
    line: u64,
}

impl<R: BufRead> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.fill_buf()?.read(buffer)?;
        self.consume(got);
        Ok(got)
    }
}

impl<R: BufRead> BufRead for Lines<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // What is about to be consumed is in the buffer: no reading, and so no failure, happens here.
        if let Ok(buffer) = self.inner.fill_buf() {
            self.line += memchr_iter(b'\n', &buffer[..amount.min(buffer.len())]).count() as u64;
        }
        self.inner.consume(amount);
    }
}
