// SPDX-License-Identifier: MIT

/// The continuations of one script that have not been resumed and waited for: what `resume` opens, by
/// number. Only for the thread that has entered the state.
package struct Continuations {
  private var latches: [Int: Latch] = [:]
  private var made = 0

  /// - Returns: Its number.
  package mutating func add() -> Int {
    made += 1
    latches[made] = Latch()
    return made
  }

  /// The latch of a continuation; nil if that has been resumed.
  package subscript(number: Int) -> Latch? { latches[number] }

  package mutating func remove(_ number: Int) { latches[number] = nil }
  package mutating func removeAll() { latches = [:] }
}
