//! A frame as CSV, word for word: for people, and for programs that know nothing else.

use rayon::prelude::*;

use super::Frame;
use crate::formats::sink::write_row;

/// Rows that one thread writes at a time.
const CHUNK: usize = 1 << 15;

impl Frame {
    /// All rows below the names of the columns.
    pub fn to_csv(&self) -> Vec<u8> {
        let mut text = Vec::new();
        // Writing to a `Vec` cannot fail.
        let _ = write_row(&mut text, self.columns.iter().map(|column| column.name.as_str()));
        let chunk = |chunk: usize| {
            let rows = chunk * CHUNK..((chunk + 1) * CHUNK).min(self.rows);
            let mut text = Vec::with_capacity(rows.len() * 12 * self.columns.len());
            for row in rows {
                let place = self.place(row);
                let _ = write_row(&mut text, self.columns.iter().map(|column| column.text(place)));
            }
            text
        };
        let chunks: Vec<Vec<u8>> = (0..self.rows.div_ceil(CHUNK)).into_par_iter().map(chunk).collect();
        text.reserve(chunks.iter().map(Vec::len).sum());
        chunks.iter().for_each(|chunk| text.extend_from_slice(chunk));
        text
    }
}
