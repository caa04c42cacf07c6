//! The merchant's adapter and the local provider, over real HTTP: pages, notices, and every fault.

mod faults;
mod pages;
mod shop;
mod wire;

use shop::{NOW, Shop, order};
use tollgate_topup::ewallet::*;
