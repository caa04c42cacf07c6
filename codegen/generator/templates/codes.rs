/// Kinds of errors, as each style names them.
pub mod kinds {
    crate::api::kinds! {
        {%- for kind in kinds %}
        {{ kind.constant }} = {{ kind.name }} [{{ kind.names }}];
        {%- endfor %}
    }
}

/// Error codes: a marker type each, for `raise`, and what the spec says about it. In a row: values, kind, status,
/// statuses and names by style, whether to retry; then what is said, and what can be done.
pub mod code {
    crate::api::codes! {
        {%- for code in codes %}
        {{ code.marker }} = {{ code.constant }} { {{- code.fields -}} } {{ code.kind }} {{ code.http }}{{ code.http_also }} [{{ code.http_in }}] [{{ code.names }}] {{ code.retry }}:
            {{ code.say }}, {{ code.remedy }};
        {%- endfor %}
    }
}
