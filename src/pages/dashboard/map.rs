//! The states as tiles, each about where it lies: a map on which Rhode Island can be read.

use catalogue_schema::insight::Bucket;

use super::bars::Share;
use crate::pages::moment::Count;

/// How large a tile is, in the map's own units, with the gap to the next.
const STEP: u32 = 40;

/// From north to south, and in each row from west to east. A dot is sea, or another country.
const ROWS: [&str; 8] = [
    "AK .. .. .. .. .. .. .. .. .. ME",
    ".. .. .. .. .. .. .. .. .. VT NH",
    "WA ID MT ND MN IL WI MI NY RI MA",
    "OR NV WY SD IA IN OH PA NJ CT ..",
    "CA UT CO NE MO KY WV VA MD DE ..",
    ".. AZ NM KS AR TN NC SC DC .. ..",
    "GU MP .. OK LA MS AL GA .. .. ..",
    "HI AS .. .. TX .. .. .. FL PR VI",
];

/// A state on the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    pub(super) code: &'static str,
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) count: u64,
    pub(super) share: Share,
}

impl Tile {
    /// The number as a tile has room for it.
    pub(super) fn short(&self) -> String {
        match self.count {
            ..10_000 => Count(self.count).to_string(),
            10_000..1_000_000 => format!("{}k", self.count / 1_000),
            _ => format!("{}m", self.count / 1_000_000),
        }
    }

    /// How dark the tile is, in steps, so that a printer tells them apart: from 0 for none to 5.
    pub(super) fn depth(&self) -> u64 {
        self.share.0.div_ceil(200)
    }

    /// The middle of the tile.
    pub(super) fn middle(&self) -> u32 {
        self.x + STEP / 2 - 1
    }
}

/// Every state, with how often it occurs.
pub(super) fn tiles(buckets: &[Bucket]) -> Vec<Tile> {
    let most = buckets.iter().map(|bucket| bucket.count).max().unwrap_or(0);
    let mut tiles = Vec::new();
    for (y, row) in (0..).step_by(STEP as usize).zip(ROWS) {
        for (x, code) in (0..).step_by(STEP as usize).zip(row.split(' ')) {
            if code != ".." {
                let count = buckets.iter().find(|bucket| bucket.value == code).map_or(0, |bucket| bucket.count);
                tiles.push(Tile { code, x, y, count, share: Share::of(count, most) });
            }
        }
    }
    tiles
}

#[cfg(test)]
mod tests {
    use catalogue_schema::UsState;

    use super::*;

    #[test]
    fn every_state_has_one_tile_and_no_two_share_a_place() {
        let tiles = tiles(&[Bucket { value: "CA".to_owned(), count: 12_345 }]);
        let mut codes: Vec<_> = tiles.iter().map(|tile| tile.code).collect();
        codes.sort_unstable();
        assert_eq!(codes, UsState::all().map(UsState::code).collect::<Vec<_>>());
        let mut places: Vec<_> = tiles.iter().map(|tile| (tile.x, tile.y)).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 56);
        let california = tiles.iter().find(|tile| tile.code == "CA").expect("it is there");
        assert_eq!((california.short(), california.depth()), ("12k".to_owned(), 5));
        assert_eq!(tiles.iter().map(|tile| tile.count).sum::<u64>(), 12_345);
    }
}
