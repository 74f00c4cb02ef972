//! Which paths have how many items of a sequence, whatever their order: hundreds of paths at a time.
//!
//! A mark says that a path has an item once, another that it has it twice, and so on. A path has as many marks of a sequence
//! as the two have items in common, which is the most that a common subsequence can have. Marks lie across: for each one
//! a row of bits, a bit for each path of a stretch. Rows are added up like numbers written one digit below the other, so that
//! one instruction counts for as many paths as a word has bits.

use throng_data::ItemId;

/// Words of a row: one line of the cache.
const WORDS: usize = 8;

/// Paths that are looked at together.
pub(super) const STRETCH: usize = WORDS * u64::BITS as usize;

/// There are no more marks than this, so that a path takes no more than 64 bytes: beyond it several share a row. Then a path
/// may seem to have more than it has, which costs a comparison.
const MAX_MARKS: usize = 512;

/// One bit for each path of a stretch.
pub(super) type Row = [u64; WORDS];

/// The marks of all paths.
pub(super) struct Marks {
    /// The marks of item `i` are `firsts[i]..firsts[i + 1]`: as many as some path has it times.
    firsts: Vec<u32>,
    /// Rows of each stretch.
    width: usize,
    /// The rows of one stretch after the other.
    rows: Vec<Row>,
}

impl Marks {
    /// The marks of paths, whose items lie one after the other from `starts` on; `alphabet` is one more than the largest item.
    pub fn of(items: &[ItemId], starts: &[usize], alphabet: usize) -> Self {
        let paths = || starts.windows(2).map(|ends| &items[ends[0]..ends[1]]);
        let mut times = vec![0_u32; alphabet];
        let mut most = vec![0_u32; alphabet];
        for path in paths() {
            for item in path {
                let times = &mut times[*item as usize];
                *times += 1;
                most[*item as usize] = most[*item as usize].max(*times);
            }
            path.iter().for_each(|item| times[*item as usize] = 0);
        }
        let mut firsts = vec![0_u32];
        let mut sum = 0;
        firsts.extend(most.into_iter().map(|most| {
            sum += most;
            sum
        }));
        let width = (sum as usize).clamp(1, MAX_MARKS);
        let mut marks = Marks { firsts, width, rows: Vec::new() };
        marks.rows = vec![[0; WORDS]; paths().len().div_ceil(STRETCH) * width];
        let mut list = Vec::new();
        for (number, path) in paths().enumerate() {
            marks.list(path, &mut times, &mut list);
            let (stretch, place) = (number / STRETCH, number % STRETCH);
            for mark in &list {
                marks.rows[stretch * width + *mark as usize][place / 64] |= 1 << (place % 64);
            }
        }
        marks
    }

    #[cfg(test)]
    pub fn share_rows(&self) -> bool {
        self.firsts.last().is_some_and(|marks| *marks as usize > self.width)
    }

    /// The marks of a sequence that some path has. `times` is zero for all items, before and after.
    pub fn list(&self, sequence: &[ItemId], times: &mut [u32], list: &mut Vec<u32>) {
        list.clear();
        for item in sequence {
            let item = *item as usize;
            let mark = self.firsts[item] + times[item];
            if mark < self.firsts[item + 1] {
                list.push(mark % self.width as u32);
                times[item] += 1;
            }
        }
        sequence.iter().for_each(|item| times[*item as usize] = 0);
    }

    /// The paths of a stretch that have at least so many of the marks, and at least one. `sums` is room to count in.
    pub fn with_at_least(&self, least: u32, marks: &[u32], stretch: usize, sums: &mut Vec<Row>) -> Row {
        if marks.len() < least as usize {
            return [0; WORDS];
        }
        let digits = |count: usize| (usize::BITS - count.leading_zeros()) as usize;
        sums.clear();
        sums.resize(digits(marks.len()), [0; WORDS]);
        let rows = &self.rows[stretch * self.width..][..self.width];
        for (before, mark) in marks.iter().enumerate() {
            let mut carry = rows[*mark as usize];
            for sum in &mut sums[..digits(before + 1)] {
                for (sum, carry) in sum.iter_mut().zip(&mut carry) {
                    (*sum, *carry) = (*sum ^ *carry, *sum & *carry);
                }
            }
        }
        // Digit by digit from the highest on: which sums are larger already, and which are equal so far.
        let (mut larger, mut equal) = ([0; WORDS], [u64::MAX; WORDS]);
        for (digit, sum) in sums.iter().enumerate().rev() {
            let wanted = if least >> digit & 1 == 1 { u64::MAX } else { 0 };
            for ((larger, equal), sum) in larger.iter_mut().zip(&mut equal).zip(sum) {
                *larger |= *equal & sum & !wanted;
                *equal &= !(sum ^ wanted);
            }
        }
        for (larger, equal) in larger.iter_mut().zip(equal) {
            *larger |= equal;
        }
        larger
    }
}
