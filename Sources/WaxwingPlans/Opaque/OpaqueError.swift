// SPDX-License-Identifier: MIT

internal import CWaxwingRuntime
internal import Synchronization
internal import WaxwingDeclarations
internal import WaxwingReflection

/// An error of a function that is `throws(E)`, the type not known: the registers that it came in. It can
/// go on to the caller of the function that threw it, once.
package final class OpaqueError: Error, CustomStringConvertible {
  private let function: String
  private let word: UInt64
  private let integers: (UInt64, UInt64, UInt64, UInt64)
  private let vectors:
    (wax_runtime_vector, wax_runtime_vector, wax_runtime_vector, wax_runtime_vector)
  private let isTaken = Atomic<Bool>(false)

  /// - Parameters:
  ///   - frame: Of the call that threw it.
  ///   - function: That was called.
  init(_ frame: UnsafeMutablePointer<wax_runtime_frame>, of function: RunningFunction) {
    self.function = function.declaration.qualifiedName
    word = frame.pointee.error
    integers = frame.pointee.integer_result
    vectors = frame.pointee.vector_result
  }

  /// - Returns: False: it has gone on already.
  func putBack(_ frame: UnsafeMutablePointer<wax_runtime_frame>) -> Bool {
    if isTaken.exchange(true, ordering: .relaxed) { return false }
    frame.pointee.error = word
    frame.pointee.integer_result = integers
    frame.pointee.vector_result = vectors
    return true
  }

  package var description: String { "an error of \(function), whose type is not known" }
}
