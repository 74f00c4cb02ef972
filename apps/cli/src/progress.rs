//! Drawing progress: bars on a terminal, JSON lines on request, nothing otherwise. All of it on standard error.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use throng_contract::{Observer, Progress};
use throng_lab::worker::{Message, Phase};

use crate::failure;

/// The progress that `--progress HOW` asks for.
pub fn choose(how: &str, quiet: bool) -> Progress {
    match how {
        _ if quiet => Progress::silent(),
        "json" => {
            failure::report_as_json();
            Progress::observed(Arc::new(Lines::default()))
        }
        "auto" if io::stderr().is_terminal() => Progress::observed(Arc::new(Bar::new())),
        _ => Progress::observed(Arc::new(Words)),
    }
}

/// No progress, and the few things that should be known before long work begins.
struct Words;

impl Observer for Words {
    fn began(&self, _phase: &str, _total: Option<u64>) {}

    fn advanced(&self, _done: u64) {}

    fn said(&self, words: &str) {
        say(words);
    }

    fn ended(&self) {}
}

fn say(words: &str) {
    // A closed standard error is no reason to stop the work.
    let _ = writeln!(io::stderr(), "note: {words}");
}

/// One bar, reused by phase after phase and wiped when a phase ends.
struct Bar {
    bar: ProgressBar,
    counted: ProgressStyle,
    open_ended: ProgressStyle,
}

impl Bar {
    fn new() -> Self {
        let style = |template| {
            ProgressStyle::with_template(template)
                .unwrap_or_else(|_| ProgressStyle::default_bar())
                .progress_chars("━╸ ")
        };
        let bar = ProgressBar::no_length();
        bar.finish_and_clear();
        Bar {
            bar,
            counted: style(
                "{prefix:<28} {bar:20} {percent:>3}%  {human_pos}/{human_len}  {eta} left  {wide_msg}",
            ),
            open_ended: style("{prefix:<28} {spinner} {human_pos}  {elapsed}"),
        }
    }
}

impl Observer for Bar {
    fn began(&self, phase: &str, total: Option<u64>) {
        self.bar.reset();
        match total {
            Some(total) => {
                self.bar.set_style(self.counted.clone());
                self.bar.set_length(total);
            }
            None => {
                self.bar.set_style(self.open_ended.clone());
                self.bar.unset_length();
            }
        }
        self.bar.set_prefix(phase.to_owned());
        self.bar.set_message("");
        self.bar.tick();
    }

    fn advanced(&self, done: u64) {
        self.bar.set_position(done);
    }

    fn now(&self, words: &str) {
        self.bar.set_message(words.to_owned());
    }

    fn said(&self, words: &str) {
        self.bar.suspend(|| say(words));
    }

    fn ended(&self) {
        self.bar.finish_and_clear();
    }
}

/// How often a phase may report that it advanced.
const BETWEEN_LINES: Duration = Duration::from_millis(100);

/// `{"event":"advance","phase":"count","done":10,"total":100}`, one object a line.
#[derive(Default)]
struct Lines {
    phase: Mutex<Option<Open>>,
}

struct Open {
    name: String,
    done: u64,
    total: Option<u64>,
    printed: Instant,
}

impl Open {
    fn print(&mut self, event: fn(Phase) -> Message, now: Option<&str>) {
        self.printed = Instant::now();
        let (phase, now) = (self.name.clone(), now.map(str::to_owned));
        let message = event(Phase { phase, done: self.done, total: self.total, now });
        // A closed standard error is no reason to stop the work.
        let _ = io::stderr().write_all(message.line().as_bytes());
    }
}

impl Observer for Lines {
    fn began(&self, phase: &str, total: Option<u64>) {
        let mut open = Open { name: phase.to_owned(), done: 0, total, printed: Instant::now() };
        open.print(Message::Begin, None);
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = Some(open);
    }

    fn advanced(&self, done: u64) {
        let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = phase.as_mut() {
            // Threads may report out of order.
            open.done = open.done.max(done);
            if open.printed.elapsed() >= BETWEEN_LINES {
                open.print(Message::Advance, None);
            }
        }
    }

    fn now(&self, words: &str) {
        let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = phase.as_mut() {
            open.print(Message::Now, Some(words));
        }
    }

    fn said(&self, words: &str) {
        // A phase of its own, so that programs that read phases show it.
        let mut open = Open { name: "estimate".to_owned(), done: 0, total: None, printed: Instant::now() };
        open.print(Message::Begin, None);
        open.print(Message::Now, Some(words));
        open.print(Message::End, None);
    }

    fn ended(&self) {
        let phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut open) = phase {
            open.print(Message::End, None);
        }
    }
}
