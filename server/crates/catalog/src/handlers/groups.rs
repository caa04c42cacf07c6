//! `/api/admin/groups`: groups of accounts and what they pay.

use super::refusal::Refusal;
use super::{Provenance, after};
use crate::draft::CatalogChange;
use crate::entry::{EntryBody, EntryKind, EntryName};
use crate::live::LiveCatalog;
use crate::offer::GroupTable;
use crate::service::CatalogService;
use tollgate_api::generated::ops::admin_groups::{
    ChangeGroup, ChangeGroupError, ChangeGroupInput, CreateGroup, CreateGroupError, CreateGroupInput, ListGroups,
    ListGroupsError, ListGroupsInput, RemoveGroup, RemoveGroupError, RemoveGroupInput,
};
use tollgate_api::generated::types::{
    AccountGroupInfo, AccountGroupInfoReply, AccountGroupListReply, AccountGroupRemovedReply, AccountGroupRequest,
    AccountGroupUpdate, CatalogRemoved,
};
use tollgate_api::{Cx, OperatorCaller};
use tollgate_base::{AccountGroup, Actor};

impl ListGroups for CatalogService {
    async fn list_groups(&self, _: &Cx, _: ListGroupsInput) -> Result<AccountGroupListReply, ListGroupsError> {
        let live = self.live();
        let left_out = live.kept.entries.iter().filter(|entry| entry.name.kind == EntryKind::Group);
        let names = live.merged.config.groups.keys().map(ToString::to_string);
        let names = names.chain(left_out.map(|entry| entry.name.name.clone())).collect();
        let data = after(names, None).into_iter().filter_map(|name| self.group(&live, &name)).collect();
        Ok(AccountGroupListReply { success: true, message: String::new(), data })
    }
}

impl CreateGroup for CatalogService {
    async fn create_group(&self, cx: &Cx, input: CreateGroupInput) -> Result<AccountGroupInfoReply, CreateGroupError> {
        let AccountGroupRequest { name, ratio, requests_per_minute, requests_in_flight, reason } = input.body;
        let by = OperatorCaller::actor_name(&input.caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        if let Err(error) = name.parse::<AccountGroup>() {
            return Err(Refusal::field("name", error.to_string(), &name).into());
        }
        let table = table(ratio, requests_per_minute, requests_in_flight);
        let change = CatalogChange::create(EntryKind::Group, &name, EntryBody::Group(table));
        self.change(vec![change], actor).await.map_err(|error| Refusal::of(cx, error, ""))?;
        Ok(self.group_reply(&name)?)
    }
}

impl ChangeGroup for CatalogService {
    async fn change_group(&self, cx: &Cx, input: ChangeGroupInput) -> Result<AccountGroupInfoReply, ChangeGroupError> {
        let ChangeGroupInput { name, if_match, caller, body, .. } = input;
        let AccountGroupUpdate { ratio, requests_per_minute, requests_in_flight, reason } = body;
        let by = OperatorCaller::actor_name(&caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        let table = table(ratio, requests_per_minute, requests_in_flight);
        let change = CatalogChange::replace(EntryKind::Group, &name, EntryBody::Group(table), &if_match);
        self.change(vec![change], actor).await.map_err(|error| Refusal::of(cx, error, &if_match))?;
        Ok(self.group_reply(&name)?)
    }
}

impl RemoveGroup for CatalogService {
    async fn remove_group(
        &self,
        cx: &Cx,
        input: RemoveGroupInput,
    ) -> Result<AccountGroupRemovedReply, RemoveGroupError> {
        let RemoveGroupInput { name, if_match, caller, reason, .. } = input;
        let by = OperatorCaller::actor_name(&caller.name);
        let actor = Actor { name: &by, address: cx.client, reason: reason.as_deref().unwrap_or_default() };
        let change = CatalogChange::remove(EntryKind::Group, &name, &if_match);
        self.change(vec![change], actor).await.map_err(|error| Refusal::of(cx, error, &if_match))?;
        Ok(AccountGroupRemovedReply { success: true, message: String::new(), data: CatalogRemoved { name } })
    }
}

impl CatalogService {
    fn group_reply(&self, name: &str) -> Result<AccountGroupInfoReply, Refusal> {
        let data = self.group(&self.live(), name).ok_or_else(|| Refusal::not_found(EntryKind::Group, name))?;
        Ok(AccountGroupInfoReply { success: true, message: String::new(), data })
    }

    /// A group in the words of the spec.
    fn group(&self, live: &LiveCatalog, name: &str) -> Option<AccountGroupInfo> {
        let configured = &live.configured;
        let entry = live.kept.find(&EntryName::new(EntryKind::Group, name));
        let entry = entry.filter(|_| !configured.offer.offer.groups.contains_key(name));
        let group: AccountGroup = name.parse().ok()?;
        let written = match (live.merged.offer.groups.get(name), entry) {
            (Some(table), _) => Some(table.clone()),
            (None, Some(entry)) => match EntryBody::read(EntryKind::Group, &entry.body) {
                Ok(EntryBody::Group(table)) => Some(table),
                _ => return None,
            },
            // The usual group, which needs not be written.
            (None, None) => None,
        };
        let ratio = live.merged.config.groups.get(&group).map(ToString::to_string);
        let bound = |of: fn(&GroupTable) -> Option<u32>| written.as_ref().and_then(of).map(i64::from);
        let (requests_per_minute, requests_in_flight) =
            (bound(|table| table.requests_per_minute), bound(|table| table.requests_in_flight));
        let ratio = ratio.or_else(|| written.map(|table| table.ratio))?;
        let Provenance { origin, fault, changed_at, changed_by, version } = Provenance::of(live, entry);
        let name = name.to_owned();
        Some(AccountGroupInfo {
            name,
            origin,
            fault,
            ratio,
            requests_per_minute,
            requests_in_flight,
            changed_at,
            changed_by,
            version,
        })
    }
}

/// A group as it is written. Numbers beyond 32 bits are more than the spec allows.
fn table(ratio: String, requests_per_minute: Option<i64>, requests_in_flight: Option<i64>) -> GroupTable {
    let bound = |asked: Option<i64>| asked.and_then(|most| u32::try_from(most).ok());
    GroupTable { ratio, requests_per_minute: bound(requests_per_minute), requests_in_flight: bound(requests_in_flight) }
}
