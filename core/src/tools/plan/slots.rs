//! Who fills each place of the arguments, and what inputs that gives.

use super::{
    super::{
        names::Names,
        reader::Reader,
        skip::{Place, SkipReason},
    },
    CANISTER_ID, Input, Layout, Role, Slot,
};
use crate::profile::{Field, Node, ResolvedMethod, Shape};

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

pub(super) fn layout(
    method: &ResolvedMethod,
    stamp: Option<&str>,
) -> Result<(Layout, Vec<Input>), SkipReason> {
    let mut params = Vec::new();
    if let [argument] = method.args.as_slice() {
        if let Some(fields) = fields_of(argument) {
            if let Some(field) = fields.iter().find(|field| field.is_numbered()) {
                return Err(SkipReason::Numbered(Place::of(&field.node.path)));
            }
            let slots = fields
                .iter()
                .map(|field| slot(field.name(), None, &field.node, stamp, &mut params))
                .collect::<Result<_, _>>()?;
            return Ok((Layout::Fields(slots), params));
        }
        let whole = slot(
            "arg0".to_owned(),
            Some(Whole::Only),
            argument,
            None,
            &mut params,
        )?;
        return Ok((Layout::Arguments(vec![whole]), params));
    }
    let slots = (method.args.iter().enumerate())
        .map(|(index, node)| {
            slot(
                format!("arg{index}"),
                Some(Whole::OneOf),
                node,
                None,
                &mut params,
            )
        })
        .collect::<Result<_, _>>()?;
    Ok((Layout::Arguments(slots), params))
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
    params: &mut Vec<Input>,
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
            let taken = names.is(CANISTER_ID)
                || params.iter().any(|other: &Input| other.names.meet(&names));
            if taken {
                return Err(SkipReason::SameInput(Place::of(&node.path)));
            }
            params.push(Input { names, reader });
        }
    }
    Ok(Slot {
        exact,
        role,
        optional: opts > 0,
    })
}
