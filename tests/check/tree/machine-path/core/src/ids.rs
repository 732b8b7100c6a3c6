const KEY: &str = "/ho@@me/ann/key.pem";
