use super::ids::Id;

pub struct Intent;
pub type Pair = (Id, crate::text::Text);
