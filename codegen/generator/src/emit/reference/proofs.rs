//! The texts that are signed to prove something.

use crate::emit::text::decision;
use crate::resolve::{ResolvedProof, ResolvedSpec};

pub(super) struct ProofText {
    pub(super) name: String,
    pub(super) about: String,
    /// Headings and what stands below them as it is.
    pub(super) blocks: Vec<(String, String)>,
}

pub(super) fn proofs(lowered: &ResolvedSpec<'_>) -> Vec<ProofText> {
    let text = |(name, proof): (&&str, &ResolvedProof<'_>)| {
        let decided = proof.origin.fact.map(|fact| format!(" *Decided: {}.*", decision(fact))).unwrap_or_default();
        ProofText {
            name: (*name).to_owned(),
            about: format!("{}{decided}", proof.doc.unwrap_or_default().trim_end()),
            blocks: blocks(proof),
        }
    };
    lowered.proofs.iter().map(text).collect()
}

/// The signed texts and an example: headings and what stands below them as it is.
pub(in crate::emit) fn blocks(proof: &ResolvedProof<'_>) -> Vec<(String, String)> {
    let domain = proof.eip712_domain.map(|domain| {
        let version = proof.eip712_version.map(|version| format!(", version `{version}`")).unwrap_or_default();
        let heading =
            format!("On EVM chains, typed data (EIP-712) with the domain name `{domain}`{version} and nothing else");
        (heading, proof.eip712_type.unwrap_or_default().to_owned())
    });
    let text = proof.ed25519_over.map(|_| {
        let heading = "On Solana, ed25519 over these bytes, lines parted by a line feed and none at the end";
        (heading.to_owned(), proof.ed25519_text.unwrap_or_default().to_owned())
    });
    let example = proof.example.map(|example| ("For example".to_owned(), example.trim_end().to_owned()));
    [domain, text, example].into_iter().flatten().filter(|(_, block)| !block.is_empty()).collect()
}
