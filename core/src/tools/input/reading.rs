//! One reading of one call's inputs.

use super::{
    super::{
        canister::Canister,
        names::{Dialect, Names, plain},
        plan::{CANISTER_ID, Input, Plan, Role},
        reader::{Kind, MAX_VALUES, Reader},
        schema::is_required,
        shape::{IdForm, Integer},
        skip::plain_path,
    },
    InputIssue, Payer, empty,
    named::Named,
    wrap,
};
use crate::{
    format::{
        Issue, IssueCode, account, account::Account, account_id, account_id::AccountId, amount,
        blob, boolean, integer, integer::Bounds, name::NameSets, principal, subaccount, text, time,
    },
    interface::IDLValue,
    json::{Json, Object},
    profile::RelPath,
    time::Timestamp,
};
use candid::types::{Label, value::IDLField};
use num_bigint::BigInt;
use std::collections::{BTreeMap, HashMap, HashSet};

mod nested;

/// The most issues that are told of one call: the answer shall not be many times the question.
const MAX_ISSUES: usize = 100;

/// A place in the arguments: as issues write it, and exactly.
#[derive(Clone)]
struct Place {
    told: String,
    exact: String,
}

impl Place {
    fn of(reader: &Reader) -> Self {
        Self {
            told: plain_path(&reader.path).to_string(),
            exact: reader.path.to_string(),
        }
    }

    fn member(&self, exact: &str) -> Self {
        Self {
            told: format!("{}.{}", self.told, plain(exact)),
            exact: format!("{}.{exact:?}", self.exact),
        }
    }

    fn element(&self, index: usize) -> Self {
        Self {
            told: format!("{}[{index}]", self.told),
            exact: format!("{}[{index}]", self.exact),
        }
    }
}

/// One reading of one call's inputs.
pub(super) struct Reading<'a> {
    /// `None` where the caller named no canister that the tool has.
    canister: Option<&'a Canister>,
    now: Timestamp,
    /// The input that is being read, and how many values it had so far.
    param: String,
    values: usize,
    pub(super) issues: Vec<InputIssue>,
    pub(super) identity: BTreeMap<String, String>,
    pub(super) payers: Vec<Payer>,
    pub(super) earliest: Option<Timestamp>,
    pub(super) named: Named<'a>,
}

/// Something is wrong with a value; the issue is on the list.
struct Refused;

impl<'a> Reading<'a> {
    /// Nothing read yet.
    pub(super) fn new(canister: Option<&'a Canister>, now: Timestamp, sets: &'a NameSets) -> Self {
        Self {
            canister,
            now,
            param: String::new(),
            values: 0,
            issues: Vec::new(),
            identity: BTreeMap::new(),
            payers: Vec::new(),
            earliest: None,
            named: Named::new(sets),
        }
    }

    /// Reads all inputs: a value a slot, `None` where the stamp goes. With issues the values say
    /// nothing.
    pub(super) fn plan(&mut self, plan: &Plan, object: &Object) -> Vec<Option<IDLValue>> {
        let names = plan.params.iter().map(|param| &param.names);
        let known = known(names);
        let unknown =
            (object.iter()).filter(|(name, _)| *name != CANISTER_ID && !known.contains(name));
        for (name, _) in unknown.take(MAX_ISSUES) {
            self.param = plain(name);
            let place = Place {
                told: self.param.clone(),
                exact: String::new(),
            };
            self.issue(
                &place,
                IssueCode::UnknownParam,
                "This tool has no input of that name; leave it out.",
            );
        }
        if let Some((case, variant)) = plan.case().zip(plan.case_path().and_then(RelPath::parent)) {
            self.identity
                .insert(variant.to_string(), format!("case {case}"));
        }
        let object = &Fields::of(object);
        let mut params = plan.params.iter();
        let mut values = Vec::new();
        for slot in plan.slots() {
            values.push(match slot.role {
                Role::Stamp => None,
                Role::Auto | Role::Hidden | Role::None => Some(empty(slot.optional)),
                Role::Param => {
                    let param = params.next();
                    let value = param.map(|param| self.param(param, object));
                    // A refused value keeps its slot: the issues are the answer then.
                    Some(value.and_then(Result::ok).unwrap_or(IDLValue::Null))
                }
            });
        }
        values
    }

    fn param(&mut self, param: &Input, object: &Fields<'_>) -> Result<IDLValue, Refused> {
        let place = Place::of(&param.reader);
        let (name, given) = given(&param.names, object);
        self.param = name.to_owned();
        self.values = 0;
        match given {
            Given::Once(json) => self.value(&param.reader, json, &place),
            Given::Never => self.left_out(&param.reader, &place),
            Given::Twice => self.refuse(
                &place,
                IssueCode::Input,
                "This input is given twice, under both of its names; give it once.",
            ),
        }
    }

    fn left_out(&mut self, reader: &Reader, place: &Place) -> Result<IDLValue, Refused> {
        if is_required(reader) {
            return self.refuse(
                place,
                IssueCode::Missing,
                "This is required; give a value for it.",
            );
        }
        if reader.payer && matches!(reader.kind, Kind::Subaccount) {
            self.payers.push(Payer::Subaccount(None));
        }
        Ok(empty(reader.optional))
    }

    /// The value at a position, `opt` included.
    fn value(&mut self, reader: &Reader, json: &Json, place: &Place) -> Result<IDLValue, Refused> {
        self.values += 1;
        if self.values > MAX_VALUES {
            // Said once: the rest is not looked at.
            if self.values == MAX_VALUES + 1 {
                let message = format!("One input holds at most {MAX_VALUES} values.");
                return self.refuse(place, IssueCode::Length, &message);
            }
            return Err(Refused);
        }
        let by_name = match (&reader.named, json) {
            (Some(set), Json::String(text)) => self.by_name(reader, set, text, place)?,
            (Some(_) | None, _) => None,
        };
        let json = by_name.as_ref().unwrap_or(json);
        if let Kind::Subaccount = reader.kind {
            let read = self.leaf(json, place, subaccount::read)?;
            // Of two ways to say the default account one is kept, so that both are one wish.
            let stands_out = !(reader.optional && read.is_default());
            if reader.payer {
                self.payers
                    .push(Payer::Subaccount(Some(read).filter(|s| !s.is_default())));
            }
            if !stands_out {
                return Ok(IDLValue::None);
            }
            self.given(place, subaccount::show(&read));
            let blob = IDLValue::Blob(read.as_bytes().to_vec());
            return Ok(wrap(blob, reader.optional));
        }
        let value = match &reader.kind {
            Kind::Record(fields) => self.record(fields, json, place)?,
            Kind::Variant(cases) => self.variant(cases, json, place)?,
            Kind::Vec(element) => self.vec(element, json, place)?,
            Kind::Nothing if *json == Json::Null => IDLValue::Null,
            Kind::Nothing => {
                let message = "Nothing can be given here but null.";
                return self.refuse(place, IssueCode::Type, message);
            }
            Kind::Amount { .. }
            | Kind::Account { .. }
            | Kind::AccountId(_)
            | Kind::Principal
            | Kind::Subaccount
            | Kind::Blob(_)
            | Kind::Time { .. }
            | Kind::Duration { .. }
            | Kind::Integer { .. }
            | Kind::Text(_)
            | Kind::Bool => self.text(reader, json, place)?,
        };
        Ok(wrap(value, reader.optional))
    }

    /// The value that a name stands for, where what was given is a name and no value.
    fn by_name(
        &mut self,
        reader: &Reader,
        set: &str,
        text: &str,
        place: &Place,
    ) -> Result<Option<Json>, Refused> {
        match self.named.value(reader, set, text) {
            Ok(value) => Ok(value.map(Json::String)),
            Err(issue) => self.refuse(place, issue.code, &issue.message),
        }
    }

    /// The value of a position that is written as text.
    fn text(&mut self, reader: &Reader, json: &Json, place: &Place) -> Result<IDLValue, Refused> {
        let (value, canonical) = match &reader.kind {
            Kind::Amount { unit, int, bounds } => {
                let Some(canister) = self.canister else {
                    // Which token it is, is not known; the issue with the canister says enough.
                    self.leaf(json, place, |_| Ok(()))?;
                    return Err(Refused);
                };
                let Some(token) = canister.token(unit) else {
                    let message = "The decimals of this canister's token could not be read, so \
                                   amounts cannot be converted. Ask the person to connect it again.";
                    return self.refuse(place, IssueCode::DecimalsUnknown, message);
                };
                let units = self.leaf(json, place, |text| {
                    amount::read(text, &token).and_then(|units| bounds.check_unsigned(units))
                })?;
                self.integer(*int, bounds, units.into(), place)?
            }
            Kind::Integer { int, bounds } => {
                let number = self.leaf(json, place, |text| integer::read(text, bounds))?;
                self.integer(*int, bounds, number, place)?
            }
            Kind::Duration { unit, int, bounds } => {
                let units = self.leaf(json, place, |text| time::read_duration(text, *unit))?;
                self.integer(*int, bounds, units, place)?
            }
            Kind::Time { unit, int, bounds } => {
                let when = self.leaf(json, place, |text| time::read(text, *unit))?;
                let units = when.resolve(self.now, *unit);
                self.note_time(&units, unit.nanos());
                let (value, _) = self.integer(*int, bounds, units, place)?;
                let canonical = match when {
                    time::When::At(units) => format!("at {units}"),
                    time::When::In(span) => format!("in {}", span.as_nanos()),
                };
                (value, canonical)
            }
            Kind::Account { as_text } => {
                let account = self.leaf(json, place, account::read)?;
                let canonical = account::show(&account);
                let value = if *as_text {
                    IDLValue::Text(canonical.clone())
                } else {
                    account_value(&account)
                };
                if reader.payer {
                    self.payers.push(Payer::Account(account));
                }
                (value, canonical)
            }
            Kind::AccountId(form) => {
                let id = self.leaf(json, place, account_id::read)?;
                if reader.payer {
                    self.payers.push(Payer::AccountId(id));
                }
                (account_id_value(*form, &id), account_id::show(&id))
            }
            Kind::Principal => {
                let principal = self.leaf(json, place, principal::read)?;
                if reader.payer {
                    self.payers
                        .push(Payer::Account(Account::new(principal, None)));
                }
                (IDLValue::Principal(principal), principal::show(&principal))
            }
            Kind::Blob(length) => {
                let bytes = self.leaf(json, place, |text| blob::read(text, *length))?;
                let canonical = crate::ids::to_hex(&bytes);
                (IDLValue::Blob(bytes), canonical)
            }
            Kind::Text(rules) => {
                let text = self.leaf(json, place, |text| text::read(text, rules))?;
                (IDLValue::Text(text.clone()), text)
            }
            Kind::Bool => {
                let value = self.leaf(json, place, boolean::read)?;
                (IDLValue::Bool(value), boolean::show(value).to_owned())
            }
            Kind::Subaccount
            | Kind::Record(_)
            | Kind::Variant(_)
            | Kind::Vec(_)
            | Kind::Nothing => return Err(Refused),
        };
        self.given(place, canonical);
        Ok(value)
    }

    /// A number as the position's type has it, with its canonical text.
    fn integer(
        &mut self,
        int: Integer,
        bounds: &Bounds,
        number: BigInt,
        place: &Place,
    ) -> Result<(IDLValue, String), Refused> {
        let canonical = number.to_string();
        match bounds.check(number) {
            Ok(number) => match int.value(&number) {
                Some(value) => Ok((value, canonical)),
                None => self.refuse(place, IssueCode::Range, "The position does not hold this."),
            },
            Err(issue) => self.refuse(place, issue.code, &issue.message),
        }
    }

    fn note_time(&mut self, units: &BigInt, nanos: u64) {
        let nanos = u64::try_from(units * nanos).ok();
        let point = nanos
            .map(Timestamp::from_nanos)
            .filter(|point| *point > self.now);
        self.earliest = match (self.earliest, point) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (one, None) | (None, one) => one,
        };
    }

    /// Reads a text with a formatter.
    fn leaf<T>(
        &mut self,
        json: &Json,
        place: &Place,
        read: impl FnOnce(&str) -> Result<T, Issue>,
    ) -> Result<T, Refused> {
        let Json::String(text) = json else {
            return self.wrong_type(json, place, "a text");
        };
        read(text).map_err(|issue| {
            self.issue(place, issue.code, &issue.message);
            Refused
        })
    }

    fn wrong_type<T>(&mut self, json: &Json, place: &Place, wanted: &str) -> Result<T, Refused> {
        let message = match json {
            Json::Number(_) => format!(
                "Give {wanted}, not a JSON number: write the digits in quotes, so that none is lost."
            ),
            Json::Null => format!("Give {wanted}, or leave it out where it is optional."),
            Json::Bool(_) | Json::String(_) | Json::Array(_) | Json::Object(_) => {
                format!("Give {wanted}.")
            }
        };
        self.refuse(place, IssueCode::Type, &message)
    }

    fn refuse<T>(&mut self, place: &Place, code: IssueCode, message: &str) -> Result<T, Refused> {
        self.issue(place, code, message);
        Err(Refused)
    }

    fn issue(&mut self, place: &Place, code: IssueCode, message: &str) {
        if self.issues.len() >= MAX_ISSUES {
            return;
        }
        let last = self.issues.len() + 1 == MAX_ISSUES;
        let more = " There may be more: these are the first that were found.";
        let message = format!("{message}{}", if last { more } else { "" });
        self.issues.push(InputIssue {
            param: self.param.clone(),
            path: place.told.clone(),
            code,
            message,
        });
    }

    fn given(&mut self, place: &Place, canonical: String) {
        self.identity.insert(place.exact.clone(), canonical);
    }
}

/// How often an input or field was given.
enum Given<'a> {
    Never,
    Once(&'a Json),
    Twice,
}

/// The names of these, in either dialect.
fn known<'a>(names: impl Iterator<Item = &'a Names>) -> HashSet<&'a str> {
    let both = |names: &'a Names| Dialect::ALL.map(|dialect| names.get(dialect));
    names.flat_map(both).collect()
}

/// An object's fields by name: an object and what is asked of it may both have thousands.
struct Fields<'a>(HashMap<&'a str, &'a Json>);

impl<'a> Fields<'a> {
    fn of(object: &'a Object) -> Self {
        Self(object.iter().collect())
    }
}

/// What an object has under either name, and the name to speak of it.
fn given<'a>(names: &'a Names, object: &Fields<'a>) -> (&'a str, Given<'a>) {
    let [full, portable] = Dialect::ALL.map(|dialect| names.get(dialect));
    let other = object.0.get(portable).filter(|_| portable != full);
    match (object.0.get(full), other) {
        (None, None) => (full, Given::Never),
        (Some(json), None) => (full, Given::Once(json)),
        (None, Some(json)) => (portable, Given::Once(json)),
        (Some(_), Some(_)) => (full, Given::Twice),
    }
}

fn account_id_value(form: IdForm, id: &AccountId) -> IDLValue {
    let blob = || IDLValue::Blob(id.as_bytes().to_vec());
    match form {
        IdForm::Blob => blob(),
        IdForm::Text => IDLValue::Text(account_id::show(id)),
        IdForm::Record => IDLValue::Record(vec![IDLField {
            id: Label::Named("hash".to_owned()),
            val: blob(),
        }]),
    }
}

fn account_value(account: &Account) -> IDLValue {
    let subaccount = account.subaccount().map_or(IDLValue::None, |subaccount| {
        IDLValue::Opt(Box::new(IDLValue::Blob(subaccount.as_bytes().to_vec())))
    });
    let field = |name: &str, val| IDLField {
        id: Label::Named(name.to_owned()),
        val,
    };
    IDLValue::Record(vec![
        field("owner", IDLValue::Principal(account.owner())),
        field("subaccount", subaccount),
    ])
}
