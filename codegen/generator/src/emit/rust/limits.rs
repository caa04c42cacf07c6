//! `limits.rs`: every bound as a constant, and the live ones as a value that a deployment may change.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::doc::doc;
use super::tokens::{constant, ident, whole};
use crate::model::WrittenNumber;
use crate::naming;
use crate::resolve::{LimitValue, ResolvedLimit, ResolvedSpec};

pub(super) fn file(lowered: &ResolvedSpec<'_>) -> TokenStream {
    let constants = lowered.limits.iter().map(|(name, limit)| {
        let (about, name) = (about(name, limit), constant(name));
        let (ty, value) = value(&limit.value);
        quote!(#about pub const #name: #ty = #value;)
    });
    let live = live(lowered);
    let is_any = |is: fn(&LimitValue<'_>) -> bool| lowered.limits.values().any(|limit| is(&limit.value));
    let times = is_any(|value| matches!(value, LimitValue::Seconds(_))).then(|| {
        quote!(
            use std::time::Duration;
        )
    });
    let amounts = is_any(|value| matches!(value, LimitValue::Usd(..))).then(|| {
        quote!(
            use crate::api;
        )
    });
    quote! {
        //! Bounds on counts, times, sizes and amounts.

        #times
        #amounts

        #(#constants)*

        #live
    }
}

fn about(name: &str, limit: &ResolvedLimit<'_>) -> TokenStream {
    let text = limit.doc.unwrap_or(name);
    let per = limit.per.map(|per| format!(" Per {per}.")).unwrap_or_default();
    let error = limit.error.map(|error| format!(" Beyond it: {error}.")).unwrap_or_default();
    let setting = limit.setting.map(|key| format!(" The default of the setting `{key}`.")).unwrap_or_default();
    doc(&format!("{text}{per}{error}{setting}"))
}

fn value(value: &LimitValue<'_>) -> (TokenStream, TokenStream) {
    match value {
        LimitValue::Count(count) => {
            let count = whole(*count);
            (quote!(u32), quote!(#count))
        }
        LimitValue::Seconds(seconds) => {
            let seconds = whole(*seconds);
            (quote!(Duration), quote!(Duration::from_secs(#seconds)))
        }
        LimitValue::Bytes(bytes) => {
            let bytes = whole(*bytes);
            (quote!(usize), quote!(#bytes))
        }
        LimitValue::Usd(min, max) => {
            let (min, max) = (amount(*min), amount(*max));
            (quote!(api::UsdBounds), quote!(api::UsdBounds { min: #min, max: #max }))
        }
    }
}

fn amount(text: Option<&str>) -> TokenStream {
    let nanos = text.and_then(|text| i64::try_from(WrittenNumber::new(text).nanos()?).ok());
    nanos.map_or_else(
        || quote!(None),
        |nanos| {
            let nanos = Literal::i64_unsuffixed(nanos);
            quote!(Some(api::Usd::from_nanos(#nanos)))
        },
    )
}

fn live(lowered: &ResolvedSpec<'_>) -> TokenStream {
    let live: Vec<_> = lowered.limits.iter().filter(|(_, limit)| limit.live).collect();
    let fields = live.iter().map(|(name, limit)| {
        let (about, name) = (about(name, limit), ident(&naming::snake(name)));
        let (ty, _) = value(&limit.value);
        quote!(#about pub #name: #ty)
    });
    let defaults = live.iter().map(|(name, _)| {
        let (field, constant) = (ident(&naming::snake(name)), constant(name));
        quote!(#field: #constant)
    });
    quote! {
        /// The bounds that a deployment may set. What is enforced and what is told come from one value of this.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Live {
            #(#fields,)*
        }

        impl Default for Live {
            fn default() -> Self {
                Self { #(#defaults),* }
            }
        }
    }
}
