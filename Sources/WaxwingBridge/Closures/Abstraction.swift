// SPDX-License-Identifier: MIT

/// In which of two ways a function value is called: it depends on where the value stands.
///
/// Measured with `swiftc -emit-silgen` of Swift 6.3.1, for `F = (Int, String) -> Int`:
///
///     natural   (Int, @guaranteed String) -> Int
///     general   (@in_guaranteed Int, @in_guaranteed String) -> @out Int
///
/// | place | calling |
/// |---|---|
/// | a parameter, a result, `inout F`, of a function that is not generic | natural |
/// | a stored property of a type that is not generic, a payload of such an enum | natural |
/// | `F?`, and elements of a tuple | as the optional, or the tuple, stands |
/// | elements of `Array`, `Set`, `Dictionary`; variadic arguments | general |
/// | `T` of a generic type or function, `Any` | general |
/// | parameters and results of a function value, closures themselves | as that function value |
///
/// In general calling each parameter is the address of a value, a tuple being one value, not as many
/// as it has elements; a result is one value, written where the indirect result goes; `Void` is
/// nothing. `inout` and `throws` are as ever (typed `throws` is not: its error is indirect).
package enum Abstraction: Hashable, Sendable {
  case natural
  case general

  /// Whether values of the type differ with it.
  static func matters(to type: any Any.Type) -> Bool {
    switch TypeMetadata.kind(of: type) {
    case .function: true
    case .optional: (type as? any OptionalType.Type).map { matters(to: $0.wrappedType) } ?? false
    case .tuple: TypeMetadata.elements(of: type).contains { matters(to: $0.type) }
    default: false
    }
  }
}
