//! Small numbers as Parquet packs them: runs of one number, and groups of eight side by side.

use bytes::Bytes;

/// Numbers of up to `width` bits, from the first on.
pub(super) struct Hybrid {
    data: Bytes,
    at: usize,
    width: u8,
    run: Run,
}

/// What is left of a run.
enum Run {
    /// The same number.
    Same { number: u32, left: usize },
    /// One after the other, from a bit on.
    Packed { bit: usize, left: usize },
}

impl Hybrid {
    pub fn new(data: Bytes, width: u8) -> Self {
        Hybrid { data, at: 0, width, run: Run::Same { number: 0, left: 0 } }
    }

    /// Tells the next numbers, as long as the listener wants more; whether there were so many, and all of them wanted.
    pub fn take(&mut self, count: usize, mut tell: impl FnMut(u32) -> bool) -> bool {
        let mut missing = count;
        while missing > 0 {
            let told = match &mut self.run {
                Run::Same { left: 0, .. } | Run::Packed { left: 0, .. } => {
                    if !self.next_run() {
                        return false;
                    }
                    continue;
                }
                Run::Same { number, left } => {
                    let told = missing.min(*left);
                    if !(0..told).all(|_| tell(*number)) {
                        return false;
                    }
                    *left -= told;
                    told
                }
                Run::Packed { bit, left } => {
                    let told = missing.min(*left);
                    let width = usize::from(self.width);
                    if !(0..told).all(|place| tell(packed(&self.data, *bit + place * width, self.width))) {
                        return false;
                    }
                    *bit += told * width;
                    *left -= told;
                    told
                }
            };
            missing -= told;
        }
        true
    }

    /// Whether there is another run.
    fn next_run(&mut self) -> bool {
        let Some(header) = self.header() else { return false };
        let width = usize::from(self.width);
        if header & 1 == 0 {
            let bytes = width.div_ceil(8);
            let Some(number) = self.data.get(self.at..self.at + bytes) else { return false };
            let mut whole = [0; 4];
            whole[..bytes].copy_from_slice(number);
            self.at += bytes;
            self.run = Run::Same { number: u32::from_le_bytes(whole), left: (header >> 1) as usize };
            return header > 0;
        }
        let Some(bytes) = ((header >> 1) as usize).checked_mul(width) else { return false };
        let groups = (header >> 1) as usize;
        if groups == 0 || self.data.len() - self.at < bytes {
            return false;
        }
        self.run = Run::Packed { bit: self.at * 8, left: groups.saturating_mul(8) };
        self.at += bytes;
        true
    }

    /// A number of seven bits a byte, the lowest first.
    fn header(&mut self) -> Option<u32> {
        let mut header = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = *self.data.get(self.at)?;
            self.at += 1;
            header |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(header).ok();
            }
        }
        None
    }
}

/// The number whose lowest bit is this one.
fn packed(data: &Bytes, bit: usize, width: u8) -> u32 {
    let from = bit / 8;
    // Up to 32 bits that begin within a byte lie in five bytes.
    let word = match data.get(from..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => {
            let mut bytes = [0; 8];
            let rest = data.get(from..).unwrap_or_default();
            bytes[..rest.len()].copy_from_slice(rest);
            u64::from_le_bytes(bytes)
        }
    };
    ((word >> (bit % 8)) & ((1 << width) - 1)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(data: &[u8], width: u8, count: usize) -> Option<Vec<u32>> {
        let mut numbers = Vec::new();
        let mut hybrid = Hybrid::new(Bytes::copy_from_slice(data), width);
        let all = hybrid.take(count, |number| {
            numbers.push(number);
            true
        });
        all.then_some(numbers)
    }

    /// The example of the format's description: 0 to 7 in three bits each.
    #[test]
    fn numbers_side_by_side_are_taken_apart() {
        assert_eq!(taken(&[3, 0x88, 0xc6, 0xfa], 3, 8), Some((0..8).collect()));
        assert_eq!(taken(&[3, 0x88, 0xc6, 0xfa], 3, 9), None);
        assert_eq!(taken(&[3, 0x88, 0xc6], 3, 8), None);
    }

    #[test]
    fn runs_are_repeated_and_follow_each_other() {
        assert_eq!(taken(&[6, 5, 4, 2], 3, 5), Some(vec![5, 5, 5, 2, 2]));
        assert_eq!(taken(&[0xc8, 1, 7], 3, 100), Some(vec![7; 100]));
        // Nothing needs no bits.
        assert_eq!(taken(&[6], 0, 3), Some(vec![0; 3]));
        assert_eq!(taken(&[0, 5, 6, 5], 3, 3), None, "a run of nothing goes nowhere");
        assert_eq!(taken(&[0xff, 0xff, 0xff, 0xff, 0xff, 1], 3, 1), None);
    }

    #[test]
    fn numbers_are_taken_in_any_portions() {
        let mut hybrid = Hybrid::new(Bytes::from_static(&[3, 0x88, 0xc6, 0xfa, 4, 1]), 3);
        let mut numbers = Vec::new();
        for portion in [3, 1, 5, 1] {
            assert!(hybrid.take(portion, |number| {
                numbers.push(number);
                true
            }));
        }
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7, 1, 1]);
    }
}
