#[cfg(test)]
mod tests {
    #[test]
    fn amounts_are_exact() {}
}
