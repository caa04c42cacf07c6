//! Maps and sets of names.

use foldhash::fast::FixedState;

/// A map in the order in which it was filled. Keys are names of a spec, which nobody sends to slow it down: they are hashed
/// fast, and alike in each process.
pub type IndexMap<K, V> = indexmap::IndexMap<K, V, FixedState>;

/// A set in the order in which it was filled, as [`IndexMap`].
pub type IndexSet<T> = indexmap::IndexSet<T, FixedState>;

/// A map in no order that anybody may see, hashed as [`IndexMap`].
pub type HashMap<K, V> = std::collections::HashMap<K, V, FixedState>;

/// A set in no order that anybody may see, hashed as [`IndexMap`].
pub type HashSet<T> = std::collections::HashSet<T, FixedState>;
