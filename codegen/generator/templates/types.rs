{{ mark }}//! Types of `{{ name }}`.

use tollgate_macros::{{ macros }};

{% for import in imports -%}
{{ import }}
{% endfor %}
{%- for item in items %}
{% for line in item.docs -%}
///{{ line }}
{% endfor -%}
#[derive({{ item.derives }})]
#[wire({{ item.words }})]
{%- match item.body %}
{%- when TypeItemBody::Is(ty) %}
pub struct {{ item.name }}({{ ty }});
{%- when TypeItemBody::Has(kind, entries) %}
pub {{ kind }} {{ item.name }} {
    {%- for entry in entries %}
    {%- for line in entry.docs %}
    ///{{ line }}
    {%- endfor %}
    {%- if !entry.words.is_empty() %}
    #[wire({{ entry.words }})]
    {%- endif %}
    {{ entry.text }},
    {%- endfor %}
    {%- if !entries.is_empty() %}
{% endif -%}
}
{%- endmatch %}
{% endfor %}
