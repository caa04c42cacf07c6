{{ mark }}//! Operations of `{{ name }}`.

use tollgate_macros::OpError;

{% for import in imports -%}
{{ import }}
{% endfor %}
{%- for op in operations %}
{% for line in op.docs -%}
///{{ line }}
{% endfor -%}
#[diagnostic::on_unimplemented(
    message = {{ op.told.message }},
    label = {{ op.told.label }},
    note = {{ op.told.declared }},
    note = {{ op.told.add }}
)]
pub trait {{ op.answers }}: Send + Sync + 'static {
    /// Answers the operation.
    fn {{ op.method }}(
        &self,
        cx: &api::Cx,
        input: {{ op.name }}Input,
    ) -> impl Future<Output = Result<{{ op.reply }}, {{ op.error }}>> + Send;
}

/// The input of [`{{ op.answers }}`].
#[derive(Debug)]
pub struct {{ op.name }}Input {
    {%- for part in op.parts %}
    {%- for line in part.docs %}
    ///{{ line }}
    {%- endfor %}
    pub {{ part.name }}: {{ part.ty }},
    {%- endfor %}
    {%- if !op.parts.is_empty() %}
{% endif -%}
}
{% if let Some(head) = op.head %}
/// The members of a `{{ head.of }}` that decide.
#[derive(Debug, Clone)]
pub struct {{ op.name }}Head {
    {%- for member in head.members %}
    {%- for line in member.docs %}
    ///{{ line }}
    {%- endfor %}
    pub {{ member.name }}: {{ member.ty }},
    {%- endfor %}
}

impl api::Head for {{ op.name }}Head {
    const NAMES: &'static [&'static str] = &[
        {%- for member in head.members %}
        {{ member.wire }},
        {%- endfor %}
    ];

    fn read({% if head.members.is_empty() %}_{% else %}members{% endif %}: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            {%- for member in head.members %}
            {{ member.name }}: members.{{ member.method }}({{ member.wire }}, {{ member.expected }})?,
            {%- endfor %}
        })
    }
}
{% endif -%}
{% if let Some(stream) = op.stream %}
impl {{ op.name }}Input {
    /// The form of a stream on the wire.
    pub const STREAM: api::EventStream = api::EventStream {
        named: {{ stream.named }},
        ends_with: &[{{ stream.ends_with }}],
    };

    {% for line in stream.docs -%}
    ///{{ line }}
    {% endfor -%}
    #[must_use]
    pub fn streams(&self) -> bool {
        {{ stream.asked }}
    }
}
{% endif -%}
{% if !op.roles.is_empty() %}
impl {{ op.name }}Input {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &[{{ op.roles }}];
}
{% endif -%}
{% if !op.members.is_empty() %}
impl {{ op.name }}Input {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &[{{ op.members }}];
}
{% endif -%}
{% if let Some(choice) = op.choice %}
/// The forms of [`{{ op.name }}Reply`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum {{ op.name }}Format {
    {%- for variant in choice.variants %}
    {%- for line in variant.docs %}
    ///{{ line }}
    {%- endfor %}
    {{ variant.name }},
    {%- endfor %}
}

/// The facts about a request that decide its [`{{ op.name }}Format`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct {{ op.name }}Has {
    {%- for ask in choice.asks %}
    {%- for line in ask.docs %}
    ///{{ line }}
    {%- endfor %}
    pub {{ ask.name }}: bool,
    {%- endfor %}
}

impl {{ op.name }}Format {
    /// The first branch that fits decides.
    #[must_use]
    pub const fn select({% if choice.select.len() > 1 %}has{% else %}_{% endif %}: {{ op.name }}Has) -> Self {
        {%- for line in choice.select %}
        {{ line }}
        {%- endfor %}
    }

    fn of({% if choice.asks.is_empty() %}_{% else %}seen{% endif %}: api::Seen) -> Self {
        Self::select({{ op.name }}Has {
            {%- for ask in choice.asks %}
            {{ ask.name }}: seen.has({{ loop.index0 }}),
            {%- endfor %}
        })
    }

    fn envelope(self) -> &'static api::Envelope {
        match self {
            {%- for variant in choice.variants %}
            Self::{{ variant.name }} => &{{ variant.envelope }},
            {%- endfor %}
        }
    }
}

/// The reply of [`{{ op.answers }}`], in the form that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum {{ op.name }}Reply {
    {%- for variant in choice.variants %}
    {%- for line in variant.docs %}
    ///{{ line }}
    {%- endfor %}
    {{ variant.name }}({{ variant.reply }}),
    {%- endfor %}
}
{% endif -%}
{% if !op.headers.is_empty() %}
/// Headers that the answers of [`{{ op.answers }}`] may have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct {{ op.name }}Headers {
    {%- for header in op.headers %}
    {%- for line in header.docs %}
    ///{{ line }}
    {%- endfor %}
    pub {{ header.name }}: Option<String>,
    {%- endfor %}
}

impl api::ReplyHeaders for {{ op.name }}Headers {
    fn told(self) -> impl Iterator<Item = (&'static api::WireName, String)> {
        let told = [
            {%- for header in op.headers %}
            ({{ header.constant }}, self.{{ header.name }}),
            {%- endfor %}
        ];
        told.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }
}
{% endif %}
/// The errors of [`{{ op.answers }}`].
#[derive(Debug, OpError)]
#[op(operation = {{ op.id }}, spec = {{ op.spec }})]
{%- if !op.codes.is_empty() %}
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
{%- endif %}
pub enum {{ op.name }}Error {
    {%- for code in op.codes %}
    #[code({{ code.constant }})]
    {{ code.variant }}{{ code.with }},
    {%- endfor %}
    {%- if !op.codes.is_empty() %}
{% endif -%}
}

pub(in crate::generated) static {{ op.constant }}: api::Operation = api::Operation {
    routes: &[
        {%- for route in op.routes %}
        {{ route }},
        {%- endfor %}
    ],
    {%- if !op.roles.is_empty() %}
    roles: {{ op.name }}Input::ROLES,
    {%- endif %}
    {%- if !op.members.is_empty() %}
    members: {{ op.name }}Input::MEMBERS,
    {%- endif %}
    {%- for fact in op.facts %}
    {{ fact }},
    {%- endfor %}
    ..api::Operation::new({{ op.id }}, {{ op.spec }}, &{{ op.envelope }})
};
{% if let Some(members) = op.table %}
static {{ op.constant }}_TABLE: api::Table = api::Table {
    {%- for member in members %}
    {{ member }},
    {%- endfor %}
};
{% endif %}
pub(in crate::generated) async fn {{ op.method }}<S: {{ op.answers }}{{ op.function.bounds }}>(
    service: std::sync::Arc<S>,
    {% if op.function.reads %}mut {% endif %}call: api::Call,
) -> api::Answer {
    {%- if op.function.own_page %}
    call.from_own_page()?;
    {%- endif %}
    let input = {{ op.name }}Input {
        {%- for part in op.parts %}
        {{ part.name }}: {{ part.read }},
        {%- endfor %}
        {%- if !op.parts.is_empty() %}
    {% endif -%}
    };
    {%- if op.table.is_some() %}
    let csv = input.csv;
    {%- endif %}
    {%- if op.function.once %}
    let asker = api::Asker::from(&input.caller);
    let run = {% if op.table.is_some() %}move {% endif %}|service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.{{ op.method }}(&call.cx, input).await.map_err({{ op.function.failed }})?;
        {%- for line in op.function.answer %}
        {{ line }}
        {%- endfor %}
    };
    call.once(service, asker, run).await
    {%- else %}
    let reply = service.{{ op.method }}(&call.cx, input).await.map_err({{ op.function.failed }})?;
    {%- for line in op.function.answer %}
    {{ line }}
    {%- endfor %}
    {%- endif %}
}
{% endfor %}
