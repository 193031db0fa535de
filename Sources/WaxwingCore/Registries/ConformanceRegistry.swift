// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingBridge

/// Knows which session lets which types conform to which protocols. `OverrideRegistry` uses it to
/// make conformances live and end them together with overrides.
///
/// No code of the program or of a script runs under its lock.
final class ConformanceRegistry: Sendable {
  /// Unchecked: never changed; only the session's thread uses what is declared before it is live.
  private struct Record: @unchecked Sendable {
    let name: String
    let declared: [DeclaredConformance]
    var all: [MadeConformance] { declared.flatMap(\.all) }
  }

  private struct Contents {
    var records: [Int: Record] = [:]
    var live: Set<Int> = []
    /// The sessions whose conformances of classes made by patches stay with the objects.
    var lingering: Set<Int> = []
  }

  private let contents = Mutex(Contents())

  /// Begins the record of a session, whose conformances are not live.
  /// - Returns: The reason if another patch has one of them already.
  func open(_ session: Int, _ name: String, _ declared: [DeclaredConformance]) -> String? {
    if declared.isEmpty { return nil }
    // Only the session's own thread has them until they are live.
    let record = Record(name: name, declared: declared)
    return contents.withLock { contents in
      for other in contents.records.values where other.name != name {
        for one in record.all where other.all.contains(where: { $0.collides(with: one) }) {
          return "the patch `\(other.name)` makes \(one.typeName) conform to \(one.protocolName) "
            + "already"
        }
      }
      contents.records[session] = record
      return nil
    }
  }

  /// Prepares sessions before their overrides are live: calls that no Lua function answers are
  /// answered as these sessions say.
  func prepare(_ starting: [Int]) {
    let starting = contents.withLock { contents in starting.compactMap { contents.records[$0] } }
    // What was answered before dies here, without the lock.
    for record in starting { record.declared.forEach { $0.setAnswers() } }
  }

  /// Makes the conformances of classes that patches have made live, before the sessions' overrides are:
  /// these make the objects, which conform from the first moment.
  func beginMade(_ starting: [Int]) {
    contents.withLock { contents in
      let on = starting.flatMap { number -> [(MadeConformance, String)] in
        guard let record = contents.records[number] else { return [] }
        return record.all.filter(\.isOfMadeClass).map { ($0, record.name) }
      }
      if !on.isEmpty { MadeConformance.change(starting: on, ending: []) }
    }
  }

  /// Ends the conformances of some sessions and makes those of others live.
  /// - Parameter lingering: Of these, those of classes that the patches have made go on.
  func flip(on starting: [Int], off ending: [Int], lingering: Set<Int> = []) {
    contents.withLock { contents in
      contents.lingering.formUnion(lingering)
      let over = ending.filter { contents.live.remove($0) != nil }
      let begun = starting.filter { contents.records[$0] != nil }
      contents.live.formUnion(begun)
      let on = begun.flatMap { number -> [(MadeConformance, String)] in
        guard let record = contents.records[number] else { return [] }
        return record.all.map { ($0, record.name) }
      }
      let off = over.flatMap { number in
        (contents.records[number]?.all ?? []).filter {
          !(contents.lingering.contains(number) && $0.isOfMadeClass)
        }
      }
      if on.isEmpty, off.isEmpty { return }
      MadeConformance.change(starting: on, ending: off)
    }
  }

  /// Ends the conformances of a session's classes that went on for their objects, unless another
  /// session has these classes.
  func endLingering(_ session: Int) {
    contents.withLock { contents in
      guard contents.lingering.remove(session) != nil else { return }
      let live = Set(
        contents.live.union(contents.lingering).flatMap { contents.records[$0]?.all ?? [] }
          .map(ObjectIdentifier.init))
      let ending = (contents.records[session]?.all ?? []).filter { one in
        one.isOfMadeClass && !live.contains(ObjectIdentifier(one))
      }
      if !ending.isEmpty { MadeConformance.change(starting: [], ending: ending) }
    }
  }

  /// Forgets a session.
  func close(_ session: Int) {
    endLingering(session)
    flip(on: [], off: [session])
    let record = contents.withLock { $0.records.removeValue(forKey: session) }
    _ = record  // what it holds dies here, without the lock
  }
}
