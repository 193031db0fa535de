// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection

/// An error of a function that is `throws(E)`, the type not known: the registers that it came in. It can
/// go on to the caller of the function that threw it, once.
final class OpaqueError: Error, CustomStringConvertible {
  private let function: String
  private let registers: Frame.Outcome
  private let isTaken = Atomic<Bool>(false)

  /// - Parameters:
  ///   - frame: Of the call that threw it.
  ///   - function: That was called.
  init(_ frame: FramePointer, of function: RunningFunction) {
    self.function = function.declaration.qualifiedName
    registers = frame.pointee.outcome
  }

  /// - Returns: False: it has gone on already.
  func putBack(_ frame: FramePointer) -> Bool {
    if isTaken.exchange(true, ordering: .relaxed) { return false }
    frame.pointee.outcome = registers
    return true
  }

  package var description: String { "an error of \(function), whose type is not known" }
}
