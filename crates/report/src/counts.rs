//! The published counts, the largest first.

use throng_data::{CountCell, CountTable, Release};

use super::html::{self, Cell, Table, code, paragraph};
use crate::plot::grouped;

/// So many counts of a table are shown; the others are in the file.
const SHOWN: usize = 100;

pub(super) fn section(release: Option<&Release>) -> String {
    let Some((release, counts)) = release.and_then(|release| Some((release, release.body.counts()?))) else {
        return String::new();
    };
    let mut content = format!(
        "<p>The release has no records. The file {} has a row for each cell: how many people were at an item or went from one to another. \
         A person counts once in a cell, and there are no totals.</p>\n",
        code("counts")
    );
    let tables = [
        (CountTable::Visits, "Visits", "People at an item"),
        (CountTable::Moves, "Moves", "People who went from an item to another in their next event"),
        (CountTable::Ends, "Ends", "People with a record that begins at an item and ends at another"),
    ];
    for (table, heading, about) in tables {
        let mut cells: Vec<&(CountCell, u64)> =
            counts.cells.iter().filter(|(cell, _)| cell.table == table).collect();
        if cells.is_empty() {
            continue;
        }
        let name = |item: u32| html::shortened(&release.name(item), 1);
        cells.sort_by_key(|(cell, people)| {
            (std::cmp::Reverse(*people), name(cell.item), cell.to.map(name), cell.time)
        });
        let timed = cells.iter().any(|(cell, _)| cell.time.is_some());
        let mut head = vec!["Item"];
        if table != CountTable::Visits {
            head = vec!["From", "To"];
        }
        if timed {
            head.push("From time on");
        }
        head.push("People");
        let mut rows = Table::new(about, &head).tall();
        for (cell, people) in cells.iter().take(SHOWN) {
            let (to, time) = (cell.to.map(name), cell.time.map(|time| time.to_string()));
            let people = grouped(*people);
            let mut row: Vec<Cell<'_>> = Vec::new();
            row.extend(to.as_deref().map(Cell::Text));
            row.extend(time.as_deref().map(Cell::Number));
            row.push(Cell::Number(&people));
            rows.row(&Cell::Text(&name(cell.item)), &row);
        }
        content.push_str(&format!(
            "<h3>{heading}</h3>\n{}{}",
            paragraph(&format!("{about}.")),
            rows.render()
        ));
        if cells.len() > SHOWN {
            content.push_str(&paragraph(&format!("… and {} more.", grouped((cells.len() - SHOWN) as u64))));
        }
    }
    html::section("counts", "The counts", &content)
}
