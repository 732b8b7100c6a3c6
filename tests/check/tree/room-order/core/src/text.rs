pub fn f() {
    vec![crate::engine::g()];
}
