//! Bytes that are no text: what they are, told by how they begin, and how to get rows out of them.
//!
//! Text with a few bytes that are none is left to its reader, who says where they are.

use super::error::{Defect, InputError};

const EXPORT: &str =
    "write the table that you need as CSV, for example with the program that made the file, and give that";
const UNPACK: &str = "unpack it, and give one of its files";
const ROWS: &str = "give a file with rows: text (.csv, .tsv, .jsonl), a workbook (.xlsx, .ods) or Parquet";

/// How files begin, what they are, and the way out.
const KINDS: [(&[u8], &str, &str); 26] = [
    (b"\x89PNG\r\n", "a PNG image", ROWS),
    (b"\xff\xd8\xff", "a JPEG image", ROWS),
    (b"GIF8", "a GIF image", ROWS),
    (b"II*\0", "a TIFF image", ROWS),
    (b"MM\0*", "a TIFF image", ROWS),
    (b"RIFF", "a sound, film or WebP image", ROWS),
    (b"OggS", "a sound or film", ROWS),
    (b"ID3", "a sound", ROWS),
    (b"%PDF-", "a PDF document", ROWS),
    (b"\x7fELF", "a program", ROWS),
    (b"MZ", "a program for Windows", ROWS),
    (
        b"SQLite format 3\0",
        "an SQLite database",
        "write a table of it as CSV: `sqlite3 -header -csv FILE 'SELECT * FROM TABLE' > table.csv`",
    ),
    (b"\x89HDF\r\n", "an HDF5 file", EXPORT),
    (b"CDF\x01", "a NetCDF file", EXPORT),
    (b"CDF\x02", "a NetCDF file", EXPORT),
    (b"\x93NUMPY", "an array of NumPy", EXPORT),
    (b"\x80\x04\x95", "a pickle of Python", EXPORT),
    (b"\x80\x05\x95", "a pickle of Python", EXPORT),
    (b"RDX2\n", "data of R", EXPORT),
    (b"RDX3\n", "data of R", EXPORT),
    (b"ARROW1", "an Arrow file", "write it as Parquet or CSV"),
    (b"ORC", "an ORC file", "write it as Parquet or CSV"),
    (b"Obj\x01", "an Avro file", "write it as Parquet or CSV"),
    (b"$FL2", "data of SPSS", EXPORT),
    (b"7z\xbc\xaf", "a 7z archive", UNPACK),
    (b"Rar!\x1a\x07", "a RAR archive", UNPACK),
];

/// Where a tar archive says that it is one.
const TAR: (usize, &[u8]) = (257, b"ustar");

/// Bytes that no text has, from which on there are too many to be slips: so many, and one in so many.
const TOO_MANY: (usize, usize) = (4, 32);

/// Refuses what begins like something that is no text.
pub(super) fn refuse(head: &[u8], file: &str) -> Result<(), InputError> {
    let known = KINDS.iter().find(|(begin, ..)| head.starts_with(begin));
    let (what, help) = match known {
        // A short beginning may be a word of a text: then what follows decides.
        Some((begin, what, help)) if begin.len() > 4 || !is_text(head) => (*what, *help),
        _ if head.get(TAR.0..).is_some_and(|rest| rest.starts_with(TAR.1)) => ("a tar archive", UNPACK),
        _ if is_text(head) => return Ok(()),
        _ => ("something that only its own program reads", ROWS),
    };
    Err(InputError::file(file, Defect::Binary { what, help }))
}

/// What is well-formed is text, whatever it says: what was read can be written, and read again.
fn is_text(head: &[u8]) -> bool {
    // The beginning of a file may end within a character.
    let cut = std::str::from_utf8(head).err();
    if cut.is_none_or(|error| error.error_len().is_none()) {
        return true;
    }
    let odd = head.iter().filter(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31)).count();
    odd < TOO_MANY.0 || odd * TOO_MANY.1 < head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(bytes: &[u8]) -> Option<String> {
        refuse(bytes, "f").err().map(|error| error.to_string())
    }

    #[test]
    fn what_is_no_text_is_called_what_it_is() {
        assert_eq!(
            said(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap(),
            "`f`: no text: it looks like a PNG image"
        );
        assert!(said(b"%PDF-1.7\n%text").unwrap().contains("PDF"));
        assert!(said(b"SQLite format 3\0").unwrap().contains("SQLite"));
        let noise: Vec<u8> = (0..2000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        assert!(said(&noise).unwrap().contains("only its own program reads"));
        let mut tar = vec![b'a'; 600];
        tar[257..262].copy_from_slice(b"ustar");
        assert!(said(&tar).unwrap().contains("tar"));
    }

    #[test]
    fn text_is_text_however_it_begins_and_with_a_slip_or_two() {
        for text in [
            "MZ,item\n1,a\n",
            "ORC item\n",
            "ID3;item\n1;a\n",
            "subject,item\n1,a\x01\x02\n",
            "\x15,a\n\x15,b\n\x15,c\n\x15,d\n",
            "",
        ] {
            assert_eq!(said(text.as_bytes()), None, "{text}");
        }
    }
}
