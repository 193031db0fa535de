// SPDX-License-Identifier: MIT

/// How a function value is called: it depends on where the value stands, and on how the source
/// writes its type there.
///
/// Measured with `swiftc -emit-silgen` of Swift 6.3.1, for `F = (Int, String) -> Int`:
///
///     natural       (Int, @guaranteed String) -> Int
///     general       (@in_guaranteed Int, @in_guaranteed String) -> @out Int
///     (T, String) -> Int, with T bound to Int
///                   (@in_guaranteed Int, @guaranteed String) -> Int
///
/// | place | calling |
/// |---|---|
/// | a parameter, a result, `inout F`, of a function that is not generic | natural |
/// | a stored property of a type that is not generic, a payload of such an enum | natural |
/// | the same where generic parameters are in `F` | as `F` is written there |
/// | `F?`, and elements of a tuple | as the optional, or the tuple, stands |
/// | elements of `Array`, `Set`, `Dictionary`; variadic arguments | general |
/// | `T` of a generic type or function, `Any` | general |
/// | parameters and results of a function value, closures themselves | as that function value |
package indirect enum Abstraction: Hashable, Sendable {
  case natural
  case general
  /// A function value that is called so.
  case function(CallPattern)
  /// A tuple of which each element, or an optional of which the payload, is so.
  case parts([Abstraction])

  /// A function value; natural or general if that is the same.
  package static func calling(_ pattern: CallPattern) -> Abstraction {
    if pattern.isAll(.byType(.natural)) { return .natural }
    return pattern.isAll(.address(.general)) ? .general : .function(pattern)
  }

  /// The parts together; natural or general if that is the same.
  package static func of(_ parts: [Abstraction]) -> Abstraction {
    if parts.allSatisfy({ $0 == .natural }) { return .natural }
    return parts.allSatisfy { $0 == .general } ? .general : .parts(parts)
  }

  /// The abstraction of one element of a tuple, or of an optional's payload.
  func part(_ index: Int) -> Abstraction {
    guard case .parts(let parts) = self else { return self }
    return parts.indices.contains(index) ? parts[index] : .natural
  }

  /// Whether values of the type differ with it.
  package static func matters(to type: any Any.Type) -> Bool {
    switch TypeMetadata.kind(of: type) {
    case .function: FunctionMetadata(type)?.convention == .swift
    case .optional: (type as? any OptionalType.Type).map { matters(to: $0.wrappedType) } ?? false
    case .tuple: TypeMetadata.elements(of: type).contains { matters(to: $0.type) }
    default: false
    }
  }
}
