// SPDX-License-Identifier: MIT

/// Reads conformances, which are written beside the arguments of bound types. Only their length
/// matters; their contents are dropped, because the runtime looks conformances up by itself.
extension Demangler {
  mutating func conformance() throws(DemanglingFailure) -> StackItem {
    switch nextCharacter() {
    case "A":
      _ = try index()
      _ = try popProtocol()
      _ = try popType()
      try popConformance()
    case "C": try concreteConformance()
    case "D":
      _ = try index()
      _ = try popProtocol()
      _ = try popType()
    case "I":
      _ = try index()
      _ = try popProtocol()
      try popConformance()
    case "O":
      _ = try popType()
      try popConformance()
    case "P", "p":
      _ = try popProtocol()
      return .conformanceReference
    case "X": try popConformanceList()
    default: throw DemanglingFailure()
    }
    return .conformance
  }

  mutating func retroactiveConformance() throws(DemanglingFailure) -> StackItem {
    _ = try index()
    try popConformance()
    return .retroactiveConformance
  }

  private mutating func concreteConformance() throws(DemanglingFailure) {
    try popConformanceList()
    if case .conformanceReference? = top {
      _ = try pop()
    } else {
      _ = try popModule()
      _ = try popProtocol()
    }
    _ = try popType()
  }

  private mutating func popConformance() throws(DemanglingFailure) {
    guard case .conformance = try pop() else { throw DemanglingFailure() }
  }

  private mutating func popConformanceList() throws(DemanglingFailure) {
    _ = try popList { demangler throws(DemanglingFailure) in
      try demangler.popConformance()
    }
  }
}
