//! The command, on folders and on repositories that git made.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use tempfile::TempDir;

use super::{MINI, MORE};

const GONE: (&str, &str) = ("      labels: {type: optional map of string, doc: Anything.}\n", "");
const COME: (&str, &str) = (
    "      object: const thing\n",
    "      object: const thing\n      colour: {type: optional string, doc: Its colour.}\n",
);

/// A folder with the old spec in it.
struct Place(TempDir);

struct Answer {
    good: bool,
    out: String,
    err: String,
}

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        fs::create_dir(place.path().join("spec")).expect("a folder");
        place.write("spec/mini.yaml", MINI);
        place.write("spec/more.yaml", MORE);
        place
    }

    /// One that git keeps, with the old spec as its first commit.
    fn kept() -> Self {
        let place = Self::new();
        place.git(&["init", "--quiet", "--initial-branch=main"]);
        place.commit();
        place
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.path().join(path), text).expect("it can be written");
    }

    fn edit(&self, (was, now): (&str, &str)) {
        let text = fs::read_to_string(self.path().join("spec/mini.yaml")).expect("a text");
        assert!(text.contains(was), "{was}");
        self.write("spec/mini.yaml", &text.replacen(was, now, 1));
    }

    fn git(&self, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]);
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").current_dir(self.path());
        let output = git.args(arguments).output().expect("git runs");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// The line that git answers with.
    fn told_by_git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git").args(arguments).current_dir(self.path()).output().expect("git runs");
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message=a change"]);
    }

    fn run(&self, arguments: &[&str]) -> Answer {
        let mut command = Command::new(env!("CARGO_BIN_EXE_codegen"));
        let Output { status, stdout, stderr } =
            command.args(arguments).current_dir(self.path()).output().expect("the binary runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Answer { good: status.success(), out: text(stdout), err: text(stderr) }
    }
}

#[test]
fn folders_are_compared_for_people_changelogs_and_programs() {
    let (old, new) = (Place::new(), Place::new());
    new.edit(GONE);
    new.edit(COME);
    let old = old.path().to_str().expect("a path");
    let told = new.run(&["diff", old]);
    assert!(!told.good, "{}", told.err);
    assert!(told.out.starts_with("breaking[reply-field-removed] on the wire, for who receives: "), "{}", told.out);
    assert!(told.out.contains("compatible[reply-field-added]"), "{}", told.out);
    assert!(told.out.contains("  through things.get, things.list, things.relay, things.tell\n"), "{}", told.out);
    let written = new.run(&["diff", old, "--markdown"]);
    assert!(!written.good);
    let heads: Vec<&str> = written.out.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(heads, ["## Breaking on the wire", "## Compatible"]);
    let read = new.run(&["--json", "diff", old]);
    let lines: Vec<serde_json::Value> =
        read.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["class"], "reply-field-removed");
    assert_eq!(lines[0]["subject"], "types.Thing.labels");
    assert_eq!(lines[0]["old"]["file"], "spec/mini.yaml");
    assert_eq!(lines[0]["accepted"], serde_json::Value::Null);
    assert!(new.run(&["diff", new.path().to_str().expect("a path")]).good, "it is as it is");
}

#[test]
fn what_is_accepted_is_no_alarm() {
    let (old, new) = (Place::new(), Place::new());
    let old = old.path().to_str().expect("a path");
    new.edit(GONE);
    new.write("spec/changes.yaml", "changes:\n  reply-field-removed:\n    types.Thing.labels: nobody read them\n");
    let accepted = new.run(&["diff", old]);
    assert!(accepted.good, "{}{}", accepted.out, accepted.err);
    assert!(accepted.out.contains("accepted[reply-field-removed]"), "{}", accepted.out);
    assert!(accepted.out.contains("  accepted: nobody read them\n"), "{}", accepted.out);
    // No release that could tell whether it happened.
    let unjudged = new.run(&["diff", new.path().to_str().expect("a path")]);
    assert!(unjudged.good && !unjudged.out.contains("stale"), "{}", unjudged.out);
    new.write("spec/changes.yaml", "changes:\n  reply-field-remved:\n    types.Thing.labels: nobody read them\n");
    let misspelt = new.run(&["diff", old]);
    assert!(!misspelt.good);
    assert!(
        misspelt.err.contains("error[R022]: unknown class of change `reply-field-remved`\n --> spec/changes.yaml:2:3"),
        "{}",
        misspelt.err
    );
    assert!(misspelt.err.contains("did you mean `reply-field-removed`?"), "{}", misspelt.err);
    new.write("spec/changes.yaml", "changes:\n  reply-field-added:\n    types.Thing.labels: it is new\n");
    let needless = new.run(&["diff", old]);
    assert!(!needless.good && needless.err.contains("`reply-field-added` breaks nobody"), "{}", needless.err);
}

/// What has to be looked at stands where the reader begins.
#[test]
fn what_is_not_accepted_comes_first() {
    let (old, new) = (Place::new(), Place::new());
    let old = old.path().to_str().expect("a path");
    new.edit(GONE);
    new.write("spec/more.yaml", &MORE.replacen("    idempotency_key: true\n", "", 1));
    let both = new.run(&["diff", old]);
    let heads = |told: &str| -> Vec<String> {
        let lines = told.lines().filter(|line| line.contains("] ") && !line.starts_with(' '));
        lines.map(|line| line.split_once(']').expect("a class").0.to_owned()).collect()
    };
    let [first, second] = &heads(&both.out)[..] else { panic!("{}", both.out) };
    assert!(first.starts_with("breaking[") && second.starts_with("breaking["), "{}", both.out);
    let class = first.trim_start_matches("breaking[");
    let accept = both.out.lines().find_map(|line| line.trim().strip_prefix("to accept: ")).expect("how to accept it");
    new.write("spec/changes.yaml", &format!("{accept}\n"));
    let told = new.run(&["diff", old]);
    assert!(!told.good, "{}", told.out);
    assert_eq!(heads(&told.out), [second.clone(), format!("accepted[{class}")], "{}", told.out);
}

#[test]
fn a_branch_is_compared_with_where_it_left_the_main_one() {
    let place = Place::kept();
    let first = place.run(&["diff"]);
    assert!(first.good, "{}", first.err);
    assert!(
        first.err.contains("nothing was compared") && first.err.contains("has no commit before it"),
        "{}",
        first.err
    );
    place.git(&["checkout", "--quiet", "-b", "work"]);
    place.edit(COME);
    place.commit();
    place.edit(GONE);
    let branch = place.run(&["diff"]);
    assert!(!branch.good, "{}{}", branch.out, branch.err);
    assert!(branch.out.contains("2 changes from main ("), "{}", branch.out);
    place.git(&["checkout", "--quiet", "--", "spec"]);
    assert!(place.run(&["diff"]).good, "only the new field is left");
    place.git(&["checkout", "--quiet", "main"]);
    place.git(&["merge", "--quiet", "work"]);
    place.edit(GONE);
    let main = place.run(&["diff"]);
    assert!(!main.good);
    assert!(main.out.contains("2 changes from the commit before ("), "{}", main.out);
    let revisions = place.run(&["diff", "main~1", "main"]);
    assert!(revisions.good, "{}", revisions.out);
    assert!(revisions.out.contains("1 changes from main~1 to main: 0 break somebody"), "{}", revisions.out);
    let unknown = place.run(&["diff", "mian"]);
    assert!(!unknown.good && unknown.err.contains("`mian` is neither a folder"), "{}", unknown.err);
}

/// What accepts that labels are gone, since a release.
fn accepted_since(release: &str) -> String {
    format!("changes:\n  since: {release}\n  reply-field-removed:\n    types.Thing.labels: nobody read them\n")
}

#[test]
fn everything_since_a_release_is_compared() {
    let place = Place::kept();
    place.git(&["tag", "v1"]);
    place.edit(GONE);
    place.commit();
    place.write("spec/changes.yaml", "changes: {since: v1}\n");
    place.commit();
    place.edit(COME);
    place.commit();
    let refused = place.run(&["diff"]);
    assert!(!refused.good, "a break that is two commits old: {}", refused.out);
    assert!(refused.out.contains("2 changes from v1 ("), "{}{}", refused.out, refused.err);
    place.write("spec/changes.yaml", &accepted_since("v1"));
    place.commit();
    let accepted = place.run(&["diff"]);
    assert!(accepted.good, "{}{}", accepted.out, accepted.err);
    place.git(&["checkout", "--quiet", "-b", "work"]);
    place.write("spec/more.yaml", &MORE.replacen("    idempotency_key: true\n", "", 1));
    let branch = place.run(&["diff"]);
    assert!(!branch.good && branch.out.contains("3 changes from v1 ("), "{}{}", branch.out, branch.err);
    let asked = place.run(&["diff", "main"]);
    assert!(!asked.good && asked.out.contains("1 changes from main to the working tree"), "{}", asked.out);
    // As accepted, so released: nothing of it has happened since.
    place.git(&["checkout", "--quiet", "--", "spec"]);
    place.git(&["tag", "v2"]);
    place.write("spec/changes.yaml", &accepted_since("v2"));
    // Only the release can tell, whether it is asked for or not; the last commit cannot.
    place.commit();
    let last = place.run(&["diff", "HEAD"]);
    assert!(last.good && !last.out.contains("stale"), "{}", last.out);
    for (arguments, told) in [
        (&["diff"][..], "take it out"),
        (&["diff", "v2"], "take it out"),
        (&["diff", "--markdown"], "stale: spec/changes.yaml:4:5"),
    ] {
        let stale = place.run(arguments);
        assert!(!stale.good, "{}", stale.out);
        assert!(stale.err.contains("error: 1 acceptances of what did not happen since the release"), "{}", stale.err);
        assert!([stale.out, stale.err].concat().contains(told), "{told}");
    }
}

#[test]
fn a_release_is_a_tag_or_a_commit_and_nothing_that_moves() {
    let place = Place::kept();
    let first = place.told_by_git(&["rev-parse", "HEAD"]);
    place.edit(GONE);
    place.commit();
    for release in [first.as_str(), &first[..12]] {
        place.write("spec/changes.yaml", &accepted_since(release));
        let told = place.run(&["diff"]);
        assert!(told.good, "{}{}", told.out, told.err);
        assert!(told.out.contains(&format!("from the release {} to", &first[..10])), "{}", told.out);
    }
    place.git(&["branch", "feedbee"]);
    for (release, message) in [
        ("v1", "there is no release `v1`: neither a tag nor a commit"),
        ("main", "`main` is no name of a release"),
        ("feedbee", "there is no release `feedbee`: neither a tag nor a commit"),
        ("HEAD", "`HEAD` is no name of a release"),
    ] {
        place.write("spec/changes.yaml", &accepted_since(release));
        let refused = place.run(&["diff"]);
        assert!(!refused.good, "{release}: {}", refused.out);
        let expected = format!("error[R025]: {message}\n --> spec/changes.yaml:2:10");
        assert!(refused.err.contains(&expected), "{release}: {}", refused.err);
    }
}

#[test]
fn a_shallow_clone_is_told_how_to_get_the_release() {
    let origin = Place::kept();
    let first = origin.told_by_git(&["rev-parse", "HEAD"]);
    origin.git(&["tag", "v1"]);
    origin.edit(GONE);
    origin.commit();
    let url = format!("file://{}", origin.path().display());
    for release in ["v1", first.as_str(), &first[..12]] {
        let clone = Place(tempfile::tempdir().expect("a folder"));
        clone.git(&["clone", "--quiet", "--depth=1", &url, "."]);
        clone.write("spec/changes.yaml", &format!("changes: {{since: {release}}}\n"));
        let told = clone.run(&["diff"]);
        assert!(told.good, "{release}: {}", told.err);
        assert!(
            told.err.starts_with(&format!("nothing was compared: the release {release} is not in")),
            "{}",
            told.err
        );
        let must = clone.run(&["diff", "--must-compare"]);
        assert!(!must.good && must.err == told.err, "{}", must.err);
        let fetch = told.err.split('`').nth(1).and_then(|command| command.strip_prefix("git ")).expect("a command");
        clone.git(&fetch.split(' ').chain(["--quiet"]).collect::<Vec<_>>());
        let compared = clone.run(&["diff"]);
        assert!(!compared.good && compared.out.contains("1 break somebody"), "{release}: {}", compared.err);
    }
}

#[test]
fn a_clone_without_history_is_no_mistake() {
    let origin = Place::kept();
    origin.edit(COME);
    origin.commit();
    let clone = Place(tempfile::tempdir().expect("a folder"));
    let url = format!("file://{}", origin.path().display());
    clone.git(&["clone", "--quiet", "--depth=1", &url, "."]);
    clone.edit(GONE);
    let told = clone.run(&["diff"]);
    assert!(told.good, "{}", told.err);
    assert!(told.err.starts_with("nothing was compared: "), "{}", told.err);
    let alone = Place::new();
    let mut gitless = Command::new(env!("CARGO_BIN_EXE_codegen"));
    let output = gitless.arg("diff").current_dir(alone.path()).env("PATH", "").output().expect("the binary runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.starts_with("nothing was compared: asking git: "), "{told}");
    let told = alone.run(&["diff"]);
    assert!(told.good, "{}", told.err);
    assert!(told.err.contains("there is no git repository with a commit here"), "{}", told.err);
}

#[test]
fn an_old_spec_with_mistakes_is_compared_as_far_as_it_can_be_read() {
    let (old, new) = (Place::new(), Place::new());
    old.edit(("doc: A kind of thing., ", "dco: A kind of thing., "));
    let told = new.run(&["diff", old.path().to_str().expect("a path")]);
    assert!(told.good, "{}{}", told.out, told.err);
    assert!(told.err.contains("has mistakes by the rules of today (1 error, 0 warnings in 2 files)"), "{}", told.err);
}

#[test]
fn the_classes_are_told_by_the_tool() {
    let told = Place::new().run(&["diff", "--classes"]);
    assert!(told.good);
    let written = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/dist/changes.md");
    let written = fs::read_to_string(written).expect("the classes");
    let tables = written.split_once("\n\n").map(|(_, tables)| tables);
    assert!(tables == Some(told.out.as_str()), "run `cargo codegen`");
}
