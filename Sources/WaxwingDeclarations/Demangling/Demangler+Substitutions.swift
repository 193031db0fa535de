// SPDX-License-Identifier: MIT

extension Demangler {
  /// Reads letters for earlier parts, each with an optional count before it, after `A`.
  mutating func multipleSubstitutions() throws(DemanglingFailure) -> StackItem {
    var number: Int?
    while true {
      let byte = next()
      switch byte {
      case 0x61...0x7a:
        let item = try substitution(Int(byte - 0x61), count: number ?? 1)
        try pushAgain(item)
        number = nil
      case 0x41...0x5a: return try substitution(Int(byte - 0x41), count: number ?? 1)
      // The number was not a count but the index of a part past the alphabet.
      case 0x5f: return try substitution((number ?? -1) + 27, count: 1)
      default:
        position -= 1
        number = try natural()
      }
    }
  }

  private mutating func pushAgain(_ item: StackItem) throws(DemanglingFailure) {
    try push(item)
    forgetPopped()
  }

  /// Reads types and modules that need no introduction, after `S`.
  mutating func standardSubstitution() throws(DemanglingFailure) -> StackItem {
    switch Unicode.Scalar(peek()) {
    case "o":
      position += 1
      return .module("__C")
    case "C":
      position += 1
      return .module("__C_Synthesized")
    case "g":
      position += 1
      let item = StackItem.type(.optional(of: try popType()))
      try remember(item)
      return item
    default: return try repeatedStandardType()
    }
  }

  private mutating func repeatedStandardType() throws(DemanglingFailure) -> StackItem {
    let count = naturalIfPresent() ?? 1
    guard count <= 2048 else { throw DemanglingFailure() }
    let table = skip("c") ? StandardTypes.concurrency : StandardTypes.core
    guard let type = table[next()] else { throw DemanglingFailure() }
    let item = StackItem.type(.nominal(type))
    for _ in stride(from: 1, to: count, by: 1) { try push(item) }
    return item
  }
}
