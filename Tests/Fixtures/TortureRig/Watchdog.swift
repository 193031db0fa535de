// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import TortureProbe

/// Ends the process if one of the threads makes no progress for a minute, after showing what all of
/// them do: they cannot be stopped any more.
final class Watchdog: Sendable {
  private static let seconds = 60
  private let isLeaving = Atomic<Bool>(false)
  private let group = DispatchGroup()

  init(_ participants: [Participant], seed: UInt64) {
    torture_prepare_dump()
    Participant("watchdog").run(in: group) { [self] in
      var progress = participants.map(\.progress)
      var since = participants.map { _ in ContinuousClock.now }
      while !isLeaving.load(ordering: .relaxed) {
        usleep(200_000)
        for (index, participant) in participants.enumerated() {
          if participant.isWaiting || participant.progress != progress[index] {
            progress[index] = participant.progress
            since[index] = .now
          } else if ContinuousClock.now - since[index] > .seconds(Self.seconds) {
            Self.fail(participant, among: participants, seed: seed)
          }
        }
      }
    }
  }

  func leave() {
    isLeaving.store(true, ordering: .relaxed)
    group.wait()
  }

  private static func fail(
    _ participant: Participant, among all: [Participant], seed: UInt64
  ) -> Never {
    let lines = ["torture: \(participant.name) has made no progress for \(seconds) s, seed \(seed)"]
    let text = (lines + all.map(\.status)).joined(separator: "\n") + "\n"
    FileHandle.standardError.write(Data(text.utf8))
    torture_dump_threads()
    abort()
  }
}
