// SPDX-License-Identifier: MIT

internal import CWaxwingLua

/// A Lua value that does not fit the Swift type it was meant for.
public struct ConversionError: Error, Hashable, CustomStringConvertible {
  /// The Swift type, as its author writes it.
  package let expected: String
  /// A description of the Lua value that was found.
  package let found: String
  /// Where in a table: `a.b[2]`; empty at the top.
  private(set) var path: String
  /// The value fits: see `unmade`.
  package private(set) var isUnmade = false

  /// Nothing is described in a quiet trial, where nobody asks why a value does not fit.
  package init(expected: @autoclosure () -> String, found: @autoclosure () -> String) {
    let isQuiet = wax_lua_is_quiet()
    self.expected = isQuiet ? "" : expected()
    self.found = isQuiet ? "" : found()
    path = ""
    if !isQuiet { TextCount.add() }
  }

  /// The error of a trial for a value that fits, but is not made because that would run code of the
  /// program.
  static func unmade(_ expected: String) -> ConversionError {
    var error = ConversionError(expected: expected, found: "a literal")
    error.isUnmade = true
    return error
  }

  /// The error as one of a type that the first type is part of. An error inside a table is not
  /// changed.
  package func expecting(_ type: String) -> ConversionError {
    isUnmade || !path.isEmpty ? self : ConversionError(expected: type, found: found)
  }

  /// The error as seen from the table that has the value at `step`.
  package func at(_ step: PathStep) -> ConversionError {
    if wax_lua_is_quiet() { return self }
    var error = self
    error.path = step.text + (path.isEmpty || path.hasPrefix("[") ? "" : ".") + path
    return error
  }

  /// Whether the value is of the generic type that was expected, but of `Any`: what a function makes whose
  /// type only a Lua function would tell.
  package var isOfAny: Bool {
    let base = expected.prefix { $0 != "<" }
    return base.count < expected.count && found.hasSuffix(" \(base)<Any>")
  }

  /// One step into a table.
  package enum PathStep {
    case index(Int)
    case key(String)

    var text: String {
      switch self {
      case .index(let index): "[\(index)]"
      case .key(let key): key
      }
    }
  }

  public var description: String {
    let place = path.isEmpty ? "" : " at \(path)"
    return "expected \(expected)\(place), got \(found)"
  }
}
