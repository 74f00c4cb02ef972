//! The papers' worked examples, as printed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bonomi_2016;
mod chen_2011;
mod chen_2012;
mod elseidy_2014;
mod fung_2005;
mod lefevre_2005;
mod lefevre_2006;
mod li_2007;
mod loukides_2011;
mod mohammed_rfid;
mod pensa_2008;
mod poulis_2013;
mod poulis_2014;
mod poulis_soa;
mod terrovitis_2008;
mod terrovitis_2012;
