# SPDX-License-Identifier: MIT
#
# Short names for the scripts.

.PHONY: build test quick-test demo adoption bench torture format check docs

build:
	scripts/setup libcurl4-openssl-dev libmicrohttpd-dev libjs-chart.js
	swift build

test:
	scripts/test

quick-test:
	scripts/test --quick

demo:
	scripts/demo

adoption:
	scripts/adoption

torture:
	scripts/torture

bench:
	scripts/bench

format:
	scripts/format

check:
	scripts/check

docs:
	scripts/docs
