//! Price lists: made of public ones, and named by a configuration.

use std::path::PathBuf;

use serde_json::json;
use tempfile::TempDir;
use tollgate_tests::binary::{run, run_json};

/// A public list with what can be priced and what cannot.
const PUBLIC: &str = r#"{
    "example/small-1": {"mode": "chat", "input_cost_per_token": 1.5e-07, "output_cost_per_token": 6e-07,
        "cache_read_input_token_cost": 7.5e-08, "max_input_tokens": 200000, "max_output_tokens": 64000,
        "supports_adaptive_thinking": true, "supports_sampling_params": false, "supports_vision": true},
    "painter-1": {"mode": "image_generation", "output_cost_per_image": 0.04},
    "long-1": {"mode": "chat", "input_cost_per_token": 1e-06, "output_cost_per_token": 2e-06, "input_cost_per_request": 0.005,
        "output_cost_per_reasoning_token": 3e-06, "input_cost_per_token_above_200k_tokens": 2e-06},
    "letters-1": {"mode": "chat", "input_cost_per_token": 1e-06, "output_cost_per_token": 2e-06,
        "input_cost_per_character": 2e-06},
    "odd\n[models.x]": {"mode": "chat", "a_cost\n[models.z]": 1, "input_cost_per_token": "\n[models.y]"}
}"#;

const CONFIG: &str = r#"price_list = "lists/prices.toml"
[upstreams.main]
base_url = "http://127.0.0.1:9/v1"
[models.small-1]
listed_as = "example/small-1"
context_tokens = 10
max_output_tokens = 5
candidates = [{ upstream = "main" }]
[models.painter-1]
context_tokens = 10
max_output_tokens = 5
candidates = [{ upstream = "main" }]
[models.dear-1]
context_tokens = 10
max_output_tokens = 5
price = { prompt = "7", completion = "8" }
candidates = [{ upstream = "main" }]
[models.long-1]
context_tokens = 10
max_output_tokens = 5
candidates = [{ upstream = "main" }]
"#;

/// A folder with a configuration, a public list, and the price list that is made of it.
struct House {
    folder: TempDir,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(folder.path().join("lists")).expect("a folder");
        let house = Self { folder };
        house.write("public.json", PUBLIC);
        house.write("tollgate.toml", CONFIG);
        house
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file of ours");
    }

    fn import(&self, more: &[&str]) -> Result<String, String> {
        let list = self.path("public.json").display().to_string();
        let output = run(&[&["prices", "import", &list], more].concat());
        let text = |bytes| String::from_utf8(bytes).expect("text");
        if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
    }

    fn check(&self) -> Result<String, String> {
        let config = self.path("tollgate.toml").display().to_string();
        let output = run(&["--config", &config, "check"]);
        let text = |bytes| String::from_utf8(bytes).expect("text");
        if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
    }
}

#[test]
fn a_public_list_becomes_a_price_list_that_models_are_sold_by() {
    let house = House::new();
    let list = house.import(&["--version", "november"]).expect("a list");
    house.write("lists/prices.toml", &list);
    // Nothing of the public list became more than a name or a remark.
    let read: toml::Table = list.parse().expect("TOML");
    let prices = &read["prices"].as_table().expect("a table");
    assert_eq!(read.keys().collect::<Vec<_>>(), ["version", "prices", "models"], "{list}");
    let known = toml::toml! {
        ["example/small-1"]
        context_tokens = 200000
        max_output_tokens = 64000
        capabilities = { thinking = "adaptive", sampling = false, input = ["text", "image"] }
    };
    assert_eq!(read["models"], known.into(), "{list}");
    assert_eq!(prices.keys().collect::<Vec<_>>(), ["example/small-1", "painter-1", "long-1"], "{list}");
    assert_eq!((read["version"].as_str(), prices["painter-1"]["image"].as_str()), (Some("november"), Some("0.04")));
    for (model, why) in [("letters-1", "input_cost_per_character"), ("odd\\n[models.x]", "a_cost\\n[models.z]")] {
        assert!(list.lines().any(|line| line.starts_with('#') && line.contains(model) && line.contains(why)), "{list}");
    }
    let long = &prices["long-1"];
    assert_eq!((long["reasoning"].as_str(), long["per_request"].as_str()), (Some("3"), Some("0.005")));
    let tier = &long["tiers"][0];
    assert_eq!((tier["above"].as_integer(), tier["prompt"].as_str()), (Some(200_000), Some("2")));
    assert_eq!((tier["completion"].as_str(), tier["reasoning"].as_str()), (Some("2"), Some("3")));
    let told = house.check().expect("a configuration");
    for row in [["small-1", "0.15", "0.6"], ["painter-1", "0", "0"], ["dear-1", "7", "8"]] {
        assert!(told.lines().any(|line| line.split_whitespace().take(3).eq(row)), "{told}");
    }
}

/// Lengths that are written nowhere are those of the list; what the list does not know has to be written.
#[test]
fn lengths_come_from_the_list_where_none_are_written() {
    let house = House::new();
    house.write("lists/prices.toml", &house.import(&[]).expect("a list"));
    let unwritten = |model: &str| {
        let (before, after) = CONFIG.split_once(&format!("[models.{model}]\n")).expect("a model");
        let after = after.replacen("context_tokens = 10\nmax_output_tokens = 5\n", "", 1);
        house.write("tollgate.toml", &format!("{before}[models.{model}]\n{after}"));
        house.check()
    };
    unwritten("small-1").expect("the list knows its lengths");
    let told = unwritten("dear-1").expect_err("the list does not know it");
    for key in ["context_tokens", "max_output_tokens"] {
        assert!(told.contains(&format!("`models.dear-1.{key}`: missing")), "{told}");
    }
}

#[test]
fn a_markup_raises_what_is_asked_and_tells_what_it_costs() {
    let house = House::new();
    let list = house.import(&["--version", "november", "--markup", "25"]).expect("a list");
    house.write("lists/prices.toml", &list);
    let read: toml::Table = list.parse().expect("TOML");
    let (small, long) = (&read["prices"]["example/small-1"], &read["prices"]["long-1"]);
    let text = |value: &toml::Value, key: &str| value[key].as_str().expect("a price").to_owned();
    let told = ["prompt", "cached", "completion"].map(|key| (text(small, key), text(&small["cost"], key)));
    let pair = |price: &str, cost: &str| (price.to_owned(), cost.to_owned());
    assert_eq!(told, [pair("0.1875", "0.15"), pair("0.09375", "0.075"), pair("0.75", "0.6")], "{list}");
    assert_eq!(
        (text(&read["prices"]["painter-1"], "image"), text(&read["prices"]["painter-1"]["cost"], "image")),
        pair("0.05", "0.04")
    );
    // A tier is raised as well, and costs are those of short prompts.
    assert_eq!((text(&long["tiers"][0], "prompt"), text(&long["cost"], "prompt")), pair("2.5", "1"));
    assert_eq!((text(long, "per_request"), text(&long["cost"], "per_request")), pair("0.00625", "0.005"));
    let told = house.check().expect("a configuration");
    assert!(told.lines().any(|line| line.split_whitespace().take(3).eq(["small-1", "0.1875", "0.75"])), "{told}");
    // A mistake in a cost has its place.
    house.write("lists/prices.toml", &list.replacen("cost]\nprompt = \"0.15\"", "cost]\nprompt = \"x\"", 1));
    let told = house.check().expect_err("no cost");
    assert!(told.contains("`prices.example/small-1.cost.prompt`") && told.contains("not a decimal"), "{told}");
    let (ok, told) = run_json(&[
        "prices",
        "import",
        &house.path("public.json").display().to_string(),
        "--only",
        "painter-1",
        "--markup",
        "0",
    ]);
    let prices = json!({"painter-1": {"prompt": "0", "completion": "0", "image": "0.04", "cost": {"prompt": "0", "completion": "0", "image": "0.04"}}});
    assert!(ok && told["prices"] == prices, "{told}");
}

#[test]
fn a_list_is_made_for_programs_as_well() {
    let house = House::new();
    let list = house.path("public.json").display().to_string();
    let (ok, told) = run_json(&["prices", "import", &list, "--only", "painter-1"]);
    let version = told["version"].as_str().expect("a version").to_owned();
    assert!(ok && version.starts_with("public 2"), "{version}");
    let prices = json!({"painter-1": {"prompt": "0", "completion": "0", "image": "0.04"}});
    assert_eq!(told, json!({"version": version, "prices": prices, "models": {}, "left_out": {}}));
}

#[test]
fn what_cannot_be_priced_is_named() {
    let house = House::new();
    for (only, told) in [("letters-1", "has no place in ours"), ("small-1", "has no model \"small-1\"")] {
        let error = house.import(&["--only", only]).expect_err(only);
        assert!(error.contains(told), "{error}");
    }
    for (text, told) in [
        ("[1]", "no JSON object"),
        (r#"{"a": 1}"#, "input_cost_per_token"),
        (r#"{"a": {"input_cost_per_token": "x"}}"#, "no model that can be priced"),
    ] {
        house.write("public.json", text);
        let error = house.import(&[]).expect_err(text);
        assert!(error.contains("public.json") && error.contains(told), "{error}");
    }
    std::fs::remove_file(house.path("public.json")).expect("a file");
    assert!(house.import(&[]).expect_err("nothing").contains("public.json"));
}

/// Every mistake has its place, in the file that it stands in.
#[test]
fn mistakes_in_a_price_list_are_found() {
    let house = House::new();
    let small = "[prices.\"example/small-1\"]\nprompt = \"1\"\ncompletion = \"2\"\n";
    for (list, place, word) in [
        (format!("{small}cached = \"x\"\n"), "prices.toml:4:1: `prices.example/small-1.cached`", "not a decimal"),
        (
            format!("{small}video_second = \"-1\"\n"),
            "prices.toml:4:1: `prices.example/small-1.video_second`",
            "negative",
        ),
        (
            format!("{small}[prices.spare]\nprompt = \"1\"\ncompletion = \"0.1234567\"\n"),
            "prices.toml:6:1: `prices.spare.completion`",
            "6 decimal places",
        ),
        (
            format!("{small}[[prices.\"example/small-1\".tiers]]\nabove = 9\nprompt = \"1\"\ncompletion = \"x\"\n"),
            "prices.toml:7:1: `prices.example/small-1.tiers.0.completion`",
            "not a decimal",
        ),
        (format!("{small}cashed = \"1\"\n"), "prices.toml:4:1", "cashed"),
        (small.to_owned(), "tollgate.toml:9:9: `models.painter-1.price`", "has no [prices.\"painter-1\"]"),
    ] {
        house.write("lists/prices.toml", &list);
        let told = house.check().expect_err(&list);
        assert!(told.lines().any(|line| line.contains(place) && line.contains(word)), "{place}, {word}:\n{told}");
    }
    // Those of the configuration beside them, and none that only comes of them.
    house.write("lists/prices.toml", &format!("{small}[prices.painter-1]\nprompt = \"x\"\ncompletion = \"1\"\n"));
    let beside = "price = { prompt = \"7\", completion = \"8\" }\nlisted_as = \"example/small-1\"";
    house.write("tollgate.toml", &CONFIG.replace("price = { prompt = \"7\", completion = \"8\" }", beside));
    let told = house.check().expect_err("mistakes");
    for place in ["prices.toml:5:1: `prices.painter-1.prompt`", "tollgate.toml:17:1: `models.dear-1.listed_as`"] {
        assert!(told.contains(place), "{told}");
    }
    assert!(!told.contains("models.painter-1.price"), "{told}");
    house.write("tollgate.toml", CONFIG);
    std::fs::remove_file(house.path("lists/prices.toml")).expect("a file");
    let told = house.check().expect_err("no list");
    assert!(told.contains("lists/prices.toml"), "{told}");
    house.write("tollgate.toml", &CONFIG.replace("price_list", "# price_list"));
    let told = house.check().expect_err("no list");
    assert!(told.contains("`models.small-1.price`") && told.contains("price_list"), "{told}");
}
