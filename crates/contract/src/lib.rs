//! What every room of Throng agrees on, and nothing else.
//!
//! * [`Descriptor`] and [`Setting`]: the one typed description of a method, promise or measure, from which
//!   command line, recipes, HTTP schema, web forms and Python signatures are derived.
//! * [`Key`], [`Choice`] and [`settings!`]: a setting with the type of its value, and a list of them as a struct.
//! * [`DataShape`]: what data are; [`Descriptor::fits`] is the one rule whether something fits them.
//! * [`Product`]: which body a method publishes, and what making it costs.
//! * [`Settings`]: values that were checked against a descriptor.
//! * [`Failure`] and [`Failing`]: how an error of any room becomes a message, a way out and an exit code.
//! * [`Help`]: one way out of a failure; [`Surface`] words it for a terminal, a page or a program.
//! * [`Progress`]: named phases, counters and cancellation for everything that can take long.

mod asked;
mod brief;
mod choice;
mod command_line;
mod descriptor;
mod failure;
mod fraction;
mod help;
mod input;
mod key;
mod product;
mod progress;
mod setting;
mod settings;
mod shape;
mod suggest;

#[doc(hidden)]
pub use asked::{joined, joined_len, setting_of};
pub use brief::{MAX_QUOTED, MAX_SENTENCE, brief};
pub use choice::Choice;
pub use command_line::{shell_line, shell_quoted};
pub use descriptor::{Better, Cost, DataKind, Descriptor, DescriptorKind, Gauge, Scale};
pub use failure::{Class, Failing, Failure};
pub use fraction::{Fraction, Threshold};
pub use help::{Change, CommandLine, Help, HelpPart, Surface, flag_of, typed};
pub use input::{Given, Input, InputKey, InputRow, MissingInput, Need};
pub use key::{Key, SettingType};
pub use product::{BodyKind, OverParts, Product, Rates};
pub use progress::{Cancelled, Observer, Phase, Progress};
pub use setting::{Setting, SettingKind};
pub use settings::{Settings, SettingsError, Value};
pub use shape::{DataShape, EventShape, Misfit};
pub use suggest::did_you_mean;
