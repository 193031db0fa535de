// SPDX-License-Identifier: MIT

// `Policy`, `LogEvent` and `WaxwingError` are declared there; programs import this module alone.
@_exported public import WaxwingCore
