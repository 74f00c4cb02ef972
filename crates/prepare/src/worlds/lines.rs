//! The metro of the metro world: four lines, 65 stations, a timetable, and the quickest way between any two.

/// Number of stations.
pub(super) const STATIONS: usize = 65;

/// A line: a letter for its stations, how many it has, the stations it shares with other lines, the points it
/// bends at (position along the line, x, y in kilometres), and the minutes between its trains.
struct Line {
    letter: char,
    stops: usize,
    shared: &'static [(usize, &'static str)],
    bends: &'static [(usize, f64, f64)],
    headway: u32,
}

const LINES: [Line; 4] = [
    Line {
        letter: 'G',
        stops: 27,
        shared: &[(8, "Westgate"), (14, "Central")],
        bends: &[(0, 0.0, 4.0), (8, 6.0, 6.0), (14, 10.5, 7.5), (26, 19.0, 11.0)],
        headway: 6,
    },
    Line {
        letter: 'O',
        stops: 28,
        shared: &[(6, "Hill"), (12, "Westgate"), (17, "Central"), (22, "North")],
        bends: &[
            (0, 1.0, 15.0),
            (6, 3.5, 10.0),
            (12, 6.0, 6.0),
            (15, 8.7, 5.8),
            (17, 10.5, 7.5),
            (22, 8.5, 12.5),
            (27, 5.5, 17.0),
        ],
        headway: 6,
    },
    Line {
        letter: 'B',
        stops: 12,
        shared: &[(0, "Hill"), (9, "North")],
        bends: &[(0, 3.5, 10.0), (9, 8.5, 12.5), (11, 10.5, 13.8)],
        headway: 8,
    },
    Line {
        letter: 'Y',
        stops: 3,
        shared: &[(0, "Central")],
        bends: &[(0, 10.5, 7.5), (2, 13.0, 4.5)],
        headway: 8,
    },
];

/// Minutes to walk from one line's platform to another's.
const CHANGE: u32 = 2;

/// Where trains of one line stop at a station.
struct Platform {
    station: usize,
    line: usize,
    /// Minutes of travel from the line's first stop.
    minute: u32,
}

/// Stations, and platforms along the lines in order.
pub(super) struct Metro {
    pub(super) names: Vec<String>,
    pub(super) points: Vec<[f64; 2]>,
    platforms: Vec<Platform>,
    /// Travel minutes between platforms, without waiting.
    minutes: Vec<u32>,
    /// The next platform on the quickest way, for each platform and each destination.
    steps: Vec<usize>,
    /// A platform of each station.
    doors: Vec<usize>,
}

impl Metro {
    pub(super) fn new() -> Self {
        let (mut names, mut points, mut doors) = (Vec::<String>::new(), Vec::new(), Vec::new());
        let mut platforms: Vec<Platform> = Vec::new();
        for (number, line) in LINES.iter().enumerate() {
            let mut minute = 0;
            for stop in 0..line.stops {
                let name = match line.shared.iter().find(|(at, _)| *at == stop) {
                    Some((_, name)) => (*name).to_owned(),
                    None => format!("{}{:02}", line.letter, stop + 1),
                };
                let station = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                    names.push(name);
                    points.push(point_along(line.bends, stop));
                    doors.push(platforms.len());
                    names.len() - 1
                });
                platforms.push(Platform { station, line: number, minute });
                // Every third stretch is a long one.
                minute += if stop % 3 == 2 { 2 } else { 1 };
            }
        }
        let mut metro = Metro { names, points, minutes: Vec::new(), steps: Vec::new(), platforms, doors };
        metro.find_ways();
        metro
    }

    /// Floyd and Warshall's shortest ways, keeping the first step of each.
    fn find_ways(&mut self) {
        let count = self.platforms.len();
        let mut minutes = vec![u32::MAX / 4; count * count];
        let mut steps: Vec<usize> = (0..count * count).map(|pair| pair % count).collect();
        for (from, here) in self.platforms.iter().enumerate() {
            for (to, there) in self.platforms.iter().enumerate() {
                if from == to {
                    minutes[from * count + to] = 0;
                } else if here.station == there.station {
                    minutes[from * count + to] = CHANGE;
                } else if here.line == there.line && from.abs_diff(to) == 1 {
                    minutes[from * count + to] = here.minute.abs_diff(there.minute);
                }
            }
        }
        for by in 0..count {
            for from in 0..count {
                for to in 0..count {
                    let around = minutes[from * count + by] + minutes[by * count + to];
                    if around < minutes[from * count + to] {
                        minutes[from * count + to] = around;
                        steps[from * count + to] = steps[from * count + by];
                    }
                }
            }
        }
        (self.minutes, self.steps) = (minutes, steps);
    }

    /// Travel minutes between two stations, without waiting.
    pub(super) fn minutes(&self, from: usize, to: usize) -> u32 {
        self.minutes[self.doors[from] * self.platforms.len() + self.doors[to]]
    }

    /// Travels from one station to another, being there at `minute`; sees each station with the minute at
    /// which the train leaves it (the first) or reaches it (the others).
    pub(super) fn travel(&self, from: usize, to: usize, minute: u32, mut see: impl FnMut(usize, u32)) {
        let (mut here, goal) = (self.doors[from], self.doors[to]);
        let mut minute = minute;
        let mut seen = None;
        while here != goal {
            let next = self.steps[here * self.platforms.len() + goal];
            let (left, reached) = (&self.platforms[here], &self.platforms[next]);
            if left.station == reached.station {
                minute += CHANGE;
            } else {
                minute = departure(left, left.minute < reached.minute, minute);
                if seen.is_none() {
                    see(left.station, minute);
                }
                minute += left.minute.abs_diff(reached.minute);
                see(reached.station, minute);
                seen = Some(reached.station);
            }
            here = next;
        }
    }
}

/// The first minute from `minute` on at which a train leaves. Trains run through, so there is no waiting on board.
fn departure(platform: &Platform, outward: bool, minute: u32) -> u32 {
    let headway = LINES[platform.line].headway;
    // A train passes `platform.minute` minutes after the first stop, or before it on the way back.
    let phase =
        if outward { platform.minute % headway } else { (1 + 60 * headway - platform.minute) % headway };
    minute + (phase + headway - minute % headway) % headway
}

fn point_along(bends: &[(usize, f64, f64)], stop: usize) -> [f64; 2] {
    let after = bends.iter().position(|(at, ..)| *at >= stop).unwrap_or(bends.len() - 1);
    let (end, x, y) = bends[after];
    let (start, from_x, from_y) = bends[after.saturating_sub(1)];
    if end == start {
        return [x, y];
    }
    let share = (stop - start) as f64 / (end - start) as f64;
    [from_x + share * (x - from_x), from_y + share * (y - from_y)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_lines_share_four_of_65_stations() {
        let metro = Metro::new();
        assert_eq!((metro.names.len(), metro.platforms.len()), (STATIONS, 70));
    }

    #[test]
    fn trains_do_not_wait_between_stations() {
        let metro = Metro::new();
        let mut trip = Vec::new();
        metro.travel(0, 8, 5, |station, minute| trip.push((station, minute)));
        assert_eq!(trip.iter().map(|(station, _)| *station).collect::<Vec<_>>(), (0..=8).collect::<Vec<_>>());
        assert_eq!(trip[8].1 - trip[0].1, metro.minutes(0, 8));
    }

    #[test]
    fn minutes_strictly_increase_on_every_trip() {
        let metro = Metro::new();
        for from in 0..STATIONS {
            for to in (0..STATIONS).filter(|to| *to != from) {
                let mut trip = Vec::new();
                metro.travel(from, to, 1, |station, minute| trip.push((station, minute)));
                assert!(trip.windows(2).all(|pair| pair[0].1 < pair[1].1));
                assert_eq!((trip[0].0, trip[trip.len() - 1].0), (from, to));
            }
        }
    }
}
