// SPDX-License-Identifier: MIT

import WaxwingScripting

/// A method that a patch adds to a type.
public struct MethodInfo: Sendable, Hashable {
  /// The type, `Bank.Account`. Its subclasses have the method too.
  public let owner: String
  /// The name by which the method is called.
  public let name: String
  /// Whether the method belongs to the type itself, not to its instances.
  public let isStatic: Bool

  init(_ method: AddedMethod) {
    owner = method.owner
    name = method.name
    isStatic = method.isStatic
  }
}
