//! Names that mean something else in a language, in its standard library, or in what the generator writes around them.

/// Words of Rust, all editions, and names that its code uses without a path.
const RUST: &str = "abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen \
    if impl in let loop macro match mod move mut override priv pub ref return self Self static struct super trait true try type \
    typeof union unsafe unsized use virtual where while yield auto raw Option Some None Vec String Result Ok Err Box Clone Copy \
    Debug Default Drop Eq PartialEq From Into Iterator Hash Future Send Sync Sized ToString Duration Arc Serialize Deserialize \
    Infallible HashMap BTreeMap";

/// Words of TypeScript, and of the globals that every module sees.
const TYPESCRIPT: &str = "any arguments bigint case catch class constructor debugger declare delete eval export extends finally \
    function import instanceof interface infer is keyof namespace never new null number of package private protected prototype \
    __proto__ public readonly satisfies switch symbol then this throw toString typeOf undefined unknown valueOf var void with \
    hasOwnProperty globalThis NaN Infinity Array Object Promise Error Record Partial Readonly Map Set Date Symbol Function Boolean \
    Number AsyncIterable ArrayBuffer FormData Blob File URL AbortSignal Uint8Array JSON Math";

/// Words of Python, its builtins, and names of its typing.
const PYTHON: &str = "and assert cls def del elif except exec from global lambda nonlocal not or pass print raise True False \
    __init__ __class__ __dict__ __slots__ __module__ Any Literal TypedDict NotRequired TypeAlias TypeGuard Mapping Callable \
    Exception ConnectionError dict list str int float bool bytes set tuple frozenset id property object overload staticmethod len \
    max min next keys items get update pop copy TYPE_CHECKING annotations";

/// Names of our own clients, and of our own server.
const OURS: &str = "Client AsyncClient ApiError ClientError Response ResponseHead Request Transport AsyncTransport Operation Input \
    Pages Upload FormFile CallOptions OnceOptions EventStream Unlisted Part Usd Code Other OtherThanListed Refusal Strange Unsent \
    OnResponse body query path headers header options signal fetch json params form stream streams by each each_async \
    form_content with_member further rest caller format csv call cx service input reply api auth code codes envelopes envelope \
    limits types errors error machines ops routes generated runtime value kind state row allowed table cas over transport \
    base_url is_error_of content file over_all State Row At Moves Sealed Allows Live Rules Cx Call Json Rest Unknown Number Moment \
    Wire WireEnum OpError kinds names http reqwest serde serde_json std core alloc tollgate_api by_kind ALL TABLE MACHINE index \
    main lib calls mini";

/// All of them, each once.
pub(super) fn words() -> Vec<&'static str> {
    let mut all: Vec<&str> = Vec::new();
    for word in [RUST, TYPESCRIPT, PYTHON, OURS].into_iter().flat_map(str::split_ascii_whitespace) {
        if !all.contains(&word) {
            all.push(word);
        }
    }
    all
}
