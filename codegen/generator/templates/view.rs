tollgate_macros::machine! {
    view {{ name }} of super::{{ base }},
    spec: {{ spec }},
    states: { {{ states }} },
    base: { {{ pairs }} },
    moves: {
        {%- for step in moves %}
        {%- for line in step.docs %}
        /// {{ line }}
        {%- endfor %}
        {{ step.text }},
        {%- endfor %}
    },
}
