//! Who fills each place of the arguments, and what inputs that gives.

use super::{
    super::{
        names::{Names, Taken},
        reader::Reader,
        skip::{Place, SkipReason},
    },
    CANISTER_ID, Fixed, Input, Layout, Role, Slot,
    choice::{Choice, Chosen},
};
use crate::profile::{Field, Node, RelPath, ResolvedMethod, Shape};

/// The inputs so far.
#[derive(Default)]
struct Inputs {
    list: Vec<Input>,
    taken: Taken,
}

/// The fields of a record that is an argument and no value by itself.
pub(super) fn fields_of(argument: &Node) -> Option<&[Field]> {
    if let Shape::Record(fields) = &argument.shape
        && argument.tags.value().is_none()
    {
        Some(fields)
    } else {
        None
    }
}

/// How the arguments are made, one each, and the inputs that this takes, in the same order.
pub(super) fn layout(
    method: &ResolvedMethod,
    case: Option<&Chosen<'_>>,
    stamp: Option<&str>,
) -> Result<(Vec<Layout>, Vec<Input>), SkipReason> {
    let mut params = Inputs::default();
    if let [argument] = method.args.as_slice() {
        let argument = match case {
            Some(case) if case.is_in(argument) => fixed(argument, case, &mut params)?,
            Some(_) | None => whole(argument, case, stamp, "arg0", &mut params)?,
        };
        return Ok((vec![argument], params.list));
    }
    let arguments = (method.args.iter().enumerate())
        .map(|(index, node)| {
            let exact = format!("arg{index}");
            slot(exact, Some(Whole::OneOf), node, None, &mut params).map(Layout::Slot)
        })
        .collect::<Result<_, _>>()?;
    Ok((arguments, params.list))
}

/// Whether the fields beside a variant whose cases have tools can be filled.
pub(super) fn shared(
    method: &ResolvedMethod,
    choice: &Choice<'_>,
    stamp: Option<&RelPath>,
) -> Result<(), SkipReason> {
    let Some(fields) = method.args.first().and_then(fields_of) else {
        return Ok(());
    };
    let beside = fields.iter().filter(|field| field.node.path != choice.path);
    let beside = beside.filter(|field| Some(&field.node.path) != stamp);
    let mut params = Inputs::default();
    for field in beside {
        member(field, None, None, &mut params)?;
    }
    Ok(())
}

/// What fills an argument as a whole, or what a case holds: a record field by field.
fn whole(
    node: &Node,
    case: Option<&Chosen<'_>>,
    stamp: Option<&str>,
    exact: &str,
    params: &mut Inputs,
) -> Result<Layout, SkipReason> {
    let Some(fields) = fields_of(node) else {
        let only = Some(Whole::Only);
        return slot(exact.to_owned(), only, node, None, params).map(Layout::Slot);
    };
    let fields = fields
        .iter()
        .map(|field| Ok((field.name(), member(field, case, stamp, params)?)));
    Ok(Layout::Record(fields.collect::<Result<_, SkipReason>>()?))
}

fn member(
    field: &Field,
    case: Option<&Chosen<'_>>,
    stamp: Option<&str>,
    params: &mut Inputs,
) -> Result<Layout, SkipReason> {
    if field.is_numbered() {
        return Err(SkipReason::Numbered(Place::of(&field.node.path)));
    }
    match case {
        Some(case) if case.is_in(&field.node) => fixed(&field.node, case, params),
        Some(_) | None => slot(field.name(), None, &field.node, stamp, params).map(Layout::Slot),
    }
}

/// A variant with its case fixed.
fn fixed(variant: &Node, case: &Chosen<'_>, params: &mut Inputs) -> Result<Layout, SkipReason> {
    Ok(Layout::Case(Fixed {
        exact: case.name.clone(),
        index: case.index,
        opts: variant.through_opts().0,
        held: Box::new(whole(case.node, None, None, &case.name, params)?),
    }))
}

/// Whether an argument is the only one.
#[derive(Clone, Copy)]
enum Whole {
    Only,
    OneOf,
}

fn slot(
    exact: String,
    whole: Option<Whole>,
    node: &Node,
    stamp: Option<&str>,
    params: &mut Inputs,
) -> Result<Slot, SkipReason> {
    let (opts, inner) = node.through_opts();
    let nothing = matches!(inner.shape, Shape::Null | Shape::Reserved);
    let role = if stamp == Some(exact.as_str()) {
        Role::Stamp
    } else if node.tags.is_hidden() {
        Role::Hidden
    } else if node.tags.auto.is_some() {
        Role::Auto
    } else if nothing {
        Role::None
    } else {
        Role::Param
    };
    match role {
        Role::Stamp | Role::None => {}
        Role::Auto | Role::Hidden if opts > 0 || nothing => {}
        Role::Auto | Role::Hidden => return Err(SkipReason::NotEmpty(Place::of(&node.path))),
        Role::Param => {
            if whole.is_none() && exact == CANISTER_ID {
                return Err(SkipReason::CanisterId);
            }
            let reader = Reader::new(node)?;
            let names = match whole {
                Some(Whole::Only) => Names::ours(reader.kind.whole_name()),
                Some(Whole::OneOf) => Names::ours(&exact),
                None => Names::new("", &exact, ""),
            };
            if names.is(CANISTER_ID) || !params.taken.take(&names) {
                return Err(SkipReason::SameInput(Place::of(&node.path)));
            }
            params.list.push(Input { names, reader });
        }
    }
    Ok(Slot {
        exact,
        role,
        optional: opts > 0,
    })
}
