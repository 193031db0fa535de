// SPDX-License-Identifier: MIT

extension PrologueReader {
  /// The arguments that a dynamic function reads before it calls `swift_getFunctionReplacement`.
  ///
  /// Nil if the code is not that of a dynamic function, is not understood, or is longer than
  /// expected. Measured with Swift 6.3.1, with and without optimisation.
  ///
  /// - Parameters:
  ///   - function: where the code begins. It is read as far as it would run, no further, and its jumps
  ///     are trusted: to be called for functions of this program only.
  ///   - identity: what the function calls itself when it asks for its replacement: of an `async`
  ///     function its async function pointer, of any other the function itself, which is the
  ///     default.
  ///   - byteLimit: how many bytes of code to read at most. An unoptimised function clears its
  ///     variables first, in some 15 bytes each.
  package static func savedArguments(
    of function: UnsafeRawPointer, identity: UnsafeRawPointer? = nil, byteLimit: Int = 8192
  ) -> SavedArguments? {
    #if arch(x86_64)
      var decoder = X86_64Decoder(function, byteLimit: byteLimit)
      var trace = X86_64Trace(identity: identity ?? function)
      guard trace.runToQuestion(&decoder) else { return nil }
      var saved = trace.saved
      saved.isComplete = trace.runToReplacement(
        &decoder, isAsync: identity.map { $0 != function } ?? false)
      saved.stackWords = trace.saved.stackWords
      saved.passesResultAddress = trace.saved.passesResultAddress
      return saved
    #else
      return nil
    #endif
  }
}
