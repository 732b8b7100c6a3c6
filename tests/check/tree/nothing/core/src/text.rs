use crate::ids::Id;

pub fn show(_: &Id) -> &'static str {
    "async is a word here, and so is crate::engine"
}

#[cfg(test)]
mod tests {
    use crate::intent::Intent;

    #[test]
    fn a_test_may_look_down() {
        let _ = Intent;
    }
}
