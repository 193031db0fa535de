// SPDX-License-Identifier: MIT

/// Names that Lua's identifiers cannot say, or that have underscores.
open class Odd {
  public init() {}

  open func _hidden(_ number: Int) -> Int { number }
  open func money$(_ number: Int) -> Int { number }
  open func snake_case() -> String { "snake" }
  open func place(_ what: String, at index: Int) -> String { "\(what)@\(index)" }
  public func all() -> String { "\(_hidden(1)) \(money$(2)) \(snake_case()) \(place("x", at: 3))" }
}
