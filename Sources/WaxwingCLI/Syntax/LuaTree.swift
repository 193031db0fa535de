// SPDX-License-Identifier: MIT

internal import WaxwingPatches

/// A place in a text, counted from 1; columns in characters.
package struct TextPlace: Hashable, Comparable, Sendable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (a: TextPlace, b: TextPlace) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// A local variable or a parameter: one declaration of it.
package final class LuaVariable {
  let name: String
  let place: TextPlace
  /// The expression that the variable is declared with; nil if there is none in the text.
  var value: LuaExpression?
  /// Whether something is assigned to it later.
  var isReassigned = false

  init(_ name: String, _ place: TextPlace) {
    self.name = name
    self.place = place
  }
}

/// The parameters and the body of a function.
package final class LuaFunction {
  /// The parameters without the `self` that a colon adds.
  let parameters: [LuaVariable]
  let isVariadic: Bool
  /// The `self` that a colon adds; nil if the function is not written with a colon.
  let implicitSelf: LuaVariable?
  var body: [LuaStatement] = []
  let place: TextPlace

  init(
    _ parameters: [LuaVariable], isVariadic: Bool, implicitSelf: LuaVariable?, _ place: TextPlace
  ) {
    self.parameters = parameters
    self.isVariadic = isVariadic
    self.implicitSelf = implicitSelf
    self.place = place
  }

  /// The values that it takes, `self` of a colon included.
  package var allParameters: [LuaVariable] { (implicitSelf.map { [$0] } ?? []) + parameters }
}

/// A literal in a text, except strings.
package enum LuaConstant: Sendable {
  case nothing, boolean, integer, float
}

package indirect enum LuaExpression {
  case constant(LuaConstant, TextPlace)
  case string([UInt8], TextPlace)
  /// The rest of the arguments, `...`.
  case rest(TextPlace)
  case local(LuaVariable, TextPlace)
  case global(String, TextPlace)
  /// `base.key` and `base[key]`; the place is the key's.
  case index(LuaExpression, key: LuaExpression, TextPlace)
  case call(LuaExpression, [LuaExpression], TextPlace)
  /// `base:name(…)`; the place is the name's.
  case methodCall(LuaExpression, name: String, [LuaExpression], TextPlace)
  case function(LuaFunction)
  case table([LuaField], TextPlace)
  /// An operation with one or two operands. The result of a comparison or of `not` is a boolean for
  /// any operands.
  case operation([LuaExpression], isBoolean: Bool, TextPlace)
  case parenthesized(LuaExpression, TextPlace)

  var place: TextPlace {
    switch self {
    case .constant(_, let place), .string(_, let place), .rest(let place), .local(_, let place),
      .global(_, let place), .index(_, _, let place), .call(_, _, let place),
      .methodCall(_, _, _, let place), .table(_, let place), .operation(_, _, let place),
      .parenthesized(_, let place):
      place
    case .function(let function): function.place
    }
  }

  /// Whether the expression may stand for any number of values at the end of a list.
  var hasManyValues: Bool {
    switch self {
    case .rest, .call, .methodCall: true
    default: false
    }
  }

  /// The text of a string constant.
  var text: String? {
    guard case .string(let bytes, _) = self else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// One field of a table constructor.
package struct LuaField {
  /// The key of the field; nil for a value alone.
  let key: LuaExpression?
  let value: LuaExpression
}

indirect enum LuaStatement {
  case local([LuaVariable], [LuaExpression])
  case assign([LuaExpression], [LuaExpression])
  /// `function target(…)`, `function target:name(…)`.
  case function(LuaExpression, LuaFunction)
  case call(LuaExpression)
  /// A loop, a condition or `do`: its expressions, and its blocks.
  case control([LuaExpression], [[LuaStatement]])
  case `return`([LuaExpression])
}

/// Why a text is not Lua.
package struct LuaSyntaxError: Error, Hashable, Sendable {
  let place: TextPlace
  let message: String

  package init(place: TextPlace, message: String) {
    self.place = place
    self.message = message
  }
}

extension LuaToken {
  var place: TextPlace { TextPlace(line: line, column: column) }
}
