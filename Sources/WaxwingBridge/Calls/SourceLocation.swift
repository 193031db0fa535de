// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingLua
internal import WaxwingReflection
internal import WaxwingValues

/// The arguments that a call from Lua passes for parameters with a default such as `#fileID` or
/// `#line`: the place in the patch.
struct SourceLocation {
  private let plan: CallPlan

  init(_ plan: CallPlan) { self.plan = plan }

  /// Puts the value for a parameter that a call leaves out.
  /// - Returns: Whether there is one.
  func write(_ index: Int, of call: LuaCall, into place: UnsafeMutableRawPointer) -> Bool {
    let declaration = plan.function.declaration
    guard declaration.locationParameters.contains(index), let position = call.position() else {
      return false
    }
    switch declaration.parameters[index].label {
    case "line":
      place.initializeMemory(as: UInt.self, to: UInt(max(position.line ?? 0, 0)))
      return true
    case "column":
      place.initializeMemory(as: UInt.self, to: 1)
      return true
    case "function": return write(position.name ?? "lua", at: index, into: place)
    default: return write(position.source, at: index, into: place)
    }
  }

  private func write(_ text: String, at index: Int, into place: UnsafeMutableRawPointer) -> Bool {
    if plan.arguments[index].codec.type == String.self {
      place.initializeMemory(as: String.self, to: text)
      return true
    }
    guard let made = StaticText.of(text) else { return false }
    place.initializeMemory(as: StaticString.self, to: made)
    return true
  }
}
