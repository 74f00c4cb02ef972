//! The text of a column, page by page.
//!
//! The library counts references to each value, and taking and dropping those costs more than all the rest. Here a value is a place in its
//! page, and one that is stored once for many rows is known by its number. Read is what nearly every file has: plain pages and
//! those of a dictionary, of a column whose values may be missing, but not nested. [`TextPages::can_read`] says whether a column is of that
//! kind; the library reads the others.
//!
//! # Guarantees
//! A damaged page is an error; no more values are given than the file's footer says there are.

use std::sync::Arc;

use ::parquet::basic::{Encoding, Type as Physical};
use ::parquet::column::page::{Page, PageReader};
use ::parquet::data_type::ByteArray;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ColumnChunkMetaData;
use bytes::Bytes;

use super::hybrid::Hybrid;

/// Why no text could be read.
#[derive(Debug)]
pub(super) enum Broken {
    /// The file is damaged, or of a kind that the library does not know.
    Library(ParquetError),
    /// The page does not hold what it says.
    Damaged,
    /// The value after so many more is missing.
    Missing(usize),
}

impl From<ParquetError> for Broken {
    fn from(error: ParquetError) -> Self {
        Broken::Library(error)
    }
}

/// Values of some rows.
#[derive(Debug, Default)]
pub(super) struct Texts {
    dictionary: Arc<Entries>,
    pages: Vec<Bytes>,
    places: Vec<Place>,
}

/// The values of a dictionary.
#[derive(Debug, Default)]
struct Entries {
    page: Bytes,
    places: Vec<(u32, u32)>,
}

/// Where a value is: in a page, from a byte on; or the number of a value of the dictionary.
#[derive(Debug, Clone, Copy)]
struct Place {
    page: u32,
    start: u32,
    len: u32,
}

/// Stands for the dictionary where a page is named.
const DICTIONARY: u32 = u32::MAX;

impl Texts {
    /// Values that the library gave.
    pub fn of(values: &[ByteArray]) -> Self {
        let mut texts = Texts::default();
        for value in values {
            // One page for each: only columns that are read in no other way come here.
            let page = texts.pages.len() as u32;
            let bytes = Bytes::copy_from_slice(value.data());
            texts.places.push(Place { page, start: 0, len: bytes.len() as u32 });
            texts.pages.push(bytes);
        }
        texts
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// A value.
    pub fn get(&self, value: usize) -> &[u8] {
        let Place { page, start, len } = self.places[value];
        let (page, start, len) = match page {
            DICTIONARY => {
                let (start, len) = self.dictionary.places[start as usize];
                (&self.dictionary.page, start, len)
            }
            page => (&self.pages[page as usize], start, len),
        };
        &page[start as usize..][..len as usize]
    }

    /// The number of a value in the dictionary, if it is there.
    pub fn code(&self, value: usize) -> Option<u32> {
        let place = self.places[value];
        (place.page == DICTIONARY).then_some(place.start)
    }

    /// How many values the dictionary has.
    pub fn codes(&self) -> usize {
        self.dictionary.places.len()
    }
}

/// What is left of a page.
enum Rest {
    Plain { page: Bytes, at: usize },
    Codes(Hybrid),
}

/// A column of a row group, read from the beginning.
pub(super) struct TextPages {
    pages: Box<dyn PageReader>,
    /// Whether values may be missing, so that a level stands before each.
    optional: bool,
    dictionary: Option<Arc<Entries>>,
    rest: Rest,
    /// Values that are left of the page.
    left: usize,
    /// Values that later pages may have.
    remaining: u64,
}

impl TextPages {
    /// Whether a column is of the kind that is read here.
    pub fn can_read(chunk: &ColumnChunkMetaData) -> bool {
        let descriptor = chunk.column_descr();
        let known = |encoding: Encoding| {
            matches!(
                encoding,
                Encoding::PLAIN | Encoding::RLE | Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY
            )
        };
        descriptor.physical_type() == Physical::BYTE_ARRAY
            && descriptor.max_rep_level() == 0
            && descriptor.max_def_level() <= 1
            && chunk.encodings().all(known)
    }

    /// The pages of such a column.
    pub fn new(pages: Box<dyn PageReader>, chunk: &ColumnChunkMetaData) -> Self {
        TextPages {
            pages,
            optional: chunk.column_descr().max_def_level() > 0,
            dictionary: None,
            rest: Rest::Plain { page: Bytes::new(), at: 0 },
            left: 0,
            remaining: u64::try_from(chunk.num_values()).unwrap_or(0),
        }
    }

    /// Up to `limit` values, fewer only at the end.
    pub fn read(&mut self, limit: usize) -> Result<Texts, Broken> {
        let mut texts = Texts { places: Vec::with_capacity(limit), ..Texts::default() };
        while texts.len() < limit {
            if self.left == 0 {
                match self.pages.get_next_page()? {
                    Some(page) => self.turn(page, texts.len())?,
                    None => break,
                }
                continue;
            }
            let count = self.left.min(limit - texts.len());
            match &mut self.rest {
                Rest::Plain { page, at } => plain(page, at, count, &mut texts)?,
                Rest::Codes(codes) => {
                    let known = self.dictionary.as_ref().map_or(0, |entries| entries.places.len()) as u32;
                    let places = &mut texts.places;
                    let push = |start| {
                        places.push(Place { page: DICTIONARY, start, len: 0 });
                        start < known
                    };
                    if !codes.take(count, push) {
                        return Err(Broken::Damaged);
                    }
                }
            }
            self.left -= count;
        }
        texts.dictionary = self.dictionary.clone().unwrap_or_default();
        Ok(texts)
    }

    /// Turns to the next page, `before` values into what is being read.
    fn turn(&mut self, page: Page, before: usize) -> Result<(), Broken> {
        let (page, count, encoding, levels) = match page {
            Page::DictionaryPage { buf, num_values, .. } => {
                if self.dictionary.is_some() {
                    return Err(Broken::Damaged);
                }
                self.dictionary = Some(Arc::new(entries(buf, num_values)?));
                return Ok(());
            }
            Page::DataPage { buf, num_values, encoding, .. } => {
                // The levels come with their length.
                let (levels, rest) = match self.optional {
                    true => {
                        let len = length_at(&buf, 0)?;
                        (part(&buf, 4, len)?, 4 + len)
                    }
                    false => (Bytes::new(), 0),
                };
                (buf.slice(rest..), num_values, encoding, levels)
            }
            Page::DataPageV2 {
                buf, num_values, encoding, def_levels_byte_len, rep_levels_byte_len, ..
            } => {
                let (repeated, defined) = (rep_levels_byte_len as usize, def_levels_byte_len as usize);
                let levels = part(&buf, repeated, defined)?;
                (buf.slice(repeated + defined..), num_values, encoding, levels)
            }
        };
        self.remaining = self.remaining.checked_sub(u64::from(count)).ok_or(Broken::Damaged)?;
        let count = count as usize;
        if self.optional {
            let (mut seen, mut missing) = (0, false);
            let all = Hybrid::new(levels, 1).take(count, |level| {
                missing = level == 0;
                seen += usize::from(!missing);
                !missing
            });
            if missing {
                return Err(Broken::Missing(before + seen));
            }
            if !all {
                return Err(Broken::Damaged);
            }
        }
        self.left = count;
        self.rest = match encoding {
            Encoding::PLAIN => Rest::Plain { page, at: 0 },
            Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY => match page.first() {
                Some(width @ 0..=32) => Rest::Codes(Hybrid::new(page.slice(1..), *width)),
                None if count == 0 => Rest::Plain { page, at: 0 },
                _ => return Err(Broken::Damaged),
            },
            _ => return Err(Broken::Damaged),
        };
        Ok(())
    }
}

/// Values of a plain page: the length of each, then its bytes.
fn plain(page: &Bytes, at: &mut usize, count: usize, texts: &mut Texts) -> Result<(), Broken> {
    let number = texts.pages.len() as u32;
    texts.pages.push(page.clone());
    for _ in 0..count {
        let (start, len) = next(page, at)?;
        texts.places.push(Place { page: number, start, len });
    }
    Ok(())
}

fn entries(page: Bytes, count: u32) -> Result<Entries, Broken> {
    let mut at = 0;
    let places = (0..count).map(|_| next(&page, &mut at)).collect::<Result<_, _>>()?;
    Ok(Entries { page, places })
}

/// Where the next value of a plain page is, and how long.
fn next(page: &Bytes, at: &mut usize) -> Result<(u32, u32), Broken> {
    let len = length_at(page, *at)?;
    let start = *at + 4;
    if page.len() - start < len {
        return Err(Broken::Damaged);
    }
    *at = start + len;
    // A page has fewer than 2^31 bytes.
    Ok((start as u32, len as u32))
}

fn length_at(page: &Bytes, at: usize) -> Result<usize, Broken> {
    let bytes = page.get(at..).and_then(|rest| rest.first_chunk::<4>()).ok_or(Broken::Damaged)?;
    Ok(u32::from_le_bytes(*bytes) as usize)
}

fn part(page: &Bytes, from: usize, len: usize) -> Result<Bytes, Broken> {
    let to = from.checked_add(len).filter(|to| *to <= page.len()).ok_or(Broken::Damaged)?;
    Ok(page.slice(from..to))
}
