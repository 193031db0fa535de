// SPDX-License-Identifier: MIT

/// What a method of a struct or enum does with what it is called on.
package enum SelfKind: Sendable {
  case nonmutating
  case mutating
  /// It takes the value over.
  case consuming
}

extension RunningFunction {
  /// Symbols do not tell; of the methods of Swift's own libraries it is known. nil: of others it is
  /// not, nor of what is not public.
  package var selfKind: SelfKind? { isPatchPoint ? nil : Self.libraryKinds[symbol] }

  private static let libraryKinds: [String: SelfKind] = {
    var kinds: [String: SelfKind] = [:]
    for (symbols, kind) in [
      (LibrarySelfKinds.nonmutating, SelfKind.nonmutating), (LibrarySelfKinds.mutating, .mutating),
      (LibrarySelfKinds.consuming, .consuming),
    ] {
      for symbol in symbols.split(separator: "\n") { kinds[String(symbol)] = kind }
    }
    return kinds
  }()
}
