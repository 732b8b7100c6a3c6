//! A Rust file as rules see it: the paths, words and texts in its code, never its comments.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::run::{Failure, Outcome};

/// Something at a line of a file; `test` when it is compiled for tests only.
#[derive(Clone, Debug)]
pub struct At<T> {
    pub what: T,
    pub line: usize,
    pub test: bool,
}

/// What is in a Rust file.
#[derive(Debug)]
pub struct Source {
    pub file: String,
    /// Paths that begin in a crate of ours: `crate::a::B` is `["a", "B"]` with `krate` the file's
    /// own, and `super` and `self` are resolved.
    pub paths: Vec<At<CratePath>>,
    pub words: Vec<At<String>>,
    /// The words that begin a path, or are one by themselves.
    pub heads: Vec<At<String>>,
    /// The contents of string literals.
    pub texts: Vec<At<String>>,
    /// The names of modules declared with a body elsewhere.
    pub modules: Vec<String>,
    /// Paths of test functions, from the crate's root.
    pub tests: Vec<String>,
}

/// A path and the crate it begins in; `None` for the file's own.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CratePath {
    pub other: Option<String>,
    pub segments: Vec<String>,
}

/// Crates whose paths are looked at from outside.
const OURS: &[&str] = &["countersign_core"];

/// Attributes that mark a function as a test.
const TEST_MARKS: &[&str] = &["test", "wasm_bindgen_test"];

impl Source {
    pub fn read(file: &str, text: &str) -> Outcome<Self> {
        let tokens: TokenStream = text
            .parse()
            .map_err(|e| Failure::new(format!("{file} is not Rust: {e}")))?;
        let mut source = Self {
            file: file.to_owned(),
            paths: Vec::new(),
            words: Vec::new(),
            heads: Vec::new(),
            texts: Vec::new(),
            modules: Vec::new(),
            tests: Vec::new(),
        };
        let test = file.ends_with("/tests.rs") || is_test_folder(file);
        source.walk(tokens, &module_of(file), test);
        Ok(source)
    }

    /// The modules from the crate's root down to this file.
    pub fn module(&self) -> Vec<String> {
        module_of(&self.file)
    }

    fn walk(&mut self, tokens: TokenStream, module: &[String], test: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        // What the attributes before an item say, until the item ends.
        let (mut for_tests, mut is_test) = (false, false);
        let mut i = 0;
        while let Some(token) = tokens.get(i) {
            let line = token.span().start().line;
            let here = test || for_tests;
            match token {
                TokenTree::Punct(mark) if mark.as_char() == '#' => {
                    if let Some(TokenTree::Group(attribute)) = tokens.get(i + 1) {
                        let (tests_only, marks_test) = attribute_says(&attribute.stream());
                        for_tests |= tests_only;
                        is_test |= marks_test;
                    }
                    i += documentation(&tokens, i);
                }
                TokenTree::Punct(mark) if mark.as_char() == ';' => {
                    (for_tests, is_test) = (false, false);
                }
                TokenTree::Punct(_) => {}
                TokenTree::Literal(literal) => {
                    if let Some(text) = text_of(&literal.to_string()) {
                        self.texts.push(At {
                            what: text,
                            line,
                            test: here,
                        });
                    }
                }
                TokenTree::Group(group) => {
                    self.walk(group.stream(), module, here);
                    if group.delimiter() == Delimiter::Brace {
                        (for_tests, is_test) = (false, false);
                    }
                }
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    self.words.push(At {
                        what: word.clone(),
                        line,
                        test: here,
                    });
                    match (word.as_str(), tokens.get(i + 1), tokens.get(i + 2)) {
                        ("mod", Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) => {
                            let mut inner = module.to_vec();
                            inner.push(name.to_string());
                            self.walk(body.stream(), &inner, here);
                            (for_tests, is_test) = (false, false);
                            i += 3;
                            continue;
                        }
                        ("mod", Some(TokenTree::Ident(name)), Some(TokenTree::Punct(_))) => {
                            self.modules.push(name.to_string());
                        }
                        ("fn", Some(TokenTree::Ident(name)), _) if is_test => {
                            let mut path = module.to_vec();
                            path.push(name.to_string());
                            self.tests.push(path.join("::"));
                        }
                        _ => {}
                    }
                    if !after_colons(&tokens, i) {
                        self.heads.push(At {
                            what: word.clone(),
                            line,
                            test: here,
                        });
                        self.path(&tokens, i, module, line, here);
                    }
                }
            }
            i += 1;
        }
    }

    /// Records the path that begins at a word, if it begins in a crate of ours.
    fn path(
        &mut self,
        tokens: &[TokenTree],
        at: usize,
        module: &[String],
        line: usize,
        test: bool,
    ) {
        let Some(TokenTree::Ident(first)) = tokens.get(at) else {
            return;
        };
        if !colons(tokens, at + 1) {
            return;
        }
        let first = first.to_string();
        let (other, base) = match first.as_str() {
            "crate" => (None, Vec::new()),
            "self" => (None, module.to_vec()),
            "super" => (None, parent(module)),
            name if OURS.contains(&name) => (Some(name.to_owned()), Vec::new()),
            _ => return,
        };
        for segments in branches(tokens, at + 3, base) {
            self.paths.push(At {
                what: CratePath {
                    other: other.clone(),
                    segments,
                },
                line,
                test,
            });
        }
    }
}

/// The paths that go on from `base` at a token: one, or several for `{a, b::c}`.
fn branches(tokens: &[TokenTree], at: usize, base: Vec<String>) -> Vec<Vec<String>> {
    match tokens.get(at) {
        Some(TokenTree::Ident(word)) => {
            let word = word.to_string();
            let base_is_root = base.is_empty();
            let mut next = base;
            match word.as_str() {
                "super" => next = parent(&next),
                "self" => {}
                _ => next.push(word),
            }
            if colons(tokens, at + 1) {
                return branches(tokens, at + 3, next);
            }
            if base_is_root && is_mark(tokens.get(at + 1), '!') {
                // An exported macro lies at the root wherever it was written.
                return Vec::new();
            }
            vec![next]
        }
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            inner
                .split(|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ','))
                .filter(|part| !part.is_empty())
                .flat_map(|part| branches(part, 0, base.clone()))
                .collect()
        }
        _ => vec![base],
    }
}

fn parent(module: &[String]) -> Vec<String> {
    module[..module.len().saturating_sub(1)].to_vec()
}

fn colons(tokens: &[TokenTree], at: usize) -> bool {
    is_mark(tokens.get(at), ':') && is_mark(tokens.get(at + 1), ':')
}

fn is_mark(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

fn after_colons(tokens: &[TokenTree], at: usize) -> bool {
    at >= 2 && colons(tokens, at - 2)
}

/// How many tokens after a `#` are a documentation comment, which is no code: `#[doc = …]`, or
/// `#![doc = …]` for what encloses it.
fn documentation(tokens: &[TokenTree], at: usize) -> usize {
    let inner = usize::from(is_mark(tokens.get(at + 1), '!'));
    match tokens.get(at + 1 + inner) {
        Some(TokenTree::Group(attribute)) => {
            let text = attribute.stream().to_string();
            if text.starts_with("doc ") || text.starts_with("doc=") {
                1 + inner
            } else {
                0
            }
        }
        _ => 0,
    }
}

/// Whether an attribute makes its item one for tests only, and whether it marks a test.
fn attribute_says(attribute: &TokenStream) -> (bool, bool) {
    let text: String = attribute.to_string().split_whitespace().collect();
    let tests_only = text.starts_with("cfg(")
        && !text.contains("not(")
        && (text.contains("(test")
            || text.contains(",test")
            || text.contains("feature=\"testing\""));
    let last = text
        .split('(')
        .next()
        .and_then(|path| path.rsplit("::").next());
    (
        tests_only,
        last.is_some_and(|last| TEST_MARKS.contains(&last)),
    )
}

/// The content of a string literal, escapes left as they are; `None` for other literals.
fn text_of(literal: &str) -> Option<String> {
    let start = literal.find('"')?;
    let end = literal.rfind('"')?;
    literal[..start]
        .chars()
        .all(|c| "brc#".contains(c))
        .then(|| literal.get(start + 1..end).unwrap_or_default().to_owned())
}

/// Whether a file holds tests or benches of a crate, not its code.
fn is_test_folder(file: &str) -> bool {
    file.contains("/tests/") || file.contains("/benches/")
}

/// The modules of a file in a crate's `src`: `core/src/a/b.rs` and `core/src/a/b/mod.rs` are both
/// `a::b`. For a crate's `tests`, the name of the program and the modules in it.
fn module_of(file: &str) -> Vec<String> {
    let inside = file
        .split_once("src/")
        .or_else(|| file.trim_start_matches("tests/").split_once("/tests/"));
    let Some((_, inside)) = inside else {
        return Vec::new();
    };
    let mut module: Vec<String> = inside
        .trim_end_matches(".rs")
        .split('/')
        .map(str::to_owned)
        .collect();
    if module.last().is_some_and(|last| last == "mod") {
        module.pop();
    }
    if module.len() == 1
        && module
            .first()
            .is_some_and(|only| only == "lib" || only == "main")
    {
        module.pop();
    }
    module
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(file: &str, text: &str) -> Vec<String> {
        Source::read(file, text)
            .unwrap()
            .paths
            .iter()
            .map(|path| {
                let crate_name = path
                    .what
                    .other
                    .clone()
                    .unwrap_or_else(|| "crate".to_owned());
                let test = if path.test { " (test)" } else { "" };
                format!("{crate_name}::{}{test}", path.what.segments.join("::"))
            })
            .collect()
    }

    #[test]
    fn paths_are_resolved_from_where_they_stand() {
        let text = "use super::x; use crate::{a::{b, C}, d}; fn f() { vec![self::y::z()] }
            mod inner { use super::super::e; }";
        assert_eq!(
            paths("core/src/room/part.rs", text),
            [
                "crate::room::x",
                "crate::a::b",
                "crate::a::C",
                "crate::d",
                "crate::room::part::y::z",
                "crate::room::e",
            ]
        );
    }

    #[test]
    fn comments_and_strings_are_no_code() {
        let text = "//! chrome\n/// chrome, crate::a\nfn f() {} // crate::a\n/* crate::b */
            const T: &str = \"crate::c\";";
        assert!(paths("core/src/r.rs", text).is_empty());
        let source = Source::read("core/src/r.rs", text).unwrap();
        let texts: Vec<&str> = source.texts.iter().map(|text| text.what.as_str()).collect();
        assert_eq!(texts, ["crate::c"]);
        assert!(source.words.iter().all(|word| word.what != "chrome"));
    }

    #[test]
    fn what_is_compiled_for_tests_only_is_marked() {
        let text = "#[cfg(test)] use crate::a; use crate::b; #[cfg(test)] mod tests { use crate::c; }
            #[cfg(not(test))] use crate::d; #[cfg(any(test, feature = \"testing\"))] fn f() { crate::e() }
            use crate::g;";
        assert_eq!(
            paths("core/src/r.rs", text),
            [
                "crate::a (test)",
                "crate::b",
                "crate::c (test)",
                "crate::d",
                "crate::e (test)",
                "crate::g",
            ]
        );
    }

    #[test]
    fn another_crate_of_ours_is_seen_and_a_foreign_one_is_not() {
        let text = "use countersign_core::wire::View; use serde::Serialize; use x::crate_::y;";
        assert_eq!(paths("ui/src/a.rs", text), ["countersign_core::wire::View"]);
    }

    #[test]
    fn tests_are_known_by_their_attribute_wherever_they_stand() {
        let text = "mod tests { #[test] fn plain() {} fn helper() {} proptest! { #[test] fn \
            random(x in 0..1) {} } #[wasm_bindgen_test::wasm_bindgen_test] async fn browser() {} }";
        let source = Source::read("core/src/a.rs", text).unwrap();
        assert_eq!(
            source.tests,
            ["a::tests::plain", "a::tests::random", "a::tests::browser"]
        );
        let text = "mod inner { #[test] fn told() {} }";
        let source = Source::read("tests/stories/tests/story/end.rs", text).unwrap();
        assert_eq!(source.tests, ["story::end::inner::told"]);
    }
}
