fn f() {
    chrome::alarms::create();
}
