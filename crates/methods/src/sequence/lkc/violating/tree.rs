//! The tree of non-violating sequences.

use throng_mine::doublets::DoubletTable;

use super::NONE;
use super::scan::Found;

/// Non-violating sequences. A node of size `n` is a position in `level(n)`, which holds its last doublet.
pub(super) struct Tree {
    /// Doublets that are non-violating by themselves.
    pub first: Vec<u32>,
    /// The position in `first` of each doublet, or `NONE`; and the positions themselves.
    pub number_of_first: Vec<u32>,
    pub identity: Vec<u32>,
    /// `deeper[n - 2]` are the nodes of size `n`.
    deeper: Vec<Vec<u32>>,
    /// `records[n - 1]` are the numbers of records that contain the nodes of size `n`.
    records: Vec<Vec<u32>>,
    /// `children[n - 1][p]..children[n - 1][p + 1]` are the positions of the children of the node `p` of size `n`.
    children: Vec<Vec<u32>>,
}

impl Tree {
    /// Only the doublets that are non-violating by themselves.
    pub fn new(first: Vec<u32>, table: &DoubletTable) -> Self {
        let mut number_of_first = vec![NONE; table.len()];
        for (number, doublet) in first.iter().enumerate() {
            number_of_first[*doublet as usize] = number as u32;
        }
        let identity = (0..first.len() as u32).collect();
        let records = vec![first.iter().map(|doublet| table.holders(*doublet).len() as u32).collect()];
        Tree { first, number_of_first, identity, deeper: Vec::new(), records, children: Vec::new() }
    }

    /// The last doublets of the nodes of a size.
    pub fn level(&self, size: usize) -> &[u32] {
        if size == 1 { &self.first } else { &self.deeper[size - 2] }
    }

    /// The doublets that extend a node, with the position of the first of them in the next level.
    pub fn extensions(&self, size: usize, node: usize) -> (usize, &[u32]) {
        let offsets = &self.children[size - 1];
        let (start, end) = (offsets[node] as usize, offsets[node + 1] as usize);
        (start, &self.level(size + 1)[start..end])
    }

    /// How many records contain the ascending sequence, if it is a node.
    pub fn records(&self, sequence: impl IntoIterator<Item = u32>) -> Option<u32> {
        let mut sequence = sequence.into_iter();
        let mut node = match self.number_of_first[sequence.next()? as usize] {
            NONE => return None,
            number => number as usize,
        };
        let mut size = 1;
        for doublet in sequence {
            let (start, extensions) = self.extensions(size, node);
            node = start + extensions.binary_search(&doublet).ok()?;
            size += 1;
        }
        Some(self.records[size - 1][node])
    }

    /// Adds a level: the extensions that were found, root after root, node after node.
    pub fn grow(&mut self, found: &[Found]) {
        let mut offsets = vec![0_u32];
        let mut total = 0;
        for count in found.iter().flat_map(|part| &part.counts) {
            total += count;
            offsets.push(total);
        }
        self.children.push(offsets);
        self.deeper.push(found.iter().flat_map(|part| part.extensions.iter().copied()).collect());
        self.records.push(found.iter().flat_map(|part| part.records.iter().copied()).collect());
    }
}
