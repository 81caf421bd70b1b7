//! A reindex cannot hurt: whatever happens to it, the generation before is served, and the next one is as if nothing had been.

mod contention;
mod damage;
mod durability;
mod faults;
mod flips;
mod full_disk;
mod kept;
mod kills;
mod model;
mod property;
mod rollback;
mod scene;
mod swaps;
mod window;
