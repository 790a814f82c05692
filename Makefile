# Builds the engine for this machine and copies the program here. OpenBench calls `make EXE=name`, and may also pass
# CC, CXX and EVALFILE, which mean nothing to a Rust program without a network file.
EXE ?= pacioli
CARGO ?= cargo

# Programs have a suffix on Windows, wherever the name given lacks it.
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
TARGET := $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

.PHONY: all test clean

all:
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=native" $(CARGO) build --release
	cp "$(TARGET_DIR)/release/pacioli$(SUFFIX)" "$(TARGET)"

test:
	$(CARGO) test

clean:
	$(CARGO) clean
	rm -f "$(TARGET)"
