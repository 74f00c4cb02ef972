//! The few shapes the page is made of.

use std::fmt::Write;

use crate::plot::escape;

/// The title of the page and a line under it.
pub(super) fn header(title: &str, lead: &str) -> String {
    format!("<header>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n</header>\n", escape(title), escape(lead))
}

/// The whole body.
pub(super) fn body(header: &str, main: &str, footer: &str) -> String {
    format!("{header}<main>\n{main}</main>\n<footer>\n{footer}</footer>\n")
}

/// A part of the page under its own heading.
pub(super) fn section(id: &str, heading: &str, content: &str) -> String {
    let heading = escape(heading);
    format!("<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{heading}</h2>\n{content}</section>\n")
}

/// A paragraph of plain text.
pub(super) fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escape(text))
}

/// Something that is typed, or written so in a file.
pub(super) fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}

/// Words in which names stand between backticks.
pub(super) fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let part = |(at, part): (usize, &&str)| if at % 2 == 1 { code(part) } else { escape(part) };
    parts.iter().enumerate().map(part).collect()
}

/// A table that scrolls by itself where the screen is too narrow for it.
pub(super) struct Table {
    name: String,
    rows: String,
    tall: bool,
}

/// A cell; text is escaped, HTML is not.
pub(super) enum Cell<'a> {
    Text(&'a str),
    Number(&'a str),
    Html(&'a str),
}

impl Table {
    /// A table; the name tells it from the others on the page. Without words for its columns it has no head.
    pub fn new(name: &str, head: &[&str]) -> Self {
        let mut rows = String::new();
        if !head.is_empty() {
            rows.push_str("<thead><tr>");
            for word in head {
                let _ = match *word {
                    "" => write!(rows, "<td></td>"),
                    word => write!(rows, "<th scope=\"col\">{}</th>", escape(word)),
                };
            }
            rows.push_str("</tr></thead>\n");
        }
        rows.push_str("<tbody>\n");
        Table { name: name.to_owned(), rows, tall: false }
    }

    /// Scrolls up and down too, past a screenful.
    pub fn tall(mut self) -> Self {
        self.tall = true;
        self
    }

    /// A row, led by what it is about.
    pub fn row(&mut self, lead: &Cell<'_>, cells: &[Cell<'_>]) {
        let _ = write!(self.rows, "<tr><th scope=\"row\">{}</th>", lead.html());
        for cell in cells {
            let class = if matches!(cell, Cell::Number(_)) { " class=\"number\"" } else { "" };
            let _ = write!(self.rows, "<td{class}>{}</td>", cell.html());
        }
        self.rows.push_str("</tr>\n");
    }

    /// The table as HTML.
    pub fn render(&self) -> String {
        let class = if self.tall { "scroll tall" } else { "scroll" };
        format!(
            "<div class=\"{class}\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n<table>\n{}</tbody>\n</table>\n</div>\n",
            escape(&self.name),
            self.rows
        )
    }
}

impl Cell<'_> {
    fn html(&self) -> String {
        match self {
            Cell::Text(text) | Cell::Number(text) => escape(text),
            Cell::Html(html) => (*html).to_owned(),
        }
    }
}

/// The first `most` of some words, and how many more there are.
pub(super) fn listed(words: &[String], most: usize, between: &str) -> String {
    let shown: Vec<String> = words.iter().take(most).map(|word| code(word)).collect();
    let mut text = shown.join(between);
    if words.len() > most {
        let _ = write!(text, "{between}… and {} more", crate::plot::grouped((words.len() - most) as u64));
    }
    text
}

/// A released item as it is written, cut where it stands for many.
pub(super) fn shortened(item: &str, members: usize) -> String {
    const LONGEST: usize = 60;
    if item.chars().count() <= LONGEST {
        return item.to_owned();
    }
    let begin: String = item.chars().take(LONGEST - 14).collect();
    if members > 1 { format!("{begin}… ({members})") } else { format!("{begin}…") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_between_backticks_are_code() {
        assert_eq!(prose("`--L <x>` & more"), "<code>--L &lt;x&gt;</code> &amp; more");
        assert_eq!(prose("a ` alone"), "a ` alone");
    }

    #[test]
    fn long_lists_and_long_items_are_cut() {
        let words: Vec<String> = ["a", "<b>", "c"].map(str::to_owned).to_vec();
        assert_eq!(listed(&words, 2, ", "), "<code>a</code>, <code>&lt;b&gt;</code>, … and 1 more");
        assert_eq!(shortened("{a|b}", 2), "{a|b}");
        assert!(shortened(&"x|".repeat(100), 100).ends_with("… (100)"));
    }
}
