//! S: the text is not the plain YAML of the language.

super::diagnostic_code::codes! {
    NOT_YAML "S001" "this is not YAML"
        "The file could not be read as YAML from this place on. What stands before it is still checked; what comes \
         after it is not, so further complaints may follow once this one is gone."
        "errors: [KEY_MISSING, KEY_INVALID"
    NOT_UTF8 "S002" "the file is not UTF-8"
        "Spec files are UTF-8 text. The place is the first byte that is not."
        "title: caf\\xe9"
    DUPLICATE_KEY "S003" "a key is there twice"
        "Many YAML readers silently let the second of two equal keys replace the first, so that an operation or a \
         field vanishes without a word. Here it is an error; the first one is kept for the rest of the check."
        "http: 404\nhttp: 410"
    ANCHOR "S004" "anchors and aliases are not in the language"
        "An entry is read where it stands. `&name` and `*name` make one text mean something in two places, and \
         complaints could no longer say where. Write it out, or name it as a type or group."
        "errors: *common"
    TAG "S005" "tags are not in the language"
        "The meaning of a value follows from the key it stands under, never from a tag such as `!!str`."
        "http: !!int 404"
    MERGE_KEY "S006" "merge keys are not in the language"
        "`<<` is a rule of YAML 1.1 that 1.2 dropped. Write the keys out, or name them as a type."
        "<<: *defaults"
    SECOND_DOCUMENT "S007" "a file is one document"
        "`---` in the middle of a file begins a second document, which many readers would not see. Make it a second \
         file: all files are one namespace."
        "---\noperations:"
    YAML_1_1_WORD "S008" "a word that YAML 1.1 takes for true or false"
        "`yes`, `no`, `on`, `off`, `y` and `n` are booleans to readers of YAML 1.1 and words to readers of 1.2. Write \
         `true` or `false` where a boolean is meant, and put it in quotes where the word is meant."
        "proxy: yes"
    ODD_NUMBER "S009" "a number that is read differently by different readers"
        "Numbers are plain decimals: `600`, `-1`, `0.25`. A leading zero is octal to some, `1:30` is ninety to some, \
         `1e3`, `1_000`, `0x1F`, `.5` and `+5` are numbers to some and words to others. Where a word is meant, put \
         it in quotes."
        "seconds: 1:30"
    KEY_NOT_A_WORD "S010" "a key is not a word"
        "Keys are words. A number, `true`, `null`, a list or a mapping as a key is read as something else by YAML; \
         put it in quotes."
        "parts:\n  4: {title: endpoints}"
    FILE_NOT_A_MAPPING "S011" "a file is a mapping of sections"
        "At the top of a file stand sections such as `operations:` and `types:`, and nothing else."
        "- operations"
    CUT_BY_COMMENT "S012" "a text that a `#` cuts short"
        "After a space, `#` begins a comment, and the rest of the line is not part of the text. Put a text with `#` in quotes; a \
         comment stands on a line of its own, or after two spaces."
        "doc: Pays order #1 first."
}
