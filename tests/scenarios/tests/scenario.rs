//! Every scenario, a module each. A module's name says what it shows.

mod scenario {
    mod a_payment_is_made_once;
    mod connecting;
}
