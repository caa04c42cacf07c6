//! What stands around each page of somebody who is signed in.

use std::sync::Arc;

use super::texts::{ConsoleTexts, ENGLISH};
use super::{AccountPages, Unreadable};
use tollgate_accounts::Account;
use tollgate_api::generated::ops::console::{ShowOwnAgentsInput, ShowTopupInput};
use tollgate_api::generated::ops::keys::CreateKeyInput;
use tollgate_api::generated::ops::members::{ChangeMemberInput, ListMembersInput};
use tollgate_api::{Caller, Cx};
use tollgate_base::{AccountId, Branding};

/// The pages that the navigation leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConsoleSection {
    Overview,
    Keys,
    Receipts,
    Usage,
    Topup,
    FirstSteps,
    Playground,
    Agents,
    Organisation,
    Settings,
}

/// The forms and pages that a person is shown, by the `members` of an operation of each kind. The operations decide; what is shown in
/// vain would be refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ConsolePowers {
    /// Make, change and take out owners.
    pub(super) owns: bool,
    /// Members, teams, budgets and agents.
    pub(super) manages: bool,
    /// Top-ups.
    pub(super) pays: bool,
    /// Keys: all, or the own ones.
    pub(super) makes_keys: bool,
    /// The list of members.
    pub(super) sees_members: bool,
    /// The list of agents.
    pub(super) sees_agents: bool,
}

impl ConsolePowers {
    fn of(caller: &Caller) -> Self {
        let may = |roles: &[&str]| caller.member.is_none_or(|member| roles.contains(&member.role));
        Self {
            owns: caller.is_owner(),
            manages: may(ChangeMemberInput::MEMBERS),
            pays: may(ShowTopupInput::MEMBERS),
            makes_keys: may(CreateKeyInput::MEMBERS),
            sees_members: may(ListMembersInput::MEMBERS),
            sees_agents: may(ShowOwnAgentsInput::MEMBERS),
        }
    }
}

/// The account that is signed in to, and the page's place in the navigation.
#[derive(Debug)]
pub(super) struct AccountFrame {
    pub(super) account: Account,
    pub(super) branding: Arc<Branding>,
    /// The person, where that is not the account itself.
    pub(super) person: Option<Account>,
    /// The forms and pages that the person is shown.
    pub(super) powers: ConsolePowers,
    section: ConsoleSection,
    pub(super) t: &'static ConsoleTexts,
}

impl AccountFrame {
    /// The number of the account that the person signs in to.
    pub(super) fn person_id(&self) -> AccountId {
        self.person.as_ref().map_or(self.account.id, |person| person.id)
    }

    /// The name that the person signs in by.
    pub(super) fn person_name(&self) -> &str {
        self.person.as_ref().map_or(&self.account.name, |person| &person.name)
    }

    /// The navigation: address, words, and whether this page is it.
    pub(super) fn links(&self) -> impl Iterator<Item = (&'static str, &'static str, bool)> {
        let ConsoleTexts {
            overview,
            keys,
            receipts,
            usage,
            topup,
            steps,
            playground,
            agents,
            organisation,
            settings,
            ..
        } = self.t;
        let (here, powers) = (self.section, self.powers);
        let links = [
            ("/console/overview", *overview, ConsoleSection::Overview),
            ("/console/keys", *keys, ConsoleSection::Keys),
            ("/console/receipts", *receipts, ConsoleSection::Receipts),
            ("/console/usage", *usage, ConsoleSection::Usage),
            ("/console/top-up", *topup, ConsoleSection::Topup),
            ("/console/first-steps", *steps, ConsoleSection::FirstSteps),
            ("/console/playground", *playground, ConsoleSection::Playground),
            ("/console/agents", *agents, ConsoleSection::Agents),
            ("/console/organisation", *organisation, ConsoleSection::Organisation),
            ("/console/settings", *settings, ConsoleSection::Settings),
        ];
        let offered = move |section| match section {
            ConsoleSection::Topup => powers.pays,
            ConsoleSection::Agents => powers.sees_agents,
            _ => true,
        };
        let links = links.into_iter().filter(move |(_, _, section)| offered(*section));
        links.map(move |(address, words, section)| (address, words, section == here))
    }
}

impl AccountPages {
    /// The frame of a page for a caller.
    pub(super) async fn frame(
        &self,
        cx: &Cx,
        caller: &Caller,
        section: ConsoleSection,
    ) -> Result<AccountFrame, Unreadable> {
        let account = self.account_of(cx, caller.account).await?;
        let person = match caller.member {
            Some(member) => Some(self.account_of(cx, member.person).await?),
            None => None,
        };
        let powers = ConsolePowers::of(caller);
        Ok(AccountFrame { account, person, powers, branding: self.branding.clone(), section, t: &ENGLISH })
    }

    async fn account_of(&self, cx: &Cx, id: AccountId) -> Result<Account, Unreadable> {
        self.accounts.find_account(&id.to_string()).await.map_err(|error| {
            let request_id = cx.request_id;
            tracing::error!(%request_id, error = &error as &dyn std::error::Error, "the account of a page could not be read");
            Unreadable
        })
    }
}
