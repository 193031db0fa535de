// SPDX-License-Identifier: MIT

extension Demangler {
  /// Reads member types, opaque types and packs, after `Q`.
  mutating func archetype() throws(DemanglingFailure) -> StackItem {
    switch nextCharacter() {
    case "a":
      let name = try popIdentifier()
      let base = try popType()
      return try remembered(.dependentMember(base: base, name: name, protocol: nil))
    case "O": return .opaqueOrigin(try popContext())
    case "o": return try opaqueType()
    case "r": return .type(.opaqueResult(index: 0))
    case "R": return .type(.opaqueResult(index: try index() + 1))
    case "x": return try remembered(try memberType(of: nil, isCompound: false))
    case "X": return try remembered(try memberType(of: nil, isCompound: true))
    case "y":
      let base = try genericParameter()
      return try remembered(try memberType(of: base, isCompound: false))
    case "Y":
      let base = try genericParameter()
      return try remembered(try memberType(of: base, isCompound: true))
    case "z":
      let base = TypeNode.genericParameter(depth: 0, index: 0)
      return try remembered(try memberType(of: base, isCompound: false))
    case "Z":
      let base = TypeNode.genericParameter(depth: 0, index: 0)
      return try remembered(try memberType(of: base, isCompound: true))
    case "p":
      let count = try popType()
      return .type(.packExpansion(pattern: try popType(), count: count))
    case "e":
      let pack = try popType()
      return .type(.packElement(pack, level: try index()))
    case "P":
      return .type(
        .pack(
          try popList { demangler throws(DemanglingFailure) in
            try demangler.popType()
          }))
    default: throw DemanglingFailure()
    }
  }

  private mutating func remembered(_ type: TypeNode) throws(DemanglingFailure) -> StackItem {
    try remember(.type(type))
    return .type(type)
  }

  private mutating func opaqueType() throws(DemanglingFailure) -> StackItem {
    let index = try index()
    let lists = try popArgumentLists()
    guard case .opaqueOrigin(let origin) = try pop() else { throw DemanglingFailure() }
    return try remembered(.opaque(of: origin, index: index, arguments: lists.reversed()))
  }
}
