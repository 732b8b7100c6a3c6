pub async fn drive() {}
