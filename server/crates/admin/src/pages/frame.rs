//! What stands around each page of a signed-in operator.

use std::sync::Arc;

use super::powers::Powers;
use super::public_frame::PublicFrame;
use super::texts::{ENGLISH, Texts};
use crate::Admin;
use tollgate_api::OperatorCaller;
use tollgate_api::generated::types::OperatorRole;
use tollgate_base::Branding;

/// The pages that the navigation leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Overview,
    Providers,
    Models,
    Prices,
    Accounts,
    Payments,
    Ledger,
    Alarms,
    Settings,
    Operators,
    Changes,
}

/// The operator who looks at a page, and the page's place in the navigation.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) branding: Arc<Branding>,
    pub(super) name: String,
    pub(super) role: OperatorRole,
    /// True by a session, which can be ended; false by a key.
    pub(super) signed_in: bool,
    pub(super) powers: Powers,
    pub(super) section: Section,
    /// True on a sandbox's pages of things on offer, which nobody changes.
    pub(super) is_sandbox: bool,
    pub(super) t: &'static Texts,
}

impl Admin {
    /// The frame of a page.
    pub(super) fn frame(&self, caller: &OperatorCaller, section: Section) -> Frame {
        // A word that is no role, as of a later version, may do what every role may.
        let role = caller.role.parse().unwrap_or(OperatorRole::Reader);
        Frame {
            branding: self.branding.clone(),
            name: caller.name.to_string(),
            role,
            signed_in: caller.session.is_some(),
            powers: Powers::of(role),
            section,
            is_sandbox: false,
            t: &ENGLISH,
        }
    }

    /// The frame of a page of things on offer. A sandbox refuses to change them, so that no form for it is shown.
    pub(super) fn frame_of_offer(&self, caller: &OperatorCaller, section: Section) -> Frame {
        let (frame, is_sandbox) = (self.frame(caller, section), self.catalog.is_sandbox());
        let Powers { catalog, secrets, .. } = frame.powers;
        let powers = Powers { catalog: catalog && !is_sandbox, secrets: secrets && !is_sandbox, ..frame.powers };
        Frame { powers, is_sandbox, ..frame }
    }

    /// The frame of a page for people who are not signed in.
    pub(super) fn public_frame(&self) -> PublicFrame {
        PublicFrame { branding: self.branding.clone() }
    }
}

impl Frame {
    /// The navigation: address, words, and whether this page is it.
    pub(super) fn links(&self) -> [(&'static str, &'static str, bool); 11] {
        let Texts { overview, providers, models, prices, accounts, payments, ledger, alarms, settings, .. } = self.t;
        let Texts { operators, changes, .. } = self.t;
        [
            ("/admin/overview", *overview, Section::Overview),
            ("/admin/providers", *providers, Section::Providers),
            ("/admin/models", *models, Section::Models),
            ("/admin/prices", *prices, Section::Prices),
            ("/admin/accounts", *accounts, Section::Accounts),
            ("/admin/payments", *payments, Section::Payments),
            ("/admin/ledger", *ledger, Section::Ledger),
            ("/admin/alarms", *alarms, Section::Alarms),
            ("/admin/settings", *settings, Section::Settings),
            ("/admin/operators", *operators, Section::Operators),
            ("/admin/changes", *changes, Section::Changes),
        ]
        .map(|(address, words, section)| (address, words, section == self.section))
    }
}
