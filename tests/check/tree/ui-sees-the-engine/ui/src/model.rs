use countersign_core::{engine::Wallet, wire::ui::View};
