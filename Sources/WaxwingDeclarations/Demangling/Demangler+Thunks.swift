// SPDX-License-Identifier: MIT

extension Demangler {
  /// Reads the kind of a thunk, after `T`. Thunks with operands of their own are not read.
  mutating func thunk() throws(DemanglingFailure) -> StackItem {
    let letter = nextCharacter()
    switch letter {
    case "X": return .variant(.replacementVariable)
    case "x": return .variant(.replacementKey)
    case "I": return .variant(.replacementImplementation)
    case "u": return .variant(.asyncFunctionPointer)
    case "Q": return .variant(.asyncAwaitResume(try index()))
    case "Y": return .variant(.asyncSuspendResume(try index()))
    case "m": return .variant(.merged)
    case "j": return .variant(.dispatchThunk)
    case "q": return .variant(.methodDescriptor)
    case "c", "o", "O", "D", "d", "E", "F", "a", "A":
      return .variant(.other("T\(letter)"))
    case "W":
      try protocolWitness()
      return .variant(.protocolWitness)
    case "w":
      let second = nextCharacter()
      guard "bBcdS".unicodeScalars.contains(second) else { throw DemanglingFailure() }
      return .variant(.other("Tw\(second)"))
    default: throw DemanglingFailure()
    }
  }

  /// Reads the witness of a requirement for a conformance, which is written before the requirement.
  /// Only the requirement's declaration is kept.
  private mutating func protocolWitness() throws(DemanglingFailure) {
    guard case .declaration(let requirement) = try pop() else { throw DemanglingFailure() }
    _ = try popSignatureIfPresent()
    _ = try popModule()
    _ = try popProtocol()
    _ = try popType()
    try push(.declaration(requirement))
    forgetPopped()
  }
}
