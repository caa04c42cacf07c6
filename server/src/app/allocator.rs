//! Memory that was freed goes back to the system.
//!
//! The allocator gives pages back a second after they were freed, but it only looks for them when it frees another page: a
//! process that has nothing more to do after a peak keeps what the peak took. So one block is freed now and then. It is
//! never touched, and takes no memory.

use std::hint::black_box;
use std::time::Duration;

use tokio::time::sleep;

const PAUSE: Duration = Duration::from_secs(2);
/// More than any block that shares its page with others.
const BLOCK_BYTES: usize = 16 << 20;

/// Has the allocator look for pages to give back, until it is dropped.
pub(super) async fn give_back_for_ever() {
    loop {
        sleep(PAUSE).await;
        drop(black_box(Vec::<u8>::with_capacity(BLOCK_BYTES)));
    }
}
