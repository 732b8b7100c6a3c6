pub struct Id;
