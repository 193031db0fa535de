// SPDX-License-Identifier: MIT

/// The objects and values of the program that one patch's Lua code holds: the proxies that are
/// alive.
public struct LiveObjects: Sendable {
  /// The name of the patch.
  public let patch: String
  /// Objects by class, the dynamic one: `["Bank.Account": 3]`. Lua keeps each of them alive.
  public let objects: [String: Int]
  /// Copies of structs and enums by type.
  public let values: [String: Int]
  /// The number of Swift errors.
  public let errors: Int
  /// Bytes that its Lua state holds.
  public let memory: Int
}

extension LiveObjects {
  /// The objects of several patches by class. An object that two of them hold counts twice.
  public static func total(_ all: [LiveObjects]) -> [String: Int] {
    all.reduce(into: [:]) { $0.merge($1.objects) { $0 + $1 } }
  }
}
