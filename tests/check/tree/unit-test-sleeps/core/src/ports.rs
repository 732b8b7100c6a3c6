#[cfg(test)]
mod tests {
    use std::thread::sleep;
}
