//! `release.csv`: `record,item[,time]`, one row an event, in order.
//!
//! # Cost
//! Items are rendered once, not once an event. Blocks of records are rendered by all cores; one thread
//! fingerprints and writes them in order, so the bytes do not depend on the number of threads.

use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;

use rayon::prelude::*;
use throng_contract::Progress;
use throng_data::formats::write_field;
use throng_data::{ItemId, Release};

use super::sink::HashingWriter;
use super::{DirectoryError, Shuffle};

/// Records rendered as one block: a few hundred kilobytes, which stay in the cache until they are written.
const BLOCK: usize = 1 << 11;

/// Writes the events in shuffled order and returns the file's fingerprint.
pub fn write_events_csv(
    path: &Path,
    release: &Release,
    shuffle: &Shuffle,
    progress: &Progress,
) -> Result<String, DirectoryError> {
    let fail = |source| DirectoryError::io(path, source);
    let file = File::create(path).map_err(fail)?;
    let phase = progress.phase("write records", Some(release.records() as u64));
    let cells: Vec<Vec<u8>> = release.names().iter().map(|name| cell(name)).collect();
    let timed = release.events().times().is_some();
    thread::scope(|scope| {
        // A bounded channel: rendering never runs far ahead of the disk.
        let (sender, blocks) = sync_channel::<Vec<u8>>(2 * rayon::current_num_threads());
        let writer = scope.spawn(move || {
            let mut file = HashingWriter::new(file);
            file.write_all(if timed { b"record,item,time\n" } else { b"record,item\n" })?;
            for block in blocks {
                file.write_all(&block)?;
            }
            Ok(file.fingerprint())
        });
        let mut first = 1;
        for round in shuffle.order().chunks(BLOCK * rayon::current_num_threads()) {
            let rendered: Vec<Vec<u8>> = round
                .par_chunks(BLOCK)
                .enumerate()
                .map(|(block, records)| render(release, &cells, records, first + block * BLOCK))
                .collect();
            for block in rendered {
                // The receiver goes away only when writing failed; `join` below says why.
                if sender.send(block).is_err() {
                    break;
                }
            }
            first += round.len();
            phase.advance(round.len() as u64)?;
        }
        drop(sender);
        match writer.join() {
            Ok(written) => written.map_err(fail),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The rows of consecutive records; the first is numbered `first`.
///
/// Shuffled records lie anywhere in memory. Their bounds are fetched in one tight loop and their items in another, so
/// that the processor waits for many of them at a time; only then are they rendered.
fn render(release: &Release, cells: &[Vec<u8>], records: &[u32], first: usize) -> Vec<u8> {
    let (offsets, all) = (release.events().record_offsets(), release.events().items());
    let span = |record: &u32| offsets[*record as usize] as usize..offsets[*record as usize + 1] as usize;
    let spans: Vec<Range<usize>> = records.iter().map(span).collect();
    let mut items: Vec<ItemId> = Vec::with_capacity(spans.iter().map(Range::len).sum());
    spans.iter().for_each(|span| items.extend_from_slice(&all[span.clone()]));

    // Long generalised items make long rows; growing the buffer would copy them again and again.
    let text: usize = items.iter().map(|item| cells[*item as usize].len()).sum();
    let mut rows = Vec::with_capacity(text + items.len() * 12);
    let mut digits = itoa::Buffer::new();
    let mut rest = items.as_slice();
    for (position, span) in spans.into_iter().enumerate() {
        let number = digits.format(first + position).as_bytes();
        let (record, others) = rest.split_at(span.len());
        rest = others;
        for (item, at) in record.iter().zip(span) {
            rows.extend_from_slice(number);
            rows.extend_from_slice(&cells[*item as usize]);
            if let Some(times) = release.events().times() {
                rows.push(b',');
                rows.extend_from_slice(itoa::Buffer::new().format(times[at]).as_bytes());
            }
            rows.push(b'\n');
        }
    }
    rows
}

/// A comma and the item, quoted where CSV asks for it.
fn cell(name: &str) -> Vec<u8> {
    let mut cell = vec![b','];
    write_field(&mut cell, name).expect("memory takes any number of bytes");
    cell
}

#[cfg(test)]
mod tests {
    use throng_data::{Dataset, EventKind};

    use super::*;

    fn written(data: &Dataset, threads: usize) -> (String, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("release.csv");
        let release = Release::identity(data.items.clone(), data.events.clone());
        let shuffle = Shuffle::new([7; 32], data.events.records());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let hash = pool.install(|| write_events_csv(&path, &release, &shuffle, &Progress::silent())).unwrap();
        (std::fs::read_to_string(path).unwrap(), hash)
    }

    #[test]
    fn rows_are_in_order_inside_a_record_and_awkward_names_are_quoted() {
        let records = [("s", vec!["b", "a,1", "say \"hi\"", "=1+1"])];
        let data = Dataset::from_records(EventKind::Sequence, records);
        let (text, _) = written(&data, 2);
        assert_eq!(text, "record,item\n1,b\n1,\"a,1\"\n1,\"say \"\"hi\"\"\"\n1,=1+1\n");
    }

    #[test]
    fn many_blocks_give_the_same_bytes_with_any_number_of_threads() {
        let words: Vec<String> = (0..3 * BLOCK + 5).map(|i| "abc"[i % 3..].to_owned()).collect();
        let data = Dataset::from_words(words.iter().map(String::as_str));
        let one = written(&data, 1);
        assert_eq!(one, written(&data, 2));
        assert_eq!(one, written(&data, 5));
        let last = one.0.lines().last().unwrap();
        assert!(last.starts_with(&format!("{},", words.len())), "{last}");
    }
}
