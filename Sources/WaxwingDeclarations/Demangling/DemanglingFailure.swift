// SPDX-License-Identifier: MIT

/// The name is damaged, or has something that we do not read. Callers see nil.
struct DemanglingFailure: Error {}
