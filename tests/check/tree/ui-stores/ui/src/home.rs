fn keep(window: &Window) {
    window.local_storage();
}
