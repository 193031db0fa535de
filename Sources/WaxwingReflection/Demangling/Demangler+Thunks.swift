// SPDX-License-Identifier: MIT

extension Demangler {
  /// After `T`: what a symbol stands for besides the function. Thunks with operands of their own
  /// are not read.
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
    case "w":
      let second = nextCharacter()
      guard "bBcdS".unicodeScalars.contains(second) else { throw DemanglingFailure() }
      return .variant(.other("Tw\(second)"))
    default: throw DemanglingFailure()
    }
  }
}
