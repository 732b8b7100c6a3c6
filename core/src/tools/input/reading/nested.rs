//! Inputs that are JSON: records, variants and lists.

use super::{Fields, Given, MAX_ISSUES, Place, Reading, Refused, given, known};
use crate::{
    format::IssueCode,
    interface::IDLValue,
    json::Json,
    tools::{
        input::empty,
        reader::{Kind, MAX_ELEMENTS, Member, Reader},
    },
};
use candid::types::{
    Label,
    value::{IDLField, VariantValue},
};

impl Reading<'_> {
    pub(super) fn record(
        &mut self,
        fields: &[Member],
        json: &Json,
        place: &Place,
    ) -> Result<IDLValue, Refused> {
        let Json::Object(object) = json else {
            return self.wrong_type(json, place, "a JSON object");
        };
        self.given(place, "record".to_owned());
        let mut refused = false;
        let asked = fields
            .iter()
            .filter(|field| !matches!(field.reader.kind, Kind::Nothing));
        let asked = known(asked.map(|field| &field.names));
        let unknown = object.iter().filter(|(name, _)| !asked.contains(name));
        for (name, _) in unknown.take(MAX_ISSUES) {
            refused = true;
            self.issue(
                &place.member(name),
                IssueCode::UnknownParam,
                "There is no field of that name here; leave it out.",
            );
        }
        let object = &Fields::of(object);
        let mut values = Vec::with_capacity(fields.len());
        for field in fields {
            let place = place.member(&field.exact);
            let value = match given(&field.names, object).1 {
                Given::Once(Json::Null) if field.reader.optional => {
                    self.left_out(&field.reader, &place)
                }
                Given::Once(_) | Given::Never if matches!(field.reader.kind, Kind::Nothing) => {
                    Ok(empty(field.reader.optional))
                }
                Given::Once(json) => self.value(&field.reader, json, &place),
                Given::Never => self.left_out(&field.reader, &place),
                Given::Twice => self.refuse(
                    &place,
                    IssueCode::Input,
                    "This field is given twice, under both of its names; give it once.",
                ),
            };
            match value {
                Ok(val) => values.push(IDLField {
                    id: Label::Named(field.exact.clone()),
                    val,
                }),
                Err(Refused) => refused = true,
            }
        }
        if refused {
            return Err(Refused);
        }
        Ok(IDLValue::Record(values))
    }

    pub(super) fn variant(
        &mut self,
        cases: &[Member],
        json: &Json,
        place: &Place,
    ) -> Result<IDLValue, Refused> {
        let Json::Object(object) = json else {
            return self.wrong_type(json, place, "a JSON object with a \"tag\"");
        };
        let tag = match object.get("tag") {
            Some(Json::String(tag)) => tag,
            Some(other) => return self.wrong_type(other, &place.member("tag"), "a text"),
            None => {
                let message = "Say which case it is, in the field \"tag\".";
                return self.refuse(&place.member("tag"), IssueCode::Missing, message);
            }
        };
        let mut refused = false;
        for (name, _) in object
            .iter()
            .filter(|(name, _)| !matches!(*name, "tag" | "value"))
            .take(MAX_ISSUES)
        {
            refused = true;
            self.issue(
                &place.member(name),
                IssueCode::UnknownParam,
                "A case has the fields \"tag\" and \"value\" only; leave this out.",
            );
        }
        let found = cases
            .iter()
            .enumerate()
            .find(|(_, case)| case.names.is(tag));
        let Some((index, case)) = found else {
            let message = "There is no case of that name here; give one of those listed.";
            return self.refuse(&place.member("tag"), IssueCode::Input, message);
        };
        self.given(place, format!("case {}", case.exact));
        let place = place.member(&case.exact);
        let nothing = matches!(case.reader.kind, Kind::Nothing);
        let value = match object.get("value") {
            Some(_) if nothing => self.refuse(
                &place,
                IssueCode::UnknownParam,
                "This case has no value; give the tag alone.",
            ),
            Some(Json::Null) if case.reader.optional => self.left_out(&case.reader, &place),
            Some(json) => self.value(&case.reader, json, &place),
            None => self.left_out(&case.reader, &place),
        }?;
        if refused {
            return Err(Refused);
        }
        let field = IDLField {
            id: Label::Named(case.exact.clone()),
            val: value,
        };
        let index = u64::try_from(index).map_err(|_| Refused)?;
        Ok(IDLValue::Variant(VariantValue(Box::new(field), index)))
    }

    pub(super) fn vec(
        &mut self,
        element: &Reader,
        json: &Json,
        place: &Place,
    ) -> Result<IDLValue, Refused> {
        let Json::Array(elements) = json else {
            return self.wrong_type(json, place, "a JSON array");
        };
        if elements.len() > MAX_ELEMENTS {
            let message = format!("An array holds at most {MAX_ELEMENTS} elements here.");
            return self.refuse(place, IssueCode::Length, &message);
        }
        self.given(place, format!("vec {}", elements.len()));
        let mut values = Vec::with_capacity(elements.len());
        let mut refused = false;
        for (index, json) in elements.iter().enumerate() {
            let place = place.element(index);
            let value = match json {
                Json::Null if element.optional => self.left_out(element, &place),
                json => self.value(element, json, &place),
            };
            match value {
                Ok(value) => values.push(value),
                Err(Refused) => refused = true,
            }
        }
        if refused {
            return Err(Refused);
        }
        Ok(IDLValue::Vec(values))
    }
}
