// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

/// What the calls of a name have come to where the kinds of their arguments decide that: the next call with arguments
/// of these kinds is made without choosing, by C if it can.
///
/// A kind is a Lua value's own type, of a Swift value its type, and of a number also the limits within which all
/// numbers are taken alike. Tables have none, as what they hold matters. There are at most `WAX_CALL_MAX_CHOICES`, and
/// they hold until conformances or classes change.
///
/// Used by the thread that has entered the state.
final class RememberedChoices {
  private var choices: UnsafeMutablePointer<wax_call_choices>?
  /// By the index of the choice.
  private var functions: [FunctionCall] = []

  deinit { choices?.deallocate() }

  /// The plan of `wax_call_run_choice`; nil: nothing is remembered.
  var plan: UnsafeMutableRawPointer? { choices.map { UnsafeMutableRawPointer($0) } }

  /// The function that such a call means; nil: nothing is remembered.
  func function(for call: LuaCall) -> FunctionCall? {
    guard let choices else { return nil }
    let index = wax_call_find_choice(
      choices, call.arguments.source, Int32(truncatingIfNeeded: call.argumentCount))
    return index < 0 ? nil : functions[Int(index)]
  }

  /// - Parameter isDirect: Whether C may make the calls.
  func remember(_ function: FunctionCall, for kinds: ArgumentKinds, isDirect: Bool) {
    let choices = choices ?? make()
    var choice = kinds.choice
    if isDirect, let direct = function.direct {
      choice.direct = function.directFunction
      choice.direct_plan = UnsafeMutableRawPointer(direct)
    }
    let index = Int(wax_call_note_choice(choices, &choice))
    if index < functions.count {
      functions[index] = function
    } else {
      functions.append(function)
    }
  }

  private func make() -> UnsafeMutablePointer<wax_call_choices> {
    let made = UnsafeMutablePointer<wax_call_choices>.allocate(capacity: 1)
    made.initialize(to: wax_call_choices())
    choices = made
    return made
  }
}

/// The kinds of a call's arguments.
struct ArgumentKinds {
  private(set) var choice = wax_call_choice()
  private var values: [wax_lua_value] = []
  private let first: UnsafeMutablePointer<wax_lua_value>

  /// - Returns: nil: there are too many, or one has no kind.
  init?(_ call: LuaCall) {
    let reader = call.arguments
    let count = call.argumentCount
    guard count <= Int(WAX_CALL_MAX_KINDS), count == Int(reader.source.pointee.count) else {
      return nil
    }
    first = reader.next
    choice.count = UInt32(count)
    for index in 0..<count {
      let value = first[index]
      var kind = wax_call_kind()
      guard withUnsafePointer(to: value, { wax_call_read_kind(reader.source, $0, &kind) }) else {
        return nil
      }
      values.append(value)
      self[index] = kind
    }
  }

  /// Whether the kind of the argument that a reader stands at tells its cost for a parameter of this type. It is
  /// narrowed to the limits within which that is so.
  mutating func decide(_ reader: LuaReader, as type: any Any.Type) -> Bool {
    let index = reader.next - first
    guard values.indices.contains(index) else { return reader.isAtEnd }
    return ArgumentFit.isDecided(values[index], as: type, by: &self[index])
  }

  private subscript(index: Int) -> wax_call_kind {
    get { withUnsafeBytes(of: choice.kinds) { $0.bindMemory(to: wax_call_kind.self)[index] } }
    set {
      withUnsafeMutableBytes(of: &choice.kinds) {
        $0.bindMemory(to: wax_call_kind.self)[index] = newValue
      }
    }
  }
}
