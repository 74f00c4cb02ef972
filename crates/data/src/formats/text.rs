//! Plain text, a line at a time: for lists.

use super::block::{BLOCK, Blocks};
use super::error::InputError;
use super::source::Source;

/// Calls `each` with every line that is not blank, trimmed, and its number.
pub(super) fn for_each_line(
    source: &Source,
    mut each: impl FnMut(u64, &str) -> Result<(), InputError>,
) -> Result<(), InputError> {
    let mut blocks = Blocks::new(source.open()?, source.name(), BLOCK, false)?;
    while let Some(block) = blocks.next_block()? {
        for (number, line) in block.lines(source.name())? {
            let line = line.trim();
            if !line.is_empty() {
                each(number, line)?;
            }
        }
        blocks.recycle(block);
    }
    Ok(())
}
