//! Plain text, a line at a time: for lists, and for formats whose lines have no quotes.

use super::block::{BLOCK, Block, Blocks};
use super::error::InputError;
use super::source::Source;

/// The lines of a block with their numbers, without line ends.
pub(super) fn lines<'a>(text: &'a str, block: &Block) -> impl Iterator<Item = (u64, &'a str)> {
    (block.line..).zip(text.lines())
}

/// Calls `each` with every line that is not blank, trimmed, and its number.
pub(super) fn for_each_line(
    source: &Source,
    mut each: impl FnMut(u64, &str) -> Result<(), InputError>,
) -> Result<(), InputError> {
    let mut blocks = Blocks::new(source.open()?, source.name(), BLOCK, false)?;
    while let Some(block) = blocks.next_block()? {
        for (number, line) in lines(block.text(source.name())?, &block) {
            let line = line.trim();
            if !line.is_empty() {
                each(number, line)?;
            }
        }
        blocks.recycle(block);
    }
    Ok(())
}
