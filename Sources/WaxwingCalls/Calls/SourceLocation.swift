// SPDX-License-Identifier: MIT

internal import WaxwingLua
internal import WaxwingPlans
internal import WaxwingValues

/// Parameters with a default such as `#fileID` or `#line`. The compiler writes these values where a function is
/// called, so the program has no code for them: a call from Lua passes the place of the patch.
struct SourceLocation {
  private let plan: CallPlan

  init(_ plan: CallPlan) { self.plan = plan }

  /// Which literal the parameter's label stands for; nil: none.
  static func label(of argument: CallPlan.Argument) -> String? { labels[argument.name] }

  private static let files: Set = ["file", "fileID", "filePath"]
  private static let labels = Dictionary(
    uniqueKeysWithValues: files.union(["line", "column", "function", "dsohandle"]).map {
      ("`\($0)`", $0)
    })

  /// Whether the function has the usual parameters: a text for the file and `line: UInt`. A parameter that is only
  /// called `line` need not have a default.
  private var isUsual: Bool {
    plan.arguments.contains { $0.codec.type == UInt.self && Self.label(of: $0) == "line" }
      && plan.arguments.contains {
        Self.isText($0) && Self.files.contains(Self.label(of: $0) ?? "")
      }
  }

  private static func isText(_ argument: CallPlan.Argument) -> Bool {
    argument.codec.type == String.self || argument.codec.type == StaticString.self
  }

  /// Puts the value for a parameter that a call leaves out.
  /// - Returns: Whether there is one.
  func write(_ index: Int, of call: LuaCall, into place: UnsafeMutableRawPointer) -> Bool {
    let argument = plan.arguments[index]
    guard let label = Self.label(of: argument), isUsual, let position = call.position() else {
      return false
    }
    switch label {
    case "line" where argument.codec.type == UInt.self:
      place.initializeMemory(as: UInt.self, to: UInt(max(position.line ?? 0, 0)))
    case "column" where argument.codec.type == UInt.self:
      place.initializeMemory(as: UInt.self, to: 1)
    case "file", "fileID", "filePath", "function":
      let text = label == "function" ? position.name ?? "lua" : position.source
      return Self.write(text, for: argument, into: place)
    default: return false
    }
    return true
  }

  private static func write(
    _ text: String, for argument: CallPlan.Argument, into place: UnsafeMutableRawPointer
  ) -> Bool {
    if argument.codec.type == String.self {
      place.initializeMemory(as: String.self, to: text)
      return true
    }
    guard argument.codec.type == StaticString.self, let made = StaticText.of(text) else {
      return false
    }
    place.initializeMemory(as: StaticString.self, to: made)
    return true
  }
}
