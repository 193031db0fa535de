// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingDeclarations
internal import WaxwingLua

/// The arguments of a call that were given in a table: labelled ones by their labels, others by
/// their positions. One reader for each parameter, which stands at its value; one that is at its end
/// for a parameter that was left out.
struct BoundArguments {
  let readers: [LuaReader]

  init(_ readers: [LuaReader]) {
    self.readers = readers
  }

  /// Arguments in their order; nil if there are more of them than parameters.
  /// - Parameter arguments: Stands at the first one.
  init?(inOrder arguments: LuaReader, parameterCount: Int) {
    var readers: [LuaReader] = []
    var reader = arguments
    for _ in 0..<parameterCount {
      readers.append(reader.isAtEnd ? .empty : reader)
      reader.skip()
    }
    guard reader.isAtEnd else { return nil }
    self.readers = readers
  }

  /// Whether a parameter is named by its label, and not only by its position.
  private(set) var hasLabel = false

  /// Reads arguments by name; nil if the table at which `table` stands does not name the function's
  /// parameters.
  /// - Parameter mayLack: Whether parameters that cannot be left out may be, so that the call can say
  ///   which.
  init?(_ table: LuaReader, _ candidate: OverloadCandidate, mayLack: Bool = false) {
    let parameters = candidate.declaration.parameters
    var readers = [LuaReader](repeating: .empty, count: parameters.count)
    var reader = table
    let head = reader.read()
    // Of a function it would be the argument itself; Lua gives a subscript one key only.
    let isSequence =
      head.tag == WAX_LUA_VALUE_ARRAY.rawValue && candidate.declaration.kind.isSubscript
    guard isSequence || head.tag == WAX_LUA_VALUE_TABLE.rawValue else { return nil }
    for number in 0..<Int(head.count) {
      let key = isSequence ? nil : reader.read()
      let index = key.map { Self.index($0, reader, parameters.map(\.label)) } ?? number
      guard let index, readers.indices.contains(index) else { return nil }
      if key?.isString == true { hasLabel = true }
      readers[index] = reader
      reader.skip()
    }
    for index in readers.indices where readers[index].isAtEnd && !mayLack {
      guard candidate.plan.defaults.canOmit(index) else { return nil }
    }
    self.readers = readers
  }

  /// Whether a reader stands at a table with keys that are texts, and no others.
  static func hasOnlyLabels(_ table: LuaReader) -> Bool {
    var reader = table
    let head = reader.read()
    guard head.tag == WAX_LUA_VALUE_TABLE.rawValue, head.count > 0 else { return false }
    for _ in 0..<Int(head.count) {
      guard reader.read().isString else { return false }
      reader.skip()
    }
    return true
  }

  /// The index of the parameter that a key means; nil if several parameters have this label.
  private static func index(
    _ key: wax_lua_value, _ reader: LuaReader, _ labels: [String?]
  ) -> Int? {
    if key.tag == WAX_LUA_VALUE_INTEGER.rawValue { return Int(key.integer) - 1 }
    guard let name = reader.string(key), labels.count(where: { $0 == name }) == 1 else {
      return nil
    }
    return labels.firstIndex(of: name)
  }
}
