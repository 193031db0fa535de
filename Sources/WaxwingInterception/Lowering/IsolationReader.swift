// SPDX-License-Identifier: MIT

/// Reads the isolation of an `async` function from its machine code.
///
/// No symbol tells. But an `async` function itself goes where it must run: when it has heard that
/// nobody replaces it, it jumps to `swift_task_switch` with the executor.
package enum IsolationReader {
  /// The way of an `async` function to its first switch.
  package struct Path {
    package let executor: EntryExecutor
    /// Whether it comes to one.
    package let hasSwitched: Bool
    /// The 8-byte words of the caller's stack arguments that are read on it.
    package let stackWords: Set<Int>

    static let unknown = Path(executor: .unknown, hasSwitched: false, stackWords: [])
  }

  /// - Parameter function: an async function pointer. Its code is read as far as it would run, and
  ///   its jumps are trusted: for functions of this program only.
  package static func executor(ofAsync function: UnsafeRawPointer) -> EntryExecutor {
    executor(of: code(ofAsync: function), identity: function, byteLimit: 16384)
  }

  /// Whether an `async` function switches to an executor before any other code of it runs. Nil if
  /// its code is not understood.
  /// - Parameter function: As of `executor`.
  package static func switchesFirst(async function: UnsafeRawPointer) -> Bool? {
    switchesFirst(of: code(ofAsync: function), identity: function, byteLimit: 16384)
  }

  /// An async function pointer begins with the distance to the code.
  package static func code(ofAsync function: UnsafeRawPointer) -> UnsafeRawPointer {
    function + Int(function.loadUnaligned(as: Int32.self))
  }

  /// Whether a function has two hidden words before its other arguments: the actor on which its
  /// caller runs, as `nonisolated(nonsending)` ones do. Nil if the code fits neither.
  ///
  /// - Parameters:
  ///   - function: an async function pointer.
  ///   - plain: the function's layout without the two words.
  ///   - isolated: the one with them.
  package static func hasCallerIsolation(
    async function: UnsafeRawPointer, plain: CallLayout, isolated: CallLayout
  ) -> Bool? {
    let code = code(ofAsync: function)
    guard let saved = PrologueReader.savedArguments(of: code, identity: function) else {
      return nil
    }
    let (plain, isolated) = (SavedArguments(plain), SavedArguments(isolated))
    if plain.registers != isolated.registers {
      if saved.registers == plain.registers { return false }
      return saved.registers == isolated.registers ? true : nil
    }
    guard saved.registers == plain.registers else { return nil }
    if saved.stackWords.isSuperset(of: isolated.stackWords) { return true }
    return saved.isComplete && saved.stackWords == plain.stackWords ? false : nil
  }
}
