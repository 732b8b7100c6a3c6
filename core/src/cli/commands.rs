//! The commands, one a function: files in, an answer out.

use candid::IDLArgs;
use serde_json::{Value, json};

use super::args::{ClassifyArgs, ReadArgs, ShowArgs, Sources, ToolsArgs};
use super::diagnostic::{Diagnostic, Failure, Level, page};
use super::load::{self, Loaded, Strictness, load};
use super::{Answer, World, exit, locate, pages};
use crate::ids::{PreviewId, from_hex, to_hex};
use crate::interface::Tuple;
use crate::json::Json;
use crate::profile::Severity;
use crate::text::escaped;
use crate::time::Timestamp;
use crate::tools::{
    CANISTER_ID, Canister, Catalog, Dialect, NameBook, Plan, Skipped, ToolKind, catalog_hash,
    lint as findings_of, plan_for_showing,
};

/// `resolve`
pub(super) fn resolve(
    args: &Sources,
    json: bool,
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let loaded = load(args, Strictness::Strict, world)?;
    let form = loaded.resolved.to_json();
    let out = if json {
        // The text whose hash is the form's own.
        form + "\n"
    } else {
        let tree: Value = serde_json::from_str(&form).unwrap_or_default();
        pages::json_text(&tree)
    };
    Ok(Answer {
        out,
        err: loaded.warnings(),
        code: exit::DONE,
    })
}

/// `lint`
pub(super) fn lint(args: &Sources, json: bool, world: &mut dyn World) -> Result<Answer, Failure> {
    let loaded = load(args, Strictness::Lenient, world)?;
    let mut findings = loaded.findings.clone();
    findings.extend(findings_of(&loaded.resolved, &loaded.plans));
    findings.retain(|finding| finding.from.source != crate::profile::Source::Pack);
    let count = |severity| {
        let found = findings.iter();
        found.filter(|f| f.code.severity() == severity).count()
    };
    let errors = count(Severity::Error) + loaded.refused.len();
    let warnings = count(Severity::Warning);
    let mut messages = loaded.refused.clone();
    messages.extend(findings.iter().map(|finding| loaded.diagnostic(finding)));
    // In the order in which an author goes through the files.
    messages.sort_by_key(|message| loaded.order(message));
    let out = if json {
        let list: Vec<_> = messages.iter().map(Diagnostic::to_json).collect();
        pages::json_text(&json!({ "findings": list, "errors": errors, "warnings": warnings }))
    } else {
        let rule = if messages.is_empty() { "" } else { "\n" };
        let counted = pages::counted(errors, "error") + ", " + &pages::counted(warnings, "warning");
        format!("{}{rule}{counted}\n", page(&messages))
    };
    Ok(Answer {
        out,
        err: String::new(),
        code: if errors > 0 { exit::NO } else { exit::DONE },
    })
}

/// `tools`
pub(super) fn tools(
    args: &ToolsArgs,
    json: bool,
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let loaded = load(&args.sources, Strictness::Strict, world)?;
    let canisters = load::canisters(&args.canisters, world)?;
    let catalog = catalog(&loaded, canisters);
    let definitions = catalog.definitions(Dialect::from(args.dialect));
    let skipped = &loaded.plans.skipped;
    let out = if json {
        let skips: Vec<_> = skipped.iter().map(skip_json).collect();
        pages::json_text(&json!({
            "tools": definitions,
            "skipped": skips,
            "catalog": catalog_hash(&definitions),
        }))
    } else {
        let notes: Vec<_> = skipped
            .iter()
            .map(|skip| skip_note(&loaded, skip))
            .collect();
        let methods = loaded.resolved.methods.len();
        pages::tools(&definitions, methods, &page(&notes), notes.len())
    };
    Ok(Answer {
        out,
        err: loaded.warnings(),
        code: exit::DONE,
    })
}

/// `read`
pub(super) fn read(args: &ReadArgs, json: bool, world: &mut dyn World) -> Result<Answer, Failure> {
    let loaded = load(&args.sources, Strictness::Strict, world)?;
    let canisters = load::canisters(&args.canisters, world)?;
    let mut input = Json::parse(&args.input).map_err(|error| {
        Diagnostic::error("E_INPUT", error.to_string())
            .in_file("--input", None)
            .into_failure(exit::NO)
    })?;
    if let ([only], Json::Object(object)) = (canisters.as_slice(), &input)
        && object.get(CANISTER_ID).is_none()
    {
        let mut fields = serde_json::to_value(&input).unwrap_or_default();
        fields[CANISTER_ID] = json!(only.id.to_text());
        input = Json::parse(&fields.to_string()).unwrap_or(input);
    }
    let catalog = catalog(&loaded, canisters);
    let tool = catalog
        .find(&args.tool)
        .ok_or_else(|| no_tool(&loaded, &catalog, &args.tool))?;
    let now = args.now.map_or_else(|| world.now(), Timestamp::from_nanos);
    let names = load::names(args.names.as_deref(), world)?;
    let call = match tool.read_named(&input, now, &names) {
        Ok(call) => call,
        Err(issues) => {
            let out = if json {
                pages::json_text(&json!({ "issues": issues }))
            } else {
                let messages: Vec<_> = issues
                    .iter()
                    .map(|issue| {
                        Diagnostic::error(issue.code.as_str(), issue.message.as_str())
                            .noted("input", issue.param.as_str())
                            .noted("place", issue.path.as_str())
                    })
                    .collect();
                page(&messages)
            };
            return Ok(Answer {
                out,
                err: loaded.warnings(),
                code: exit::NO,
            });
        }
    };
    let plan = &call.entry.plan;
    let arg = call
        .input
        .encode(Some(now))
        .map_err(|error| Diagnostic::error("E_ENCODE", error.to_string()).into_failure(exit::NO))?;
    let canister = call.entry.canister.clone();
    let canister = &canister.with_names(call.input.names.clone());
    let shown = show_bytes(plan, canister, &arg)?;
    let out = if json {
        pages::json_text(&json!({
            "value": shown.candid,
            "identity": call.input.identity,
            "arg_hex": to_hex(&arg),
            "preview": shown.preview,
        }))
    } else {
        pages::preview(plan, canister, &shown.decoded, &arg)
            + &pages::identity(&call.input.identity)
    };
    Ok(Answer {
        out,
        err: loaded.warnings(),
        code: exit::DONE,
    })
}

/// `show`
pub(super) fn show(args: &ShowArgs, json: bool, world: &mut dyn World) -> Result<Answer, Failure> {
    let loaded = load(&args.sources, Strictness::Strict, world)?;
    let canister = first(load::canisters(&args.canisters, world)?);
    let arg = hex(&args.arg_hex, "--arg-hex")?;
    let plan = match loaded.plans.of_call(&args.method, &arg) {
        Some(plan) => plan.as_ref().clone(),
        None => plan_for_showing(&loaded.resolved, &args.method)
            .ok_or_else(|| no_method(&loaded, &args.method))?,
    };
    let shown = show_bytes(&plan, &canister, &arg)?;
    let out = if json {
        pages::json_text(&json!({ "value": shown.candid, "preview": shown.preview }))
    } else {
        pages::preview(&plan, &canister, &shown.decoded, &arg)
    };
    Ok(Answer {
        out,
        err: loaded.warnings(),
        code: exit::DONE,
    })
}

/// `classify`
pub(super) fn classify(
    args: &ClassifyArgs,
    json: bool,
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let loaded = load(&args.sources, Strictness::Strict, world)?;
    let canister = first(load::canisters(&args.canisters, world)?);
    let reply = hex(&args.reply_hex, "--reply-hex")?;
    let plan = plan_of(&loaded, &args.method, args.case.as_deref())?;
    let undecodable = |message: String| {
        Diagnostic::error("E_REPLY", message)
            .noted(
                "help",
                "such a reply says nothing of what happened: the outcome is unknown",
            )
            .into_failure(exit::NO)
    };
    let (class, case, details) = match plan.kind() {
        ToolKind::Read { .. } => {
            let reply = plan.read_reply(&canister, &reply);
            (
                None,
                None,
                reply.map_err(|error| undecodable(error.to_string()))?,
            )
        }
        ToolKind::Prepare => {
            let reply = plan.classify(&canister, &reply);
            let reply = reply.map_err(|error| undecodable(error.to_string()))?;
            (Some(reply.class), reply.case, reply.details)
        }
    };
    let out = if json {
        pages::json_text(&json!({ "class": class, "case": case, "details": details }))
    } else {
        pages::class(class, case.as_deref(), &details)
    };
    Ok(Answer {
        out,
        err: loaded.warnings(),
        code: exit::DONE,
    })
}

/// The tool that calls a method, with one case where each case has its own.
fn plan_of<'a>(loaded: &'a Loaded, method: &str, case: Option<&str>) -> Result<&'a Plan, Failure> {
    let plans = &loaded.plans;
    let of_case = |case: &str| plans.cases.get(&(method.to_owned(), case.to_owned()));
    let found = case.map_or_else(|| plans.plans.get(method), of_case);
    if let Some(plan) = found {
        return Ok(plan);
    }
    let cases = plans.cases.keys().filter(|(of, _)| of == method);
    let names: Vec<_> = cases.map(|(_, case)| case.as_str()).collect();
    if !names.is_empty() {
        let message = "each case of the method has its own tool: say which with --case";
        return Err(Diagnostic::error("E_USAGE", message)
            .noted("help", format!("its cases are {}", names.join(", ")))
            .into_failure(exit::USAGE));
    }
    let skip = plans.skipped.iter().find(|skip| skip.method == method);
    Err(skip.map_or_else(
        || no_method(loaded, method),
        |skip| no_tool_for(loaded, skip),
    ))
}

/// A method that was asked for and has no tool.
fn no_tool_for(loaded: &Loaded, skip: &Skipped) -> Failure {
    Diagnostic {
        severity: Level::Error,
        code: Some("E_NO_TOOL"),
        ..skip_note(loaded, skip)
    }
    .into_failure(exit::NO)
}

/// The tools of an interface that all canisters have.
fn catalog(loaded: &Loaded, canisters: Vec<Canister>) -> Catalog {
    let canisters: Vec<_> = canisters.into_iter().map(|c| (c, &loaded.plans)).collect();
    Catalog::new(&canisters, &mut NameBook::default())
}

fn first(canisters: Vec<Canister>) -> Canister {
    canisters
        .into_iter()
        .next()
        .expect("there is always one: without any named, `aaaaa-aa` stands for it")
}

struct Shown {
    preview: Value,
    decoded: crate::tools::Decoded,
    /// Candid text of the arguments.
    candid: String,
}

/// The arguments in bytes, in the three ways of showing them.
fn show_bytes(plan: &Plan, canister: &Canister, arg: &[u8]) -> Result<Shown, Failure> {
    let refused = |error: crate::interface::CodecError| {
        Diagnostic::error(error.code(), error.to_string()).into_failure(exit::NO)
    };
    let preview = plan.preview(PreviewId::from_bytes([0; 16]), canister, arg);
    let mut preview = serde_json::to_value(preview.map_err(refused)?).unwrap_or_default();
    // Nothing was prepared, so there is nothing to commit.
    if let Some(fields) = preview.as_object_mut() {
        fields.shift_remove("preview_id");
    }
    let method = plan.resolved_method();
    let types: Vec<_> = method.args.iter().map(|node| node.ty.clone()).collect();
    let values = Tuple::new(&plan.resolved().env, &types).decode_exact(arg);
    Ok(Shown {
        preview,
        decoded: plan.decode_for_person(canister, arg).map_err(refused)?,
        candid: escaped(&format!(
            "{:?}",
            IDLArgs {
                args: values.map_err(refused)?
            }
        )),
    })
}

fn hex(text: &str, option: &'static str) -> Result<Vec<u8>, Failure> {
    let digits = text.trim().trim_start_matches("0x").to_ascii_lowercase();
    from_hex(&digits).ok_or_else(|| {
        let message = format!("{option} takes an even number of hexadecimal digits");
        Diagnostic::error("E_USAGE", message).into_failure(exit::USAGE)
    })
}

fn skip_json(skip: &Skipped) -> Value {
    json!({
        "method": skip.told(),
        "reason": skip.reason.to_string(),
        "advice": skip.reason.advice(),
    })
}

fn skip_note(loaded: &Loaded, skip: &Skipped) -> Diagnostic {
    let interface = &loaded.interface;
    let span = locate::of_method(&interface.text, &skip.method);
    let note = Diagnostic {
        severity: Level::Note,
        code: None,
        message: format!("`{}` has no tool", skip.told()),
        place: None,
        notes: Vec::new(),
    };
    note.in_file(&interface.file, span)
        .noted("reason", skip.reason.to_string())
        .noted("help", skip.reason.advice())
}

fn no_method(loaded: &Loaded, method: &str) -> Failure {
    let names: Vec<_> = loaded.resolved.methods.keys().cloned().collect();
    let message = format!("the interface has no method `{method}`");
    Diagnostic::error("E_NO_METHOD", message)
        .in_file(&loaded.interface.file, None)
        .noted("help", format!("its methods are {}", names.join(", ")))
        .into_failure(exit::NO)
}

fn no_tool(loaded: &Loaded, catalog: &Catalog, name: &str) -> Failure {
    let method = name.strip_prefix("prepare_").unwrap_or(name);
    if let Some(skip) = loaded.plans.skipped.iter().find(|s| s.method == method) {
        return no_tool_for(loaded, skip);
    }
    let tools = catalog.tools().iter();
    let names: Vec<_> = tools.map(|tool| tool.names().get(Dialect::Full)).collect();
    Diagnostic::error("E_NO_TOOL", format!("there is no tool `{name}`"))
        .in_file(&loaded.interface.file, None)
        .noted("help", format!("the tools are {}", names.join(", ")))
        .into_failure(exit::NO)
}
