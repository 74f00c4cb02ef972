//! Crowds counted for many targets at once.
//!
//! Where items are common, nearly every record has to be looked at for every target. Then it pays to turn the records
//! into columns: for each clue the first and the last place in a record where it fits. Of two known events one may
//! come before the other where the first place of the one lies before the last place of the other. Of more, the same must
//! hold for neighbours; and that is enough where those in the middle fit one place only, or where first places, and after
//! them last places, are in order. The few other records are looked at one by one. Events in no order need be there as often
//! as they are known. Columns are made for a block of records at a time, which stays in the cache; two columns are compared once
//! for all targets, and leave one bit a record.
//!
//! # Cost
//! A comparison for each two columns that some target has as neighbours: about 0.1 ms for a million records. Then a few instructions for
//! 64 records, for each target and known event.

use std::collections::BTreeMap;

use rayon::prelude::*;
use throng_contract::{Cancelled, Progress};
use throng_data::ItemId;

use super::attacker::MOST_KNOWN;
use super::crowd::Crowd;
use super::knowledge::Clue;
use super::point::Reach;
use super::search::is_part;
use super::secrets::Guess;

/// Records in a block, unless one person has more.
const BLOCK: usize = 1 << 10;

/// What is known of one target, with one event after the other: numbers of columns.
struct Job {
    /// Where the counts of the job begin.
    row: usize,
    steps: Vec<Step>,
}

struct Step {
    clues: Vec<Clue>,
    columns: Vec<u32>,
    /// Pairs of columns, what comes first in the one, and last in the other. Without order, the first is how often
    /// an event is known again.
    all: Vec<(u32, u32)>,
    /// The numbers of those that the step before did not have.
    pairs: Vec<u32>,
    /// Whether whoever fits also fitted the step before.
    narrows: bool,
}

/// Counts whoever fits, for each target with two known events, three, and so on, as far as all of them are common.
/// Nothing when records are too long for it.
pub(super) fn count(
    usable: &[Vec<Vec<Clue>>],
    crowd: &Crowd<'_>,
    progress: &Progress,
) -> Result<Vec<Vec<Option<Reach>>>, Cancelled> {
    let mut reached: Vec<Vec<Option<Reach>>> = usable.iter().map(|levels| vec![None; levels.len()]).collect();
    if !crowd.has_columns() {
        return Ok(reached);
    }
    let mut clues: Vec<Clue> =
        usable.iter().flatten().filter(|known| known.len() > 1).flatten().copied().collect();
    clues.sort_unstable();
    clues.dedup();
    clues.retain(|clue| crowd.is_common(*clue));
    // What fits the same released items is the same to whoever looks at places only.
    let mut clues: Vec<&[ItemId]> = clues.into_iter().map(|clue| crowd.released(clue)).collect();
    clues.sort_unstable();
    clues.dedup();

    let width = 1 + crowd.secrets().map_or(0, |secrets| secrets.len());
    let ordered = crowd.is_ordered();
    let mut rows = 0;
    let mut jobs = Vec::new();
    let mut places = Vec::new();
    let mut pairs = Pairs::default();
    for (target, levels) in usable.iter().enumerate() {
        let mut steps: Vec<Step> = Vec::new();
        for (level, known) in levels.iter().enumerate().filter(|(_, known)| known.len() > 1) {
            let columns: Option<Vec<u32>> = known
                .iter()
                .map(|clue| Some(clues.binary_search(&crowd.released(*clue)).ok()? as u32))
                .collect();
            let Some(columns) = columns else { break };
            if !ordered && !crowd.stand_apart(known) {
                break;
            }
            steps.push(Step::new(known, columns, ordered, steps.last(), &mut pairs));
            places.push((target, level));
        }
        if !steps.is_empty() {
            let row = rows;
            rows += steps.len();
            jobs.push(Job { row, steps });
        }
    }

    let counts = crowd
        .blocks(BLOCK)
        .into_par_iter()
        .map(|block| {
            progress.check()?;
            Ok(block)
        })
        .try_fold(
            || (Columns::new(&clues, crowd, &pairs.all), vec![0_u32; rows * width]),
            |(mut columns, mut counts), block: Result<_, Cancelled>| {
                columns.fill(block?);
                for job in &jobs {
                    columns.run(job, width, &mut counts);
                }
                columns.clear();
                Ok((columns, counts))
            },
        )
        .map(|folded: Result<(Columns<'_, '_>, Vec<u32>), Cancelled>| folded.map(|(_, counts)| counts))
        .try_reduce(
            || vec![0_u32; rows * width],
            |mut a, b| {
                a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
                Ok(a)
            },
        )?;
    for ((target, level), row) in places.into_iter().zip(counts.chunks_exact(width)) {
        reached[target][level] = Some(Reach { people: row[0], guess: Guess::best(&row[1..]) });
    }
    Ok(reached)
}

/// Pairs of columns that are compared.
#[derive(Default)]
struct Pairs {
    all: Vec<(u32, u32)>,
    numbers: BTreeMap<(u32, u32), u32>,
}

impl Pairs {
    fn number(&mut self, pair: (u32, u32)) -> u32 {
        *self.numbers.entry(pair).or_insert_with(|| {
            self.all.push(pair);
            self.all.len() as u32 - 1
        })
    }
}

impl Step {
    fn new(
        known: &[Clue],
        columns: Vec<u32>,
        ordered: bool,
        before: Option<&Step>,
        pairs: &mut Pairs,
    ) -> Self {
        let narrows = before.is_some_and(|before| is_part(&before.clues, known));
        let all: Vec<(u32, u32)> = if ordered {
            columns.windows(2).map(|two| (two[0], two[1])).collect()
        } else {
            let again = |column: &u32| columns.iter().filter(|other| *other == column).count() as u32 - 1;
            columns.iter().map(|column| (again(column), *column)).collect()
        };
        let old = |pair: &(u32, u32)| narrows && before.is_some_and(|before| before.all.contains(pair));
        let pairs = all.iter().filter(|pair| !old(pair)).map(|pair| pairs.number(*pair)).collect();
        Step { clues: known.to_vec(), columns, all, pairs, narrows }
    }
}

/// First and last places of every clue in a block of records.
struct Columns<'c, 'a> {
    crowd: &'c Crowd<'a>,
    ordered: bool,
    /// By column, the released items that fit.
    released: &'c [&'a [ItemId]],
    /// By released item, the columns it fits.
    fitted: Vec<Vec<u32>>,
    columns: usize,
    start: usize,
    records: usize,
    /// Places are counted from 1. Column after column; [`i16::MAX`] and 0 where nothing fits. Without order, `last` is
    /// how many events fit, and the columns of `first` are the numbers 0, 1 and so on.
    first: Vec<i16>,
    last: Vec<i16>,
    /// Records in which a clue fits several places, by column.
    several: Vec<Vec<u32>>,
    /// The pairs of columns that are compared, and one bit for each record where the comparison holds, pair after pair.
    pairs: &'c [(u32, u32)],
    holds: Vec<u64>,
    /// One bit for each record that fits.
    fits: Vec<u64>,
}

impl<'c, 'a> Columns<'c, 'a> {
    fn new(clues: &'c [&'a [ItemId]], crowd: &'c Crowd<'a>, pairs: &'c [(u32, u32)]) -> Self {
        let mut fitted: Vec<Vec<u32>> = Vec::new();
        for (column, clue) in (0..).zip(clues) {
            for item in *clue {
                if fitted.len() <= *item as usize {
                    fitted.resize(*item as usize + 1, Vec::new());
                }
                fitted[*item as usize].push(column);
            }
        }
        Columns {
            crowd,
            ordered: crowd.is_ordered(),
            released: clues,
            fitted,
            columns: clues.len(),
            start: 0,
            records: 0,
            first: Vec::new(),
            last: Vec::new(),
            several: vec![Vec::new(); clues.len()],
            pairs,
            holds: Vec::new(),
            fits: Vec::new(),
        }
    }

    fn fitted(&self, item: ItemId) -> &[u32] {
        self.fitted.get(item as usize).map_or(&[], Vec::as_slice)
    }

    fn fill(&mut self, block: std::ops::Range<usize>) {
        if block.len() != self.records {
            self.records = block.len();
            self.first = match self.ordered {
                true => vec![i16::MAX; self.columns * self.records],
                false => (0..MOST_KNOWN as i16).flat_map(|again| vec![again; self.records]).collect(),
            };
            self.last = vec![0; self.columns * self.records];
            self.fits = vec![0; self.records.div_ceil(64)];
            self.holds = vec![0; self.pairs.len() * self.fits.len()];
        }
        self.start = block.start;
        self.several.iter_mut().for_each(Vec::clear);
        for (row, record) in block.enumerate() {
            for (place, item) in (1_i16..).zip(self.crowd.events().record(record)) {
                let fitted = self.fitted.get(*item as usize).map_or(&[][..], Vec::as_slice);
                for column in fitted {
                    let at = *column as usize * self.records + row;
                    match self.last[at] {
                        last if !self.ordered => {
                            self.last[at] = last + 1;
                            continue;
                        }
                        0 => self.first[at] = place,
                        _ if self.first[at] == self.last[at] => {
                            self.several[*column as usize].push(row as u32)
                        }
                        _ => {}
                    }
                    self.last[at] = place;
                }
            }
        }
        self.compare();
    }

    /// Compares the columns of every pair.
    fn compare(&mut self) {
        let bits = self.holds.chunks_exact_mut(self.fits.len().max(1));
        for ((before, after), holds) in self.pairs.iter().zip(bits) {
            let first = &self.first[*before as usize * self.records..][..self.records];
            let last = &self.last[*after as usize * self.records..][..self.records];
            for (word, (first, last)) in holds.iter_mut().zip(first.chunks(64).zip(last.chunks(64))) {
                let mut bytes = [0_u8; 64];
                for (byte, (first, last)) in bytes.iter_mut().zip(first.iter().zip(last)) {
                    *byte = u8::from(first < last);
                }
                *word = packed(&bytes);
            }
        }
    }

    /// Forgets the block: only places that were written are touched.
    fn clear(&mut self) {
        for row in 0..self.records {
            for item in self.crowd.events().record(self.start + row) {
                for number in 0..self.fitted(*item).len() {
                    let at = self.fitted[*item as usize][number] as usize * self.records + row;
                    self.last[at] = 0;
                    if self.ordered {
                        self.first[at] = i16::MAX;
                    }
                }
            }
        }
    }

    fn run(&mut self, job: &Job, width: usize, counts: &mut [u32]) {
        for (step, row) in job.steps.iter().zip(job.row..) {
            if !step.narrows {
                self.fits.fill(u64::MAX);
                if let (Some(last), 1..) = (self.fits.last_mut(), self.records % 64) {
                    *last = (1 << (self.records % 64)) - 1;
                }
            }
            let words = self.fits.len();
            for pair in &step.pairs {
                let holds = &self.holds[*pair as usize * words..][..words];
                self.fits.iter_mut().zip(holds).for_each(|(fits, holds)| *fits &= holds);
            }
            if self.ordered {
                self.look_closer(&step.columns);
            }
            self.tally(&mut counts[row * width..(row + 1) * width]);
        }
    }

    /// Where an event in the middle fits several places, neighbours in order do not mean that all are.
    fn look_closer(&mut self, columns: &[u32]) {
        for row in columns[1..columns.len() - 1].iter().flat_map(|column| &self.several[*column as usize]) {
            let row = *row as usize;
            if self.fits[row / 64] >> (row % 64) & 1 == 1 && !self.is_held(row, columns) {
                self.fits[row / 64] &= !(1 << (row % 64));
            }
        }
    }

    /// Whether a record that passed all comparisons really holds the events in order.
    fn is_held(&self, row: usize, columns: &[u32]) -> bool {
        let items = self.crowd.events().record(self.start + row);
        let fits = |item: &ItemId, column: u32| self.released[column as usize].contains(item);
        let (&[start, .., end], true) = (columns, !self.surely_in_order(row, columns)) else { return true };
        let between = self.first[start as usize * self.records + row] as usize
            ..self.last[end as usize * self.records + row] as usize - 1;
        // The ends may be the wrong way round: only neighbours were compared.
        let Some(between) = items.get(between) else { return false };
        let mut rest = between.iter();
        columns[1..columns.len() - 1].iter().all(|column| rest.any(|item| fits(item, *column)))
    }

    /// Whether first places are in order, and after them last places.
    fn surely_in_order(&self, row: usize, columns: &[u32]) -> bool {
        let first = |number: usize| self.first[columns[number] as usize * self.records + row];
        let last = |number: usize| self.last[columns[number] as usize * self.records + row];
        let count = columns.len();
        let head = (1..count).find(|number| first(number - 1) >= first(*number)).unwrap_or(count);
        let tail = (1..count).rev().find(|number| last(number - 1) >= last(*number)).unwrap_or(1);
        head == count || (tail..=head).any(|number| first(number - 1) < last(number))
    }

    fn tally(&self, counts: &mut [u32]) {
        let fitting: u32 = self.fits.iter().map(|fits| fits.count_ones()).sum();
        if fitting == 0 {
            return;
        }
        let secrets = self.crowd.secrets();
        if secrets.is_none() && self.crowd.every_record_is_a_person() {
            counts[0] += fitting;
            return;
        }
        let mut met = None;
        for row in set_bits(&self.fits) {
            let owner = self.crowd.owner((self.start + row) as u32);
            if met.replace(owner) == Some(owner) {
                continue;
            }
            counts[0] += 1;
            for secret in secrets.into_iter().flat_map(|secrets| secrets.of(owner)) {
                counts[1 + *secret as usize] += 1;
            }
        }
    }
}

/// The lowest bit of every byte, as one number.
fn packed(bytes: &[u8; 64]) -> u64 {
    let mut packed = 0;
    for (number, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        // Each of the eight bits is moved to a place of its own among the highest eight.
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        packed |= bits << (8 * number);
    }
    packed
}

/// The places of the bits that are set, ascending.
fn set_bits(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(number, word)| {
        std::iter::successors(Some(*word), |rest| Some(rest & rest.wrapping_sub(1)))
            .take_while(|rest| *rest != 0)
            .map(move |rest| number * 64 + rest.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_packed_in_their_order() {
        for word in [0, 1, 1 << 63, 0x8000_0000_0000_0001, 0x0123_4567_89AB_CDEF, u64::MAX] {
            let bytes: [u8; 64] = std::array::from_fn(|at| (word >> at & 1) as u8);
            assert_eq!(packed(&bytes), word);
            let places: Vec<usize> = (0..64).filter(|at| word >> at & 1 == 1).collect();
            assert_eq!(set_bits(&[word]).collect::<Vec<_>>(), places);
        }
    }
}
