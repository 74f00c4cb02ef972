//! What a user can do about each defect of an input.

use throng_contract::{Class, Failing, Help, help};

use super::{Defect, InputError};
use crate::TaxonomyError;
use crate::limits::Limit;

impl Failing for InputError {
    fn class(&self) -> Class {
        match *self.defect {
            Defect::Cancelled => Class::Interrupted,
            Defect::Limit(_) => Class::Infeasible,
            _ => Class::BadInput,
        }
    }

    fn help(&self) -> Option<Help> {
        let help = match &*self.defect {
            Defect::Cancelled => return None,
            Defect::Read { .. } => "check that the file is complete; fetch it again if it was cut",
            Defect::Open { .. } => "check the path, and that you may read the file",
            Defect::NotCompressed { .. } => {
                "rename the file without that extension, or fetch it again if it was cut"
            }
            Defect::UnknownFormat => {
                "name the format with {input-format}, or give a table or events as text (.csv, .tsv, .txt, .jsonl), a workbook (.xlsx, \
                 .ods), an event log (.xes), SPMF, FIMI (.dat) or Parquet, perhaps packed (.gz, .zst, .xz, .bz2, .zip)"
            }
            Defect::Empty => "check that the command that made it succeeded",
            Defect::HeaderOnly => {
                "check that the command that made it succeeded; where the first line is a row already, say {no-header}"
            }
            Defect::NotUtf8 { .. } => {
                "say how its letters are stored, for example {encoding windows-1252}; another file than the data has to be \
                 converted to UTF-8"
            }
            Defect::Binary { help, .. } => help,
            Defect::Spent => "a pipe can be read once: save it to a file first, and give that",
            Defect::Limit(limit) => {
                let first = match limit {
                    Limit::Row => {
                        "check that a quote is not left open before it and that lines end with a line feed; if the row is meant \
                         so, write its events in the long form, one a row, or "
                    }
                    Limit::Whole => "write it as CSV, which is read as it comes, however long it is, or ",
                    Limit::Unpacked => "check that it is the file you meant; if so, unpack it yourself, or ",
                    _ => "",
                };
                return Some(Help::words(first).and(limit.way_out()));
            }
            Defect::CarriageReturn => {
                "if it ends a line, convert the file: `tr '\\r' '\\n' < IN > OUT`; if it belongs to a field, quote the field"
            }
            Defect::CarriageReturns => "convert the file: `tr '\\r' '\\n' < IN > OUT`",
            Defect::Delimiter => "give `,`, `;`, `|` or a tab",
            Defect::DuplicateColumn { flag: Some(flag) } => {
                let name = self.place.column.as_deref().unwrap_or("COLUMN");
                return Some(help!(
                    "say which one is meant: {$ $} the first, {$ $.2} the second",
                    flag,
                    name,
                    flag,
                    name
                ));
            }
            Defect::DuplicateColumn { flag: None } => "rename or remove one of the two columns",
            Defect::MissingColumn { suggestion: Some(name), flag: Some(flag), .. } => {
                return Some(help!("if it is `$`, say so with {$ $}", name, flag, name));
            }
            Defect::MissingColumn { flag: Some(flag), .. }
            | Defect::AmbiguousColumn { flag: Some(flag), .. } => {
                return Some(help!("name the column with {$ COLUMN}", flag));
            }
            Defect::MissingColumn { role: "x" | "y", .. } => {
                "name the coordinates `x` and `y`, or `lat` and `lon`"
            }
            Defect::MissingColumn { role, .. } => return Some(help!("add a column named `$`", role)),
            Defect::AmbiguousColumn { role, .. } => return Some(help!("name one of them `$`", role)),
            Defect::SameColumn { .. } => "give each role a column of its own",
            Defect::Ragged { .. } => {
                "quote fields that contain the delimiter, or choose another one with {delimiter}"
            }
            Defect::StrayQuote => {
                "put the whole field in quotes and double the quotes inside it: `\"5\"\" pipe\"`"
            }
            Defect::OpenQuote => "close the quote, or double it if it is part of the text",
            Defect::EmptyField { .. } => "fill it in, or remove the line",
            Defect::Time { help, .. } => help,
            Defect::DayOrMonth { both: false, first, second } => {
                return Some(help!("say which: {time-format \"$\"} or {time-format \"$\"}", first, second));
            }
            Defect::DayOrMonth { .. } => "write all times of a file in one form",
            Defect::Question { help, .. } => return Some(help.clone()),
            Defect::NoPeople { help, .. } => help,
            Defect::SeveralFiles { .. } => "unpack it, and give one of its files",
            Defect::Zip { .. } | Defect::Workbook { .. } => {
                "check that the file is complete; fetch it again if it was cut, or save it as CSV"
            }
            Defect::Sheet { .. } => "name one with {sheet NAME}",
            Defect::Json { .. } => {
                "write one object a line, `{\"subject\": \"1\", \"item\": \"a\"}`, or one list of objects"
            }
            Defect::Xes { .. } => "check that the file is complete; fetch it again if it was cut",
            Defect::Varying { .. } => {
                "leave the column out, or take the first value of each with {first-value}"
            }
            Defect::Number { .. } => {
                "write numbers with a point, as in `12.5`, without units or thousands separators"
            }
            Defect::Range { what: "a coordinate", .. } => {
                "check that the columns are those of x and y; if so, move the origin closer to the places"
            }
            Defect::Range { .. } => {
                "check that latitude and longitude are not swapped; for a plane name them `x` and `y`"
            }
            Defect::Spmf { help, .. } => help,
            Defect::UnknownItem { suggestion: Some(name), .. } => {
                return Some(help!("did you mean `$`?", name));
            }
            Defect::UnknownItem { .. } => {
                "remove the line, or correct the name: names are compared letter by letter"
            }
            Defect::MissingItem { what, .. } => {
                return Some(help!("add $ for every item of the data", what));
            }
            Defect::Repeated { .. } => "remove one of the two lines",
            Defect::EmptyEntry => "remove the extra separator, or fill in the item",
            Defect::Taxonomy(error) => taxonomy_help(error),
            Defect::RepeatedSubject { .. } => {
                "keep one row for each subject; several events of one person belong in the events file"
            }
            Defect::RepeatedPerson { .. } => {
                "a table has one row a person: keep one, name the column that tells people apart with {id COLUMN}, or say \
                 {id -} if every row is a person of its own; several events of a person are no table: name their column \
                 with {item COLUMN}"
            }
            Defect::RepeatedPattern { .. } => "remove one of the lines",
            Defect::UnknownSubject { .. } => {
                "remove the row, or check that both files name people in the same way"
            }
            Defect::MissingSubjects { .. } => "add a row for every subject; leave unknown values empty",
            Defect::Graph { help, .. } => help,
            Defect::Parquet { .. } => {
                "check that the file is complete; compression must be none, snappy or zstd"
            }
            Defect::ParquetType { .. } => "convert the column when writing the file, or choose another one",
            Defect::ParquetNull { .. } => "fill in or remove rows without a value before writing the file",
        };
        Some(Help::from(help))
    }
}

fn taxonomy_help(error: &TaxonomyError) -> &'static str {
    match error {
        TaxonomyError::Empty | TaxonomyError::EmptyPath { .. } => {
            "write one line for each item: `leaf;parent;...;root`"
        }
        TaxonomyError::Cycle { .. } | TaxonomyError::Loop { .. } => {
            "give the more general value a name of its own"
        }
        TaxonomyError::DuplicateLeaf { .. } => "keep one line for each leaf",
        TaxonomyError::LeafWithChildren { .. } => "give items and groups of items different names",
        TaxonomyError::TwoParents { .. } => "put each value below one parent only",
        TaxonomyError::TwoRoots { .. } => "end every line with the same most general value, for example `;*`",
        TaxonomyError::MissingItem { .. } => "add a line for every item of the data",
    }
}
