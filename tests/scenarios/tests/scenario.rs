//! Every scenario, a module each. A module's name says what it shows.

mod scenario {
    mod a_call_without_a_stamp;
    mod a_canister_of_no_standard;
    mod a_duplicate_that_is_no_success;
    mod a_ledger_that_forgets;
    mod a_name_is_its_value;
    mod a_no_to_sending_again;
    mod a_payment_is_made_once;
    mod a_refusal_after_a_lost_answer;
    mod a_reject_after_the_block;
    mod a_reject_before_anything_ran;
    mod a_reply_of_a_newer_interface;
    mod a_stamp_is_given_once;
    mod a_yes_grows_old;
    mod absent_inside_its_window;
    mod after_a_restart;
    mod an_answer_that_is_forgotten;
    mod an_interface_by_hand;
    mod approved_after_the_agent_went_on;
    mod asks_to_connect;
    mod bad_input;
    mod before_connecting;
    mod clocks_that_are_wrong;
    mod connecting;
    mod it_stays_the_call_it_was;
    mod known_by_what_it_did;
    mod legacy_transfers;
    mod locked;
    mod networks_are_told_apart;
    mod nothing_is_signed_anew;
    mod one_answer_a_call;
    mod profiles_of_strangers;
    mod the_answer_is_lost;
    mod the_canister_changes;
    mod the_icp_ledgers_blocks;
    mod the_journal_is_restored;
    mod the_journal_refuses;
    mod the_log_decides;
    mod the_third_time;
    mod the_worker_dies_anywhere;
    mod two_callers;
    mod what_an_agent_is_told;
    mod what_was_shown;
    mod whatever_the_network_does;
    mod words_of_a_stranger;
}
