// SPDX-License-Identifier: MIT

// A program that can be patched and does not link the engine: prints what a dynamic call takes, in
// nanoseconds.

import BenchmarkFixture

print(DynamicCall.time())
