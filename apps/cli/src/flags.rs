//! Flags made from the catalogue: parameters and inputs of methods and promises.
//!
//! A one-letter lower-case parameter is a short flag (`-k 5`), any other a long one (`--L 3`, `--linkage single`).
//! A switch that is on by default is turned off with `--no-NAME`. Values are passed on as text: ranges are
//! checked against the descriptor of the method that was chosen, which alone knows them.

use throng_contract::{Param, ParamKind};

/// Whether the parameter is typed with one dash.
fn is_short(name: &str) -> bool {
    name.len() == 1 && name.chars().all(char::is_lowercase)
}

/// How the parameter is typed.
pub fn spelling(param: &Param) -> String {
    match param.name {
        name if turns_off(param) => format!("--no-{name}"),
        name if is_short(name) => format!("-{name}"),
        name => format!("--{name}"),
    }
}

fn turns_off(param: &Param) -> bool {
    param.kind == ParamKind::Switch && param.default == Some("true")
}
