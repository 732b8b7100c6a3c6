use indexed_db_futures::Database;
