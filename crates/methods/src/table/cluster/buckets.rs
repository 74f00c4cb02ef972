//! Cuts people into buckets of neighbours.

use super::super::quasi::Quasi;
use super::super::rows::Layout;

/// Buckets with fewer rows are cut by one thread.
const ALONE: usize = 8_192;

/// Moves rows so that every bucket, of at most `most` rows, is one stretch; the sizes of the buckets. Neighbouring buckets hold
/// neighbours too.
pub fn cut(quasi: &[Quasi], layout: Layout, words: &mut [u32], most: usize) -> Vec<usize> {
    let rows = layout.count(words);
    if rows <= most {
        return vec![rows];
    }
    let first = halve(quasi, layout, words);
    let (left, right) = words.split_at_mut(first * layout.stride);
    let (mut sizes, more) = if rows >= ALONE {
        rayon::join(|| cut(quasi, layout, left, most), || cut(quasi, layout, right, most))
    } else {
        (cut(quasi, layout, left, most), cut(quasi, layout, right, most))
    };
    sizes.extend(more);
    sizes
}

/// Cuts along the widest column, beside the median value if that leaves a quarter on each side, else through it; the rows of the
/// first part.
fn halve(quasi: &[Quasi], layout: Layout, words: &mut [u32]) -> usize {
    let rows = layout.count(words);
    let bounds = layout.bounds(words);
    let spread = |at: &usize| quasi[*at].spread(bounds[*at].0, bounds[*at].1);
    let widest = (0..quasi.len()).rev().max_by(|a, b| spread(a).total_cmp(&spread(b)));
    let Some(at) = widest.filter(|at| bounds[*at].0 < bounds[*at].1) else { return rows / 2 };
    let mut codes: Vec<u32> = layout.iter(words).map(|row| row[at]).collect();
    let (_, median, _) = codes.select_nth_unstable((rows - 1) / 2);
    let median = *median;
    let counts = layout.scatter(words, 3, |row| match row[at].cmp(&median) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
    });
    let (below, upto) = (counts[0], counts[0] + counts[1]);
    let nearest = if below.abs_diff(rows / 2) < upto.abs_diff(rows / 2) { below } else { upto };
    if nearest >= rows / 4 && rows - nearest >= rows / 4 { nearest } else { rows / 2 }
}
