#[test]
fn waits() {
    std::thread::sleep(std::time::Duration::from_secs(1));
}
