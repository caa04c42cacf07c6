//! `GET /console/first-steps`: lines that work as they stand, with the address of this service and a model that it has.

use askama::Template;

use super::frame::{AccountFrame, ConsoleSection};
use super::texts::ConsoleTexts;
use super::{AccountPages, Unreadable};
use tollgate_api::generated::ops::console::{ShowFirstSteps, ShowFirstStepsError, ShowFirstStepsInput};
use tollgate_api::{Cx, ProxyReply};
use tollgate_base::{KeyId, Principal};
use tollgate_pages::reply;

/// Stands for the address where none is configured; the script of the page puts that of the page into its place.
const NO_ADDRESS: &str = "https://YOUR-GATEWAY";
/// Stands for a model where none is on offer.
const NO_MODEL: &str = "MODEL";

#[derive(Template)]
#[template(path = "account/first_steps.html")]
struct FirstStepsPage {
    t: &'static ConsoleTexts,
    frame: AccountFrame,
    /// Absent where there is an address.
    placeholder: Option<&'static str>,
    programs: Vec<Program>,
    agents: Vec<Program>,
}

/// Lines that have a program use this service.
#[derive(Debug)]
struct Program {
    id: &'static str,
    name: &'static str,
    lines: String,
}

/// Each with the address as `{url}` and the model as `{model}`.
const PROGRAMS: [(&str, &str, &str); 7] = [
    (
        "curl",
        "curl",
        r#"curl {url}/v1/chat/completions -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
  -d '{"model": "{model}", "messages": [{"role": "user", "content": "Hello"}]}'"#,
    ),
    (
        "python-openai",
        "Python: openai",
        r#"import os
import openai

client = openai.OpenAI(base_url="{url}/v1", api_key=os.environ["KEY"])
answer = client.chat.completions.create(model="{model}", messages=[{"role": "user", "content": "Hello"}])
print(answer.choices[0].message.content)"#,
    ),
    (
        "python-anthropic",
        "Python: anthropic",
        r#"import os
import anthropic

client = anthropic.Anthropic(base_url="{url}", api_key=os.environ["KEY"])
answer = client.messages.create(model="{model}", max_tokens=500, messages=[{"role": "user", "content": "Hello"}])
print(answer.content[0].text)"#,
    ),
    (
        "python-genai",
        "Python: google-genai",
        r#"import os
from google import genai
from google.genai import types

client = genai.Client(api_key=os.environ["KEY"], http_options=types.HttpOptions(base_url="{url}"))
print(client.models.generate_content(model="{model}", contents="Hello").text)"#,
    ),
    (
        "js-openai",
        "JavaScript: openai",
        r#"import OpenAI from "openai";

const client = new OpenAI({ baseURL: "{url}/v1", apiKey: process.env.KEY });
const answer = await client.chat.completions.create({ model: "{model}", messages: [{ role: "user", content: "Hello" }] });
console.log(answer.choices[0].message.content);"#,
    ),
    (
        "js-anthropic",
        "JavaScript: @anthropic-ai/sdk",
        r#"import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "{url}", apiKey: process.env.KEY });
const answer = await client.messages.create({ model: "{model}", max_tokens: 500, messages: [{ role: "user", content: "Hello" }] });
console.log(answer.content[0].text);"#,
    ),
    (
        "js-genai",
        "JavaScript: @google/genai",
        r#"import { GoogleGenAI } from "@google/genai";

const client = new GoogleGenAI({ apiKey: process.env.KEY, httpOptions: { baseUrl: "{url}" } });
console.log((await client.models.generateContent({ model: "{model}", contents: "Hello" })).text);"#,
    ),
];

/// The same for coding agents.
const AGENTS: [(&str, &str, &str); 5] = [
    ("claude-code", "Claude Code", r#"ANTHROPIC_BASE_URL={url} ANTHROPIC_AUTH_TOKEN=$KEY claude --model {model}"#),
    (
        "codex",
        "Codex",
        r#"TOLLGATE_KEY=$KEY codex --model {model} \
  -c model_provider=tollgate -c model_providers.tollgate.name=tollgate \
  -c model_providers.tollgate.base_url={url}/v1 -c model_providers.tollgate.wire_api=responses \
  -c model_providers.tollgate.env_key=TOLLGATE_KEY"#,
    ),
    ("gemini-cli", "Gemini CLI", r#"GOOGLE_GEMINI_BASE_URL={url} GEMINI_API_KEY=$KEY gemini --model {model}"#),
    (
        "qwen-code",
        "Qwen Code",
        r#"OPENAI_BASE_URL={url}/v1 OPENAI_API_KEY=$KEY OPENAI_MODEL={model} qwen --auth-type openai"#,
    ),
    (
        "opencode",
        "opencode: ~/.config/opencode/opencode.json",
        r#"{
  "provider": {
    "tollgate": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "{url}/v1", "apiKey": "{env:KEY}" },
      "models": { "{model}": {} }
    }
  }
}"#,
    ),
];

impl ShowFirstSteps for AccountPages {
    async fn show_first_steps(&self, cx: &Cx, input: ShowFirstStepsInput) -> Result<ProxyReply, ShowFirstStepsError> {
        let frame = self.frame(cx, &input.caller, ConsoleSection::FirstSteps).await;
        let frame = frame.map_err(|Unreadable| ShowFirstStepsError::LedgerUnavailable)?;
        let models = self.chat_models(&frame);
        let model = models.first().map_or(NO_MODEL, String::as_str);
        let url = self.address.as_deref().unwrap_or(NO_ADDRESS);
        let filled = |(id, name, lines): (&'static str, &'static str, &str)| Program {
            id,
            name,
            lines: lines.replace("{url}", url).replace("{model}", model),
        };
        let placeholder = self.address.is_none().then_some(NO_ADDRESS);
        let (programs, agents) = (PROGRAMS.map(filled).into(), AGENTS.map(filled).into());
        Ok(reply::page(&FirstStepsPage { t: frame.t, frame, placeholder, programs, agents }))
    }
}

impl AccountPages {
    /// The models on offer that answer with text.
    pub(super) fn chat_models(&self, frame: &AccountFrame) -> Vec<String> {
        // What a key without limits may ask.
        let holder = Principal {
            account: frame.account.id,
            key: KeyId(0),
            agent: None,
            group: frame.account.group,
            scope: None,
            include_cost: false,
        };
        let (_, prices) = self.gateway.prices_for(&holder);
        let text = prices.into_iter().filter(|price| price.image_picousd.is_none() && price.second_picousd.is_none());
        text.map(|price| price.model).collect()
    }
}
