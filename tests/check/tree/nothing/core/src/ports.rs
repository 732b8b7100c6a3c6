pub trait Clock {
    async fn now(&self) -> u64;
}
