//! The records while doublets are suppressed in them.

use throng_mine::doublets::DoubletTable;

/// The doublets of each record, ascending, one record after the other in memory.
pub(super) struct Rows {
    doublets: Vec<u32>,
    /// Where each record begins, and how many doublets it still has.
    spans: Vec<(u32, u32)>,
}

impl Rows {
    /// All of them.
    pub fn of(table: &DoubletTable) -> Self {
        let mut doublets = Vec::with_capacity(table.events());
        let mut spans = Vec::with_capacity(table.records());
        for record in 0..table.records() as u32 {
            let row = table.record(record);
            spans.push((doublets.len() as u32, row.len() as u32));
            doublets.extend_from_slice(row);
        }
        Rows { doublets, spans }
    }

    /// What a record still has.
    pub fn get(&self, record: u32) -> &[u32] {
        let (start, len) = self.spans[record as usize];
        &self.doublets[start as usize..][..len as usize]
    }

    /// Takes a doublet out of a record, if it is there.
    pub fn remove(&mut self, record: u32, doublet: u32) {
        let Ok(at) = self.get(record).binary_search(&doublet) else { return };
        let (start, len) = &mut self.spans[record as usize];
        let row = &mut self.doublets[*start as usize..][..*len as usize];
        row.copy_within(at + 1.., at);
        *len -= 1;
    }
}
