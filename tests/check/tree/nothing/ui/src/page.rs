use countersign_core::{text, wire::ui::View};
