// SPDX-License-Identifier: MIT

// `Policy`, `LogEvent`, `WaxwingError` and what is told of patches are declared there; programs import this
// module alone.
@_exported public import WaxwingCore
