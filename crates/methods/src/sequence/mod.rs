//! Methods that publish sequences: trips, check-ins, click-streams.
