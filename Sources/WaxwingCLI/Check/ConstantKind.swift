// SPDX-License-Identifier: MIT

import WaxwingDeclarations

/// The kind of an expression's value, if the text alone tells it.
enum ConstantKind {
  case nothing, boolean, integer, float, string, table, function

  /// The kind of a constant; nil if only the call will tell.
  init?(_ value: LuaExpression) {
    switch value {
    case .constant(.nothing, _): self = .nothing
    case .constant(.boolean, _): self = .boolean
    case .constant(.integer, _): self = .integer
    case .constant(.float, _): self = .float
    case .string: self = .string
    case .table: self = .table
    case .function: self = .function
    case .operation(_, isBoolean: true, _): self = .boolean
    case .parenthesized(let inner, _): self.init(inner)
    case .local(let variable, _) where !variable.isReassigned:
      guard let value = variable.value else { return nil }
      self.init(value)
    default: return nil
    }
  }

  var words: String {
    switch self {
    case .nothing: "nil"
    case .boolean: "a boolean"
    case .integer, .float: "a number"
    case .string: "a string"
    case .table: "a table"
    case .function: "a function"
    }
  }

  private static let integers: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
  ]

  /// The name of the type if no value of this kind can become one of it; nil: one may. A float may be whole.
  func refused(by type: TypeNode, _ program: ProgramNames) -> String? {
    guard let nominal = type.nominal else { return nil }
    let taken: [ConstantKind]
    if nominal.context == .module("Swift") {
      switch nominal.name.text {
      case let name where Self.integers.contains(name): taken = [.integer, .float]
      case "Double", "Float", "Float16": taken = [.integer, .float]
      case "Bool": taken = [.boolean]
      case "String", "Substring": taken = [.string]
      default: return nil
      }
    } else if nominal.kind == .class, program.hasMembers(nominal.unbound) {
      taken = []
    } else {
      return nil
    }
    return taken.contains(self) ? nil : nominal.qualifiedName
  }
}

/// The `return`s of a function, those of functions in it left out.
struct LuaReturns {
  private(set) var values: [[LuaExpression]] = []
  /// Whether the function may come to its end without a `return`, as far as the text tells.
  let endsReached: Bool

  init(_ body: [LuaStatement]) {
    endsReached = Self.isEndReached(body)
    collect(body)
  }

  private static func isEndReached(_ body: [LuaStatement]) -> Bool {
    switch body.last {
    case .return: false
    case .call(.call(.global(let name, _), _, _)): !["error", "throw", "assert"].contains(name)
    case .control(let conditions, let blocks):
      // A loop may have no end; only of `if … else …` and `do` each way is seen.
      if conditions.contains(where: { if case .constant = $0 { true } else { false } }) {
        false
      } else if blocks.count > conditions.count {
        blocks.contains(where: isEndReached)
      } else {
        true
      }
    default: true
    }
  }

  private mutating func collect(_ statements: [LuaStatement]) {
    for statement in statements {
      switch statement {
      case .return(let found): values.append(found)
      case .control(_, let blocks): for block in blocks { collect(block) }
      case .local, .assign, .function, .call: break
      }
    }
  }
}
