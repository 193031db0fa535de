// SPDX-License-Identifier: MIT

/// To recognise optionals of any type.
protocol OptionalType {
  static var wrappedType: any Any.Type { get }
  var isNil: Bool { get }
}

extension Optional: OptionalType {
  static var wrappedType: any Any.Type { Wrapped.self }
  var isNil: Bool { self == nil }
}
