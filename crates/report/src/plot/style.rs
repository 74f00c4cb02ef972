//! One stylesheet, and what tells series apart.

/// Rules for every drawing of this room; a page that shows drawings inline carries it once.
///
/// Colours and dashes are those of the workbench's plots. Dark colours are for screens only: paper is light. On narrow screens letters grow against the drawing, which shrinks.
pub const STYLE: &str = "\
:root { --paper: #fff; --ink: #1d2730; --soft: #55626d; --line: #d3dae0; --s0: #0f5e66; --s1: #a8480f; --s2: #5b4a9c;
  --s3: #2f6d1e; --s4: #96316f; --s5: #45525a; --s6: #8a6500; --s7: #1f6fb2 }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #14191e; --ink: #e6ebef; --soft: #a3b0bb;
  --line: #35424c; --s0: #63c7cd; --s1: #f2a56e; --s2: #b9a8f5; --s3: #9bd489; --s4: #f094cb; --s5: #c3ced3; --s6: #e0b64c;
  --s7: #74b8f0 } }
svg.plot { display: block; width: 100%; max-width: 36rem; height: auto; font-family: system-ui, sans-serif }
.plot text { font-size: 12.5px; fill: var(--soft); paint-order: stroke; stroke: var(--paper); stroke-width: 3px } .plot .name { fill: var(--ink) }
.plot .grid { stroke: var(--line); fill: none } .plot .axis { stroke: var(--soft); fill: none }
.plot .c0 { --c: var(--s0) } .plot .c1 { --c: var(--s1) } .plot .c2 { --c: var(--s2) } .plot .c3 { --c: var(--s3) }
.plot .c4 { --c: var(--s4) } .plot .c5 { --c: var(--s5) } .plot .c6 { --c: var(--s6) } .plot .c7 { --c: var(--s7) }
.plot .stroke { stroke: var(--c); fill: none; stroke-width: 2 } .plot .hair { stroke: var(--c); fill: none }
.plot .full { fill: var(--c); stroke: var(--c) } .plot .open { fill: var(--paper); stroke: var(--c); stroke-width: 1.8 }
.plot .area { stroke: var(--c); stroke-width: 9; stroke-opacity: .3; stroke-linejoin: round }
.plot .strong { font-weight: 600 } .plot .word { fill: var(--c) } .plot .edge { stroke: var(--paper); fill: none }
@media screen and (max-width: 34rem) { .plot text { font-size: 14.5px } }
";

/// What only a file of its own needs: a ground to stand on.
pub(super) const GROUND: &str = ".ground { fill: var(--paper) }\n";

/// How many colours there are; later series begin again, with other markers and dashes.
pub(super) const COLOURS: usize = 8;

/// The class that carries the colour of a series.
pub(super) fn colour(series: usize) -> String {
    format!("c{}", series % COLOURS)
}

/// The dash pattern of a series; empty for an unbroken line.
pub(super) fn dashes(series: usize) -> &'static str {
    const DASHES: [&str; 7] = ["", "6 3", "2 3", "9 3 2 3", "4 4", "1 4", "12 4"];
    DASHES[series % DASHES.len()]
}

/// The shape that marks the points of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    Disc,
    Square,
    Triangle,
    Diamond,
    Ring,
    Frame,
    Cross,
    Plus,
    Wedge,
}

/// The marker of a series. Nine markers and eight colours: 72 series before a pair repeats.
pub(super) fn marker(series: usize) -> Marker {
    const MARKERS: [Marker; 9] = [
        Marker::Disc,
        Marker::Square,
        Marker::Triangle,
        Marker::Diamond,
        Marker::Ring,
        Marker::Cross,
        Marker::Frame,
        Marker::Plus,
        Marker::Wedge,
    ];
    MARKERS[series % MARKERS.len()]
}
