// SPDX-License-Identifier: MIT

/// Symbols of methods of structs and enums of Swift's own libraries, a line each, by what the methods do
/// with what they are called on.
enum LibrarySelfKinds {}
