tollgate_macros::machine! {
    machine {{ name }},
    spec: {{ spec }},
    row: { table: {{ table }}, key: {{ key }}, state: {{ state }}{% if let Some(revision) = revision %}, revision: {{ revision }}{% endif %} },
    states: { {{ states }} },
    start: {{ start }},
    final: [{{ finals }}],
    actors: { {{ actors }} },
    {%- if !guards.is_empty() %}
    guards: {
        {%- for guard in guards %}
        {%- for line in guard.docs %}
        /// {{ line }}
        {%- endfor %}
        {{ guard.text }},
        {%- endfor %}
    },
    {%- endif %}
    {%- if !effects.is_empty() %}
    effects: {
        {%- for effect in effects %}
        {%- for line in effect.docs %}
        /// {{ line }}
        {%- endfor %}
        {{ effect.text }},
        {%- endfor %}
    },
    {%- endif %}
    moves: {
        {%- for step in moves %}
        {%- for line in step.docs %}
        /// {{ line }}
        {%- endfor %}
        {{ step.text }},
        {%- endfor %}
    },
}
