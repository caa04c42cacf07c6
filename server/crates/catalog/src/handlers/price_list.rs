//! `/api/admin/price_list`: what a price list would change, and taking it.

use std::collections::BTreeSet;

use super::refusal::Refusal;
use super::{is_fit, prices};
use crate::draft::{CatalogChange, ExpectedEntry, SecretChange};
use crate::entry::{EntryBody, EntryKind, EntryName};
use crate::live::LiveCatalog;
use crate::offer::{PriceListFile, PriceTable};
use crate::service::CatalogService;
use tollgate_api::generated::ops::admin_prices::{
    ComparePriceList, ComparePriceListError, ComparePriceListInput, ImportPriceList, ImportPriceListError,
    ImportPriceListInput,
};
use tollgate_api::generated::types::{
    PriceDifference, PriceDifferenceKind, PriceListComparison, PriceListComparisonReply, PriceListImportReply,
    PriceListRequest,
};
use tollgate_api::{Cx, OperatorCaller, is_version, version_of};
use tollgate_base::Actor;

impl ComparePriceList for CatalogService {
    async fn compare_price_list(
        &self,
        _: &Cx,
        input: ComparePriceListInput,
    ) -> Result<PriceListComparisonReply, ComparePriceListError> {
        let (data, _) = self.compared(&self.live(), &input.body)?;
        Ok(PriceListComparisonReply { success: true, message: String::new(), data })
    }
}

impl ImportPriceList for CatalogService {
    async fn import_price_list(
        &self,
        cx: &Cx,
        input: ImportPriceListInput,
    ) -> Result<PriceListImportReply, ImportPriceListError> {
        let ImportPriceListInput { if_match, caller, body, .. } = input;
        let by = OperatorCaller::actor_name(&caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: body.reason.as_deref().unwrap_or_default() };
        let (data, changes) = self.compared(&self.live(), &body)?;
        if !is_version(&if_match, &data.version) {
            return Err(Refusal::ChangedMeanwhile { version: if_match }.into());
        }
        self.change(changes, actor).await.map_err(|error| Refusal::of_list(cx, error, &if_match))?;
        Ok(PriceListImportReply { success: true, message: String::new(), data })
    }
}

impl CatalogService {
    /// What a list changes, and the changes, each of the version that was compared with.
    fn compared(
        &self,
        live: &LiveCatalog,
        request: &PriceListRequest,
    ) -> Result<(PriceListComparison, Vec<CatalogChange>), Refusal> {
        let list: PriceListFile =
            toml::from_str(&request.list).map_err(|error| Refusal::unusable("list", error.message()))?;
        let wanted: Option<BTreeSet<&String>> = request.names.as_ref().map(|names| names.iter().collect());
        if let Some(unlisted) = wanted.iter().flatten().find(|name| !list.prices.contains_key(**name)) {
            return Err(Refusal::unusable("names", format!("the list has no price `{unlisted}`")));
        }
        let configured = &live.configured;
        let (mut differences, mut changes, mut same) = (Vec::new(), Vec::new(), 0);
        for (name, table) in list.prices {
            if wanted.as_ref().is_some_and(|wanted| !wanted.contains(&name)) {
                continue;
            }
            if !is_fit(&name) || name.chars().count() > 128 {
                let reason = format!("the name `{name}` has more than 128 letters, line breaks or outer spaces");
                return Err(Refusal::unusable("list", reason));
            }
            let table = table.without_version();
            let full = EntryName::new(EntryKind::Price, &name);
            let entry = live.kept.find(&full);
            let listed = configured.offer.list.prices.get(&name);
            let now = listed.cloned().or_else(|| prices::written(&entry?.body));
            let now = now.map(PriceTable::without_version);
            if now.as_ref() == Some(&table) {
                same += 1;
                continue;
            }
            let after = prices::settings(&table)
                .ok_or_else(|| Refusal::unusable("list", format!("the price `{name}` cannot be shown")))?;
            differences.push(PriceDifference {
                kind: match (listed, entry) {
                    (Some(_), _) => PriceDifferenceKind::Configured,
                    (None, Some(_)) => PriceDifferenceKind::Changed,
                    (None, None) => PriceDifferenceKind::New,
                },
                before: now.as_ref().and_then(prices::settings),
                after,
                models: self.models_at_price(live, &name),
                name: name.clone(),
            });
            if listed.is_none() {
                let expected = entry.map_or(ExpectedEntry::Absent, |entry| ExpectedEntry::Matching(entry.tag()));
                let body = Some(EntryBody::Price(Box::new(table)));
                changes.push(CatalogChange { name: full, body, expected, secret: SecretChange::Keep });
            }
        }
        differences.sort_by(|one: &PriceDifference, other| one.name.cmp(&other.name));
        let of =
            changes.iter().map(|CatalogChange { name, body, expected, .. }| format!("{name} {body:?} {expected:?}"));
        let version = version_of(&of.collect::<Vec<_>>().join("\n"));
        Ok((PriceListComparison { differences, same, version }, changes))
    }
}
