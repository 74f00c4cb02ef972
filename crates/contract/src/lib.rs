//! What every room of Throng agrees on, and nothing else.
//!
//! * [`Descriptor`] and [`Param`]: the one typed description of a method, promise or measure, from which
//!   command line, recipes, HTTP schema, web forms and Python signatures are derived.
//! * [`DataShape`]: what data are; [`Descriptor::fits`] is the one rule whether something fits them.
//! * [`Product`]: which body a method publishes, and what making it costs.
//! * [`Settings`]: parameter values that were checked against a descriptor.
//! * [`Failure`] and [`Failing`]: how an error of any room becomes a message, a way out and an exit code.
//! * [`Help`]: one way out of a failure; [`Surface`] words it for a terminal, a page or a program.
//! * [`Progress`]: named phases, counters and cancellation for everything that can take long.

mod brief;
mod command_line;
mod descriptor;
mod failure;
mod fraction;
mod help;
mod input;
mod product;
mod progress;
mod settings;
mod shape;
mod suggest;

pub use brief::{MAX_QUOTED, MAX_SENTENCE, brief};
pub use command_line::{shell_line, shell_quoted};
pub use descriptor::{Better, Cost, DataKind, Descriptor, DescriptorKind, Gauge, Param, ParamKind, Scale};
pub use failure::{Class, Failing, Failure};
pub use fraction::{Fraction, Threshold};
pub use help::{Change, CommandLine, Help, HelpPart, Surface, flag_of, typed};
pub use input::{Given, Input, InputKey, InputRow, MissingInput, Need};
pub use product::{BodyKind, Product, Rates};
pub use progress::{Cancelled, Observer, Phase, Progress};
pub use settings::{Settings, SettingsError, Value};
pub use shape::{DataShape, EventShape, Misfit};
pub use suggest::did_you_mean;
