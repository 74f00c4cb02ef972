//! A block of records as columns, and what is asked of them.

use throng_data::ItemId;

use super::super::attacker::MAX_KNOWN;
use super::super::crowd::Crowd;
use super::plan::{Asked, Comparison, Plan};

/// First and last places of every clue in a block of records.
pub(super) struct Columns<'c, 'a> {
    crowd: &'c Crowd<'a>,
    plan: &'c Plan,
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
    /// Words that hold one bit for each record.
    words: usize,
    /// By column, the records in which a clue fits several places.
    several: Vec<u64>,
    /// By comparison, whether it was made of this block, and the records for which it holds.
    made: Vec<bool>,
    holds: Vec<u64>,
    /// The records that fit: all, and those of one question after the other that narrows it.
    fits: Vec<u64>,
}

impl<'c, 'a> Columns<'c, 'a> {
    /// Room for the columns of these clues.
    pub fn new(clues: &'c [&'a [ItemId]], crowd: &'c Crowd<'a>, plan: &'c Plan) -> Self {
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
            plan,
            ordered: plan.ordered,
            released: clues,
            fitted,
            columns: clues.len(),
            start: 0,
            records: 0,
            first: Vec::new(),
            last: Vec::new(),
            words: 0,
            several: Vec::new(),
            made: vec![false; plan.comparisons.len()],
            holds: Vec::new(),
            fits: Vec::new(),
        }
    }

    fn fitted(&self, item: ItemId) -> &[u32] {
        self.fitted.get(item as usize).map_or(&[], Vec::as_slice)
    }

    /// Takes a block of records.
    pub fn fill(&mut self, block: std::ops::Range<usize>) {
        if block.len() != self.records {
            self.records = block.len();
            self.first = match self.ordered {
                true => vec![i16::MAX; self.columns * self.records],
                false => (0..MAX_KNOWN as i16).flat_map(|again| vec![again; self.records]).collect(),
            };
            self.last = vec![0; self.columns * self.records];
            self.words = self.records.div_ceil(64);
            self.several = vec![0; self.columns * self.words];
            self.holds = vec![0; self.plan.comparisons.len() * self.words];
            self.fits = vec![u64::MAX; self.words];
            if let (Some(last), 1..) = (self.fits.last_mut(), self.records % 64) {
                *last = (1 << (self.records % 64)) - 1;
            }
        }
        self.start = block.start;
        self.made.fill(false);
        self.several.fill(0);
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
                            self.several[*column as usize * self.words + row / 64] |= 1 << (row % 64);
                        }
                        _ => {}
                    }
                    self.last[at] = place;
                }
            }
        }
    }

    /// Makes a comparison, unless it was made of this block.
    fn compare(&mut self, comparison: u32) {
        if std::mem::replace(&mut self.made[comparison as usize], true) {
            return;
        }
        let records = self.records;
        let first = |column: u32| &self.first[column as usize * records..][..records];
        let last = |column: u32| &self.last[column as usize * records..][..records];
        let (low, high) = match self.plan.comparisons[comparison as usize] {
            Comparison::Before(a, b) | Comparison::More(a, b) => (first(a), last(b)),
            Comparison::Firsts(a, b) => (first(a), first(b)),
            Comparison::Lasts(a, b) => (last(a), last(b)),
        };
        let holds = &mut self.holds[comparison as usize * self.words..][..self.words];
        for (word, (low, high)) in holds.iter_mut().zip(low.chunks(64).zip(high.chunks(64))) {
            let mut bytes = [0_u8; 64];
            for (byte, (low, high)) in bytes.iter_mut().zip(low.iter().zip(high)) {
                *byte = u8::from(low < high);
            }
            *word = packed(&bytes);
        }
    }

    /// Forgets the block: only places that were written are touched.
    pub fn clear(&mut self) {
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

    /// Adds the people of this block who fit to the counts of every question.
    pub fn answer(&mut self, width: usize, counts: &mut [u32]) {
        let plan = self.plan;
        for (number, depth) in &plan.order {
            let asked = plan.asked(*number);
            let (wider, here) = (depth * self.words, (depth + 1) * self.words);
            self.fits.resize(self.fits.len().max(here + self.words), 0);
            self.fits.copy_within(wider..here, here);
            for comparison in &asked.further {
                self.compare(*comparison);
            }
            let fits = &mut self.fits[here..here + self.words];
            for comparison in &asked.further {
                let holds = &self.holds[*comparison as usize * self.words..][..self.words];
                fits.iter_mut().zip(holds).for_each(|(fits, holds)| *fits &= holds);
            }
            if !asked.firsts.is_empty() {
                self.look_closer(here, asked);
            }
            let row = &mut counts[*number as usize * width..][..width];
            self.tally(&self.fits[here..here + self.words], row);
        }
    }

    /// Where an event in the middle fits several places, neighbours in order do not mean that all are.
    fn look_closer(&mut self, here: usize, asked: &Asked) {
        let middle = &asked.columns[1..asked.columns.len() - 1];
        for word in 0..self.words {
            let several = middle
                .iter()
                .fold(0, |several, column| several | self.several[*column as usize * self.words + word]);
            let mut unsure = self.fits[here + word] & several;
            if unsure != 0 {
                asked.firsts.iter().chain(&asked.lasts).for_each(|comparison| self.compare(*comparison));
                unsure &= !self.surely_in_order(word, asked);
            }
            while unsure != 0 {
                let bit = unsure.trailing_zeros() as usize;
                unsure &= unsure - 1;
                if !self.is_held(word * 64 + bit, &asked.columns) {
                    self.fits[here + word] &= !(1 << bit);
                }
            }
        }
    }

    /// Of records in which neighbours are in order, those where first places are, and after them last places.
    fn surely_in_order(&self, word: usize, asked: &Asked) -> u64 {
        let holds = |comparison: &u32| self.holds[*comparison as usize * self.words + word];
        let neighbours = asked.firsts.len();
        // First places are in order up to here, last places from here on.
        let (mut firsts, mut surely) = (u64::MAX, 0);
        for at in 0..neighbours {
            surely |= asked.lasts[at + 1..].iter().fold(firsts, |both, lasts| both & holds(lasts));
            firsts &= holds(&asked.firsts[at]);
        }
        surely | firsts
    }

    /// Whether a record that passed all comparisons really holds the events in order.
    fn is_held(&self, row: usize, columns: &[u32]) -> bool {
        let items = self.crowd.events().record(self.start + row);
        let fits = |item: &ItemId, column: u32| self.released[column as usize].contains(item);
        let &[start, .., end] = columns else { return true };
        let between = self.first[start as usize * self.records + row] as usize
            ..self.last[end as usize * self.records + row] as usize - 1;
        // The ends may be the wrong way round: only neighbours were compared.
        let Some(between) = items.get(between) else { return false };
        let mut rest = between.iter();
        columns[1..columns.len() - 1].iter().all(|column| rest.any(|item| fits(item, *column)))
    }

    fn tally(&self, fits: &[u64], counts: &mut [u32]) {
        let fitting: u32 = fits.iter().map(|fits| fits.count_ones()).sum();
        if fitting == 0 {
            return;
        }
        let secrets = self.crowd.secrets();
        if secrets.is_none() && self.crowd.every_record_is_a_person() {
            counts[0] += fitting;
            return;
        }
        let mut met = None;
        for row in set_bits(fits) {
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
