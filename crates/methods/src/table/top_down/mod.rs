//! Starts from cells that say nothing and makes values more special, the best first, while groups stay large enough.
//!
//! # Reference
//! FWY05: Fung, Wang, Yu. Top-down specialization for information and privacy preservation. ICDE 2005; and its extended form, IEEE
//! TKDE 19(5), 2007.
//! # Guarantees
//! The release satisfies `k`, and `l-diversity` and `t-closeness` where they were asked for: a value is specialised only if all groups
//! still satisfy them. A value is published in one way everywhere.
//! # Cost
//! A specialisation walks the rows of the value that is specialised, once for each column. Values that are not allowed stay so, since
//! groups only get smaller; that is why smallest parts need no recount.
//! # Departs from the paper
//! * Without a class column the gain is the NCP that a specialisation saves, and every allowed one is of use.
//! * Numbers without a hierarchy are split in two where that gains most; a split that other specialisations have made impossible is
//!   replaced by the best that is still possible. A category without a hierarchy is told apart altogether or not at all.

mod effect;
mod partition;
mod score;
mod value;

use throng_contract::{BodyKind, DataKind, Descriptor, DescriptorKind, Input, Key, Need, Product, settings};
use throng_data::{Domain, Role};

use self::partition::Partition;
pub use self::score::{ScoreForm, info_gain};
use self::value::Margins;
use super::demands::Demands;
use super::params::{BOUNDS, Bounds, K, OfSecrets};
use super::quasi::{Quasi, Sets, Wanted};
use super::release::by_code;
use crate::{Explanation, Method, MethodError, Outcome, Task};

/// More classes than this are no classes.
const CLASSES: usize = 1_000;

const CLASS: Key<String> =
    Key::column("class", "column that the release should still allow to predict; without one, NCP decides")
        .or("");

const SCORE_FORM: Key<ScoreForm> = Key::choice(
    "score-form",
    "how gain and loss of anonymity are weighed: gain/(loss+1) of 2007 or gain/loss of 2005",
)
.or("2007");

settings! {
    /// What the method is asked for.
    struct Asked {
        k: u64 = K,
        class: String = CLASS,
        score_form: ScoreForm = SCORE_FORM,
        of_secrets: OfSecrets,
        bounds: Bounds = BOUNDS,
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    name: "top-down",
    purpose: "start from cells that say nothing and specialise values, the best first, while groups stay large enough",
    takes: &[DataKind::Table],
    needs: &[Need::optional(Input::Hierarchies)],
    params: Asked::ALL,
    keeps: Some("k"),
    product: Some(Product::of(BodyKind::Table)),
    paper: "FWY05",
    example: "throng anonymize patients/patients.csv --schema patients/schema.toml --method top-down -k 5 -o release",
    notes: "With a class column the release is made for predicting it: columns that do not help stay general. Every value is published \
            in one way everywhere.",
    ..Descriptor::blank(DescriptorKind::Method)
};

/// Top-down specialisation.
#[derive(Debug, Clone, Copy)]
pub struct TopDown;

impl Method for TopDown {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        let asked = Asked::of(task.settings);
        let wanted =
            Wanted { k: asked.k, bounds: asked.bounds, along_order: false, sets: Sets::AllOrNothing };
        let quasi = Quasi::read(task, wanted)?;
        let demands = Demands::new(asked.k, &asked.of_secrets, task.data)?;
        if let Some(why) = demands.infeasible(task.data.subjects.len() as u64) {
            return Err(why);
        }
        let class = class(task, &asked.class)?;
        let classes = class.as_ref().map(|class| (class.codes.as_slice(), class.len()));
        let margins: Vec<Margins> = quasi.iter().map(|quasi| Margins::new(quasi, classes)).collect();
        let form = asked.score_form;
        let (cells, steps) = {
            let phase = task.progress.phase("specialise values", None);
            let mut partition = Partition::new(&quasi, &demands, &margins, form);
            // Without a class nothing speaks against telling more; with one, what does not help predict it stays general.
            let steps = partition.run(class.is_none(), &phase)?;
            (partition.cells(), steps)
        };
        let release = by_code(task, &quasi, cells, &[]);
        Ok(Outcome {
            release,
            explanation: Explanation::default(),
            notes: demands.with_notes(vec![format!("{steps} values were specialised")]),
            public_notes: Vec::new(),
            ledger: None,
            also: demands.also(),
        })
    }
}

/// The class column, if one was named.
fn class(task: &Task<'_>, name: &str) -> Result<Option<Domain>, MethodError> {
    if name.is_empty() {
        return Ok(None);
    }
    let table = task.data.attributes.as_ref();
    let Some(column) = table.and_then(|table| table.column(name)) else {
        return Err(MethodError::Usage {
            what: format!("there is no column `{name}` to be the class"),
            help: "name a column of the data with {class COLUMN}".into(),
        });
    };
    if matches!(column.role, Some(Role::QuasiIdentifying | Role::Identifying)) {
        return Err(MethodError::Usage {
            what: format!("the class column `{name}` is itself {}", column.role.map_or("", Role::name)),
            help: "name a column that is published as it is, or has no role".into(),
        });
    }
    let domain = Domain::of(column, None).map_err(|error| MethodError::BadData {
        what: format!("column `{name}`: {error}"),
        help: "check the values of the column".into(),
    })?;
    if domain.len() > CLASSES {
        return Err(MethodError::Usage {
            what: format!(
                "the class column `{name}` has {} different values, more than {CLASSES}",
                domain.len()
            ),
            help: "name a column with a few classes, or none".into(),
        });
    }
    Ok(Some(domain))
}
