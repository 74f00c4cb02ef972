//! Times as they are written in files, to whole numbers.
//!
//! How a file writes its times is found by trying: numbers, ISO-8601, times of day, then the common written forms (`date_forms`). Where days and
//! months could be swapped (`03/04/2024`), both readings are kept up until some value allows one only; what no value decides is asked.

mod forms;
mod values;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::{Defect, Shape};
use super::options::TimeKind;
use forms::{forms_of, swapped};
use values::{FRACTIONS, clock, formatted, fraction, iso, swap_day_and_month, whole};

/// Reads times of one kind. Fractions of a second are cut off.
#[derive(Debug, Clone)]
pub struct TimeReader {
    /// How times are written.
    pub kind: TimeKind,
    format: String,
    /// The same form with day and month swapped, while values may be either.
    twin: Option<Arc<Twin>>,
}

/// What the values say about days and months.
#[derive(Debug)]
struct Twin {
    format: String,
    /// Some value cannot be read in the first form.
    refutes_first: AtomicBool,
    /// Some value cannot be read in the form of the twin.
    refutes_twin: AtomicBool,
}

impl TimeReader {
    /// The reader for a file, by its first time.
    pub fn for_file(first: &str, format: Option<&str>) -> Result<Self, Defect> {
        TimeReader::for_values([first], format)
    }

    /// The reader for a file, by some of its times, the first one first: the format the user gave, or the form that all of them have. Where
    /// none has, the form of the first, so that the value at fault is found when it is read.
    pub fn for_values<'v, V>(values: V, format: Option<&str>) -> Result<Self, Defect>
    where
        V: IntoIterator<Item = &'v str, IntoIter: Clone>,
    {
        let of_kind = |kind| TimeReader { kind, format: String::new(), twin: None };
        if let Some(format) = format {
            return Ok(TimeReader { format: format.to_owned(), ..of_kind(TimeKind::Formatted) });
        }
        let values = values.into_iter().map(str::trim);
        let first = values.clone().next().unwrap_or_default();
        if fraction(first).is_some() {
            let fractions = || values.clone().all(|text| fraction(text).is_some());
            let whole = |text: &str| whole(text.as_bytes()).is_some();
            let kind = match whole(first) && (values.clone().all(whole) || !fractions()) {
                true => TimeKind::Whole,
                false => TimeKind::Fraction,
            };
            return Ok(of_kind(kind));
        }
        match iso(first) {
            Some((_, true)) => return Ok(of_kind(TimeKind::Zoned)),
            Some((_, false)) => return Ok(of_kind(TimeKind::Local)),
            None => {}
        }
        if clock(first).is_some() {
            return Ok(of_kind(TimeKind::Clock));
        }
        let forms = forms_of(first);
        let fits_all = |form: &&String| values.clone().all(|text| formatted(form, text).is_some());
        let fitting: Vec<&String> = forms.iter().filter(fits_all).collect();
        let Some(format) = fitting.first().copied().or(forms.first()) else {
            return Err(Defect::Time {
                expected: "a number, an ISO-8601 time or another common form",
                found: Shape::of(first),
                help: "give the format with {time-format}, for example \"%d/%m/%Y %H:%M\"",
            });
        };
        let twin = swapped(format).filter(|twin| fitting.contains(&twin));
        let twin = twin.map(|format| Twin {
            format,
            refutes_first: AtomicBool::new(false),
            refutes_twin: AtomicBool::new(false),
        });
        Ok(TimeReader { format: format.clone(), twin: twin.map(Arc::new), ..of_kind(TimeKind::Formatted) })
    }

    /// The form that was found or given, in the letters of `strptime`; `None` for numbers, ISO-8601 and times of day.
    pub fn format(&self) -> Option<&str> {
        if self.kind != TimeKind::Formatted {
            return None;
        }
        match &self.twin {
            Some(twin) if twin.refutes_first.load(Ordering::Relaxed) => Some(&twin.format),
            _ => Some(&self.format),
        }
    }

    /// Whether nothing read so far tells days from months.
    pub fn is_undecided(&self) -> bool {
        self.twin.as_ref().is_some_and(|twin| {
            !twin.refutes_first.load(Ordering::Relaxed) && !twin.refutes_twin.load(Ordering::Relaxed)
        })
    }

    /// The time as a number: itself, or seconds since 1970. Where days and months are not told apart yet, [`TimeReader::settle`]
    /// has to be asked when all was read.
    pub fn read(&self, text: &str) -> Result<i64, Defect> {
        let time = self.read_finely(text)?;
        Ok(if self.kind == TimeKind::Fraction { time.div_euclid(FRACTIONS) } else { time })
    }

    /// The time as a number to put events in order by: with fractions, where they are written. [`TimeReader::coarsen`] takes them away.
    pub(super) fn read_finely(&self, text: &str) -> Result<i64, Defect> {
        if self.kind == TimeKind::Whole
            && let Some(time) = whole(text.as_bytes())
        {
            return Ok(time);
        }
        let text = text.trim();
        let time = match self.kind {
            TimeKind::Whole => whole(text.as_bytes()),
            TimeKind::Fraction => fraction(text),
            TimeKind::Local => iso(text).filter(|(_, zoned)| !zoned).map(|(time, _)| time),
            TimeKind::Zoned => iso(text).filter(|(_, zoned)| *zoned).map(|(time, _)| time),
            TimeKind::Clock => clock(text),
            TimeKind::Formatted => self.formatted(text),
        };
        time.ok_or_else(|| Defect::Time {
            expected: self.expected(),
            found: Shape::of(text),
            help: match self.kind {
                TimeKind::Formatted => "correct the value, or give the format with {time-format}",
                _ => "write all times of a file in one form, as the first row has it",
            },
        })
    }

    fn formatted(&self, text: &str) -> Option<i64> {
        let time = formatted(&self.format, text);
        let Some(twin) = &self.twin else { return time };
        let other = formatted(&twin.format, text);
        match (time, other) {
            (None, Some(_)) => twin.refutes_first.store(true, Ordering::Relaxed),
            (Some(_), None) => twin.refutes_twin.store(true, Ordering::Relaxed),
            _ => {}
        }
        time.or(other)
    }

    /// Sets right the times of a file in which some value told days from months. An error where none did, or where both forms occur.
    pub fn settle<'t>(&self, times: impl Iterator<Item = &'t mut i64>) -> Result<(), Defect> {
        let Some(twin) = &self.twin else { return Ok(()) };
        let refuted = (twin.refutes_first.load(Ordering::Relaxed), twin.refutes_twin.load(Ordering::Relaxed));
        match refuted {
            (false, true) => Ok(()),
            // A value with a day above twelve was read in the form of the twin; any other had its day and month swapped.
            (true, false) => {
                times.for_each(|time| *time = swap_day_and_month(*time));
                Ok(())
            }
            (first, _) => Err(Defect::DayOrMonth {
                both: first,
                first: self.format.clone(),
                second: twin.format.clone(),
            }),
        }
    }

    /// Takes away the fractions of times that were read finely.
    pub(super) fn coarsen(&self, times: &mut [i64]) {
        if self.kind == TimeKind::Fraction {
            times.iter_mut().for_each(|time| *time = time.div_euclid(FRACTIONS));
        }
    }

    fn expected(&self) -> &'static str {
        match self.kind {
            TimeKind::Whole => "a whole number, as in the rows before",
            TimeKind::Fraction => "a number, as in the rows before",
            TimeKind::Local => "an ISO-8601 time without a zone, as in the rows before",
            TimeKind::Zoned => "an ISO-8601 time with a zone, as in the rows before",
            TimeKind::Clock => "a time of day, as in the rows before",
            TimeKind::Formatted => "a time in the form of the rows before, or of `time-format`",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(first: &str, format: Option<&str>, text: &str) -> Result<i64, String> {
        let reader = TimeReader::for_file(first, format).map_err(|defect| defect.to_string())?;
        reader.read(text).map_err(|defect| defect.to_string())
    }

    #[test]
    fn whole_numbers_are_kept() {
        assert_eq!(read("1", None, "-42"), Ok(-42));
        assert_eq!(read("1", None, "9223372036854775807"), Ok(i64::MAX));
        assert!(read("1", None, "9223372036854775808").is_err());
        assert_eq!(read("1", None, " 7 "), Ok(7));
    }

    #[test]
    fn iso_times_become_seconds_since_1970() {
        assert_eq!(read("1970-01-02", None, "1970-01-02"), Ok(86_400));
        assert_eq!(read("1970-01-02", None, "1970-01-01 00:01"), Ok(60));
        assert_eq!(read("1970-01-02", None, "1969-12-31T23:59:59"), Ok(-1));
        assert_eq!(read("1970-01-01T00:00:00Z", None, "1970-01-01T02:00:00+02:00"), Ok(0));
        assert_eq!(read("1970-01-01T00:00:00Z", None, "1970-01-01T00:00:01.75Z"), Ok(1));
    }

    #[test]
    fn formats_of_the_user_are_followed() {
        let format = Some("%d/%m/%Y %H:%M");
        assert_eq!(read("02/01/1970 00:01", format, "02/01/1970 00:01"), Ok(86_460));
        assert_eq!(read("", Some("%H:%M"), "01:00"), Ok(3600));
        assert!(read("", format, "1970-01-02").is_err());
    }

    #[test]
    fn common_forms_are_found_by_trying() {
        let day = Ok(86_400);
        for text in [
            "1970/01/02",
            "1970/01/02 00:00:00",
            "1970.01.02",
            "02.01.1970",
            "2 Jan 1970",
            "02-Jan-1970",
            "02-Jan-70",
            "Jan 2, 1970",
            "January 2, 1970",
            "02/Jan/1970:00:00:00 +0000",
            "Fri, 02 Jan 1970 00:00:00 +0000",
            "Fri Jan 02 00:00:00 +0000 1970",
            "1970-01-02 12:00:00 AM",
            "1970/01/02 00:00:00.5",
        ] {
            assert_eq!(read(text, None, text), day, "{text}");
        }
        assert_eq!(read("25:10:00", None, "25:10:05"), Ok(90_605));
        assert_eq!(read("9:05", None, "9:05"), Ok(9 * 3600 + 300));
        assert!(read("12:70", None, "12:70").is_err());
    }

    #[test]
    fn numbers_with_fractions_are_cut_and_keep_their_order() {
        let reader = TimeReader::for_values(["1333909229", "1333909229.75"], None).unwrap();
        assert_eq!(reader.kind, TimeKind::Fraction);
        assert_eq!(reader.read("1333909229.75").unwrap(), 1_333_909_229);
        assert!(reader.read_finely("1.25").unwrap() < reader.read_finely("1.3").unwrap());
        assert_eq!(reader.read("-0.5").unwrap(), -1);
        assert!(reader.read("1.2.3").is_err());
    }

    #[test]
    fn days_and_months_are_told_apart_by_all_values_or_asked() {
        let settled = |values: &[&str]| {
            let reader = TimeReader::for_file(values[0], None).map_err(|defect| defect.to_string())?;
            let mut times: Vec<i64> = values
                .iter()
                .map(|text| reader.read(text))
                .collect::<Result<_, _>>()
                .map_err(|defect| defect.to_string())?;
            reader.settle(times.iter_mut()).map_err(|defect| defect.to_string())?;
            Ok::<_, String>((reader.format().unwrap_or_default().to_owned(), times))
        };
        let (form, times) = settled(&["02/01/1970", "13/01/1970"]).unwrap();
        assert_eq!((form.as_str(), &times[..]), ("%d/%m/%Y", &[86_400, 12 * 86_400][..]));
        let (form, times) = settled(&["01/02/1970 00:00", "01/13/1970 00:00"]).unwrap();
        assert_eq!((form.as_str(), &times[..]), ("%m/%d/%Y %H:%M", &[86_400, 12 * 86_400][..]));
        assert!(settled(&["01/02/1970", "03/04/1970"]).unwrap_err().contains("day or a month"));
        assert!(settled(&["01/13/1970", "13/01/1970"]).is_err());
        assert!(settled(&["01/02/1970", "01/13/1970", "13/01/1970"]).is_err());
    }

    #[test]
    fn kinds_do_not_mix() {
        assert!(read("1", None, "1970-01-02").unwrap_err().contains("as in the rows before"));
        assert!(read("1970-01-02T00:00:00", None, "1970-01-02T00:00:00Z").is_err());
        assert!(read("soon", None, "1").unwrap_err().contains("found text of 4 characters"));
    }
}
