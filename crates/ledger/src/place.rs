//! Where the ledger lies.

use std::ffi::OsString;
use std::path::PathBuf;

use super::LedgerError;

/// The file that was named, else `$THRONG_LEDGER`, else `$XDG_DATA_HOME/throng/ledger.jsonl`, else the same under
/// `~/.local/share`.
pub fn place(named: Option<PathBuf>) -> Result<PathBuf, LedgerError> {
    match named {
        Some(path) => Ok(path),
        None => from(|name| std::env::var_os(name)).ok_or(LedgerError::NoPlace),
    }
}

fn from(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(path) = set("THRONG_LEDGER") {
        return Some(path);
    }
    // The standard for such folders has relative paths ignored.
    let data = set("XDG_DATA_HOME").filter(|path| path.is_absolute());
    let data = data.or_else(|| Some(set("HOME")?.join(".local/share")))?;
    Some(data.join("throng/ledger.jsonl"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Option<PathBuf> {
        from(|name| Some(variables.iter().find(|(known, _)| *known == name)?.1.into()))
    }

    #[test]
    fn the_ledger_lies_where_it_was_said_or_among_the_users_data() {
        let home = ("HOME", "/home/ann");
        assert_eq!(with(&[("THRONG_LEDGER", "x"), home]).unwrap(), PathBuf::from("x"));
        let among = |folder: &str| PathBuf::from(folder).join("throng/ledger.jsonl");
        assert_eq!(with(&[("XDG_DATA_HOME", "/data"), home]).unwrap(), among("/data"));
        assert_eq!(with(&[("XDG_DATA_HOME", "data"), home]).unwrap(), among("/home/ann/.local/share"));
        assert_eq!(with(&[("THRONG_LEDGER", ""), home]).unwrap(), among("/home/ann/.local/share"));
        assert_eq!(with(&[]), None);
    }
}
