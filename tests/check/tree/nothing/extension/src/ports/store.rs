use indexed_db_futures::Database;

pub const SPACE: &str = "chrome.storage";
