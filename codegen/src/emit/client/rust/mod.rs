use std::collections::BTreeMap;
use super::model::Package;
pub(super) fn files(_: &Package<'_>) -> BTreeMap<String, String> { BTreeMap::new() }
