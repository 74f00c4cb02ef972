//! The stage of the check-in world: towns of the state of New York, and kinds of places to be in.

/// A town (or a part of the city) with places to check in.
pub(super) struct Town {
    pub(super) region: usize,
    pub(super) lat: f64,
    pub(super) lon: f64,
    /// Degrees of latitude over which its places spread.
    pub(super) spread: f64,
    /// Number of places.
    pub(super) places: usize,
    /// People living there, relative to other towns.
    pub(super) people: f64,
}

/// Parts of the state.
pub(super) const REGIONS: [&str; 6] =
    ["manhattan", "boroughs", "long-island", "hudson-valley", "capital", "west"];

#[rustfmt::skip]
pub(super) const TOWNS: [Town; 41] = [
    // Midtown, Union Square, Downtown, Upper West Side, Upper East Side, Harlem
    town(0, 40.754, -73.984, 0.010, 30, 9.0),
    town(0, 40.736, -73.990, 0.008, 22, 6.0),
    town(0, 40.709, -74.010, 0.008, 20, 5.0),
    town(0, 40.787, -73.975, 0.010, 14, 5.0),
    town(0, 40.774, -73.957, 0.010, 14, 4.0),
    town(0, 40.811, -73.946, 0.012, 10, 3.0),
    // Williamsburg, Park Slope, Coney Island, Astoria, Flushing, Jamaica, Bronx, Staten Island, Jersey City
    town(1, 40.708, -73.957, 0.012, 18, 7.0),
    town(1, 40.671, -73.978, 0.012, 14, 5.0),
    town(1, 40.577, -73.981, 0.012,  8, 2.0),
    town(1, 40.764, -73.923, 0.012, 16, 5.0),
    town(1, 40.764, -73.830, 0.014, 14, 4.0),
    town(1, 40.702, -73.789, 0.014, 12, 3.0),
    town(1, 40.838, -73.903, 0.016, 10, 4.0),
    town(1, 40.638, -74.078, 0.016,  8, 2.0),
    town(1, 40.728, -74.078, 0.014, 10, 3.0),
    // Hempstead, Huntington, Babylon, Islip, Port Jefferson, Riverhead
    town(2, 40.706, -73.619, 0.030, 26, 4.0),
    town(2, 40.868, -73.426, 0.030, 22, 3.0),
    town(2, 40.696, -73.326, 0.025, 16, 2.0),
    town(2, 40.730, -73.211, 0.030, 18, 3.0),
    town(2, 40.946, -73.069, 0.025, 16, 2.0),
    town(2, 40.917, -72.662, 0.040, 12, 1.0),
    // Yonkers, White Plains, Nyack, Newburgh, Poughkeepsie, Kingston
    town(3, 40.931, -73.899, 0.020, 24, 4.0),
    town(3, 41.034, -73.763, 0.025, 24, 4.0),
    town(3, 41.091, -73.918, 0.020, 12, 2.0),
    town(3, 41.503, -74.010, 0.030, 16, 2.0),
    town(3, 41.700, -73.921, 0.030, 20, 3.0),
    town(3, 41.927, -73.997, 0.030, 14, 1.0),
    // Albany, Schenectady, Troy, Saratoga Springs, Glens Falls, Utica, Syracuse
    town(4, 42.653, -73.756, 0.030, 30, 4.0),
    town(4, 42.814, -73.940, 0.025, 14, 2.0),
    town(4, 42.728, -73.692, 0.020, 14, 1.5),
    town(4, 43.083, -73.785, 0.025, 16, 2.0),
    town(4, 43.310, -73.644, 0.025,  8, 0.7),
    town(4, 43.101, -75.233, 0.030, 12, 1.2),
    town(4, 43.048, -76.147, 0.035, 17, 3.0),
    // Rochester, Buffalo, Niagara Falls, Ithaca, Binghamton, Jamestown, Elmira
    town(5, 43.157, -77.616, 0.035, 28, 4.0),
    town(5, 42.886, -78.878, 0.035, 32, 5.0),
    town(5, 43.096, -79.038, 0.020, 14, 1.5),
    town(5, 42.444, -76.502, 0.020, 14, 2.0),
    town(5, 42.099, -75.918, 0.025, 11, 1.2),
    town(5, 42.097, -79.235, 0.020,  6, 0.6),
    town(5, 42.090, -76.808, 0.020,  6, 0.6),
];

const fn town(region: usize, lat: f64, lon: f64, spread: f64, places: usize, people: f64) -> Town {
    Town { region, lat, lon, spread, places, people }
}

/// Groups of kinds of places.
pub(super) const GROUPS: [(&str, [&str; 6]); 6] = [
    ("food", ["cafe", "bakery", "diner", "pizzeria", "restaurant", "deli"]),
    ("evening", ["bar", "pub", "club", "cinema", "music-hall", "theatre"]),
    ("shops", ["grocery", "mall", "bookshop", "market", "florist", "outfitter"]),
    ("travel", ["station", "airport", "hotel", "bus-stop", "ferry", "garage"]),
    ("outdoors", ["park", "beach", "playground", "trail", "stadium", "garden"]),
    ("services", ["office", "school", "library", "clinic", "church", "bank"]),
];
