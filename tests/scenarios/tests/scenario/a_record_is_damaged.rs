//! A stored call that cannot be read is counted and shown, never guessed at, and never sent; the same
//! wish is refused, another one goes its way.

use countersign_core::ports::store::Table;
use countersign_core::wire::ui::Screen;
use countersign_scenarios::doubt::damage;
use countersign_scenarios::lunch::{asked, lunch, paid};
use countersign_scenarios::{Person, Stage};

#[test]
fn it_is_shown_and_its_wish_refused() {
    let mut stage = Stage::new();
    let (mut page, _, _, mut person) = asked(&mut stage);
    person.press(&stage, person.yes());
    stage.steps(4);
    stage.stop_worker();
    let before = paid(&stage);
    damage(&stage, Table::Intents);
    stage.start_worker();
    page.connect(&mut stage);
    assert_eq!(paid(&stage), before, "nothing is sent for it");
    let id = page.begin(&stage, "prepare_icrc1_transfer", lunch("1.5"));
    stage.settle();
    let answer = page.answer(&stage, id).expect("the call is answered");
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert_eq!(stage.intents(), 1, "no new intent began");
    let told = page.call(&stage, "prepare_icrc1_transfer", lunch("2"));
    assert_eq!(told["status"], "prepared", "{told}");
    let home = Person::at_home(&mut stage);
    let Screen::Home(home) = home.screen() else {
        panic!("the home page is shown")
    };
    assert_eq!(home.damaged, 1);
}
