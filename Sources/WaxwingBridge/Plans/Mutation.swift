// SPDX-License-Identifier: MIT

/// How to find out whether a method of a struct or enum is `mutating`: no symbol tells.
enum Mutation {
  /// The script says so.
  case stated(Bool)
  /// Its machine code is asked; a function that does not tell is refused.
  case read
  /// The same for a function that is only called, which works without knowing.
  case readForCalls

  /// Whether it is for overriding the function.
  var isForOverride: Bool {
    if case .readForCalls = self { false } else { true }
  }

  /// What a script says, if it says anything.
  init(_ isMutating: Bool?) {
    self = isMutating.map(Mutation.stated) ?? .read
  }
}
