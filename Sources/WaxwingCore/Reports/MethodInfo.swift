// SPDX-License-Identifier: MIT

import WaxwingScripting

/// A method that a patch adds to a type.
public struct MethodInfo: Sendable, Hashable {
  /// The type, `Bank.Account`. Its subclasses have the method too.
  public let owner: String
  /// What it is called by.
  public let name: String
  /// Whether it is one of the type itself, not of its instances.
  public let isStatic: Bool

  init(_ method: AddedMethod) {
    owner = method.owner
    name = method.name
    isStatic = method.isStatic
  }
}
