//! The hierarchy along which people are divided: neighbours in the public list, a fixed number at a time.
//!
//! It knows nothing of the data but the list, which is public. A group of one is that one.

/// A node of the hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The items below it: `start..end` of the list.
    pub start: u32,
    /// One after its last item.
    pub end: u32,
    /// Levels below it; 0 for an item.
    pub height: u32,
    /// The groups it is divided into.
    pub children: Vec<u32>,
    /// How many nodes at or below it can be divided.
    pub inner: u64,
}

/// All groups; the root is the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy(Vec<Group>);

impl Hierarchy {
    /// A hierarchy over `items` items, of which there is at least one, `fan_out` at a time.
    pub fn new(items: u32, fan_out: usize) -> Self {
        let leaf = |item| Group { start: item, end: item + 1, height: 0, children: Vec::new(), inner: 0 };
        let mut groups: Vec<Group> = (0..items).map(leaf).collect();
        let mut level: Vec<u32> = (0..items).collect();
        while level.len() > 1 {
            let mut above = Vec::with_capacity(level.len() / 2 + 1);
            for chunk in level.chunks(fan_out.max(2)) {
                if let [only] = chunk {
                    above.push(*only);
                    continue;
                }
                let below = chunk.iter().map(|child| &groups[*child as usize]);
                let group = Group {
                    start: groups[chunk[0] as usize].start,
                    end: groups[chunk[chunk.len() - 1] as usize].end,
                    height: 1 + below.clone().map(|child| child.height).max().unwrap_or(0),
                    children: chunk.to_vec(),
                    inner: 1 + below.map(|child| child.inner).sum::<u64>(),
                };
                above.push(groups.len() as u32);
                groups.push(group);
            }
            level = above;
        }
        Hierarchy(groups)
    }

    /// The group of all items.
    pub fn root(&self) -> u32 {
        self.0.len() as u32 - 1
    }

    /// A group by number.
    pub fn group(&self, number: u32) -> &Group {
        &self.0[number as usize]
    }

    /// Whether all groups of a cut are single items.
    pub fn is_divided(&self, cut: &[u32]) -> bool {
        cut.iter().all(|group| self.group(*group).height == 0)
    }

    /// How often a cut can be divided further, at most.
    pub fn divisions(&self, cut: &[u32]) -> u64 {
        cut.iter().map(|group| self.group(*group).inner).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_one_are_items() {
        let seven = Hierarchy::new(7, 3);
        let root = seven.group(seven.root());
        assert_eq!((root.start, root.end, root.inner, root.height), (0, 7, 3, 2));
        assert_eq!(root.children, [7, 8, 6], "the seventh item is alone");
        let one = Hierarchy::new(1, 10);
        assert!(one.is_divided(&[one.root()]) && one.divisions(&[one.root()]) == 0);
    }
}
