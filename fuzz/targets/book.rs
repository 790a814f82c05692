#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pacioli_fuzz::book(bytes));
