//! The labels of an interface with the hashes that stand for them in the bytes of calls.

use std::collections::BTreeMap;

use candid::types::{Field, Label, Type, TypeInner};

use super::Interface;

impl Interface {
    /// Every label of its records and variants that has a name, with its 32-bit hash (Candid
    /// specification, "Records").
    #[must_use]
    pub fn labels(&self) -> BTreeMap<String, u32> {
        let mut labels = BTreeMap::new();
        // A definition is reached once, here, and not by its name.
        let mut left: Vec<&Type> = self.env.0.values().collect();
        for method in self.methods.values() {
            let values = method.args.iter().chain(&method.results);
            left.extend(values.map(|value| &value.ty));
        }
        while let Some(ty) = left.pop() {
            match ty.as_ref() {
                TypeInner::Record(fields) | TypeInner::Variant(fields) => {
                    for Field { id, ty } in fields {
                        if let Label::Named(name) = id.as_ref() {
                            labels.insert(name.clone(), id.get_id());
                        }
                        left.push(ty);
                    }
                }
                TypeInner::Opt(inner) | TypeInner::Vec(inner) => left.push(inner),
                TypeInner::Func(func) => {
                    left.extend(&func.args);
                    left.extend(&func.rets);
                }
                TypeInner::Service(methods) => left.extend(methods.iter().map(|(_, ty)| ty)),
                TypeInner::Class(args, ty) => {
                    left.extend(args);
                    left.push(ty);
                }
                _ => {}
            }
        }
        labels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_label_is_told_with_the_hash_that_the_bytes_hold() {
        let text = "type Account = record { owner : principal; 7 : nat };
            type Tree = variant { leaf; both : record { left : Tree } };
            service : { f : (vec Account, opt Tree) -> (func (record { deep : text }) -> ()) }";
        let labels = Interface::parse(text).unwrap().labels();
        let names: Vec<&str> = labels.keys().map(String::as_str).collect();
        assert_eq!(names, ["both", "deep", "leaf", "left", "owner"]);
        for (name, hash) in labels {
            assert_eq!(hash, candid::idl_hash(&name));
        }
    }
}
