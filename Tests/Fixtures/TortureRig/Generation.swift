// SPDX-License-Identifier: MIT

import Synchronization
import TortureFixture

/// One patch from its start to its end, as the thread that starts and ends it publishes it. Moments
/// are those of `Chronicle.now`; 0 is never.
struct Generation: ~Copyable {
  /// Its own number, or the place of the older version that it replaces: of two overrides of one
  /// function a call comes to that in the higher place first.
  let place = Atomic<Int>(0)
  /// Of its patch, as a number: patches of one name take each other's objects over, also those that
  /// have ended before.
  let name = Atomic<Int>(0)
  /// What it overrides, a bit each.
  let kinds = Atomic<UInt32>(0)
  /// Whether its overrides do not call their originals.
  let isLid = Atomic<Bool>(false)
  /// The generation that took its place, from the moment on when that was asked for.
  let successor = Atomic<Int>(0)
  /// One that was started in the same step.
  let partner = Atomic<Int>(0)
  /// Whether its end does not wait for calls that are in it: what an async override waits for then decides their results.
  let endsAtOnce = Atomic<Bool>(false)

  let startRequested = Atomic<Int>(0)
  let startReturned = Atomic<Int>(0)
  let endRequested = Atomic<Int>(0)
  let endReturned = Atomic<Int>(0)

  func overrides(_ kind: TortureKind) -> Bool {
    kinds.load(ordering: .relaxed) & 1 << UInt32(kind.rawValue) != 0
  }

  func clear() {
    place.store(0, ordering: .relaxed)
    name.store(0, ordering: .relaxed)
    kinds.store(0, ordering: .relaxed)
    isLid.store(false, ordering: .relaxed)
    successor.store(0, ordering: .relaxed)
    partner.store(0, ordering: .relaxed)
    endsAtOnce.store(false, ordering: .relaxed)
    startRequested.store(0, ordering: .relaxed)
    startReturned.store(0, ordering: .relaxed)
    endRequested.store(0, ordering: .relaxed)
    endReturned.store(0, ordering: .relaxed)
  }
}

/// The time between two moments, in which something was called and returned.
struct Window {
  let begin: Int
  let end: Int
}

extension Generation {
  /// Whether calls that take this long must go through it. The caller's moments were read before
  /// the call and after it, and what was done in between is behind what they say.
  func isLive(throughout window: Window) -> Bool {
    let started = startReturned.load(ordering: .acquiring)
    return started != 0 && started <= window.begin && isUnended(at: window.end)
  }

  /// Whether no end has been asked for.
  func isUnended(at moment: Int) -> Bool {
    let ending = endRequested.load(ordering: .acquiring)
    return ending == 0 || ending > moment
  }

  /// Whether calls may go through it at some moment of these.
  func mayBeLive(within window: Window) -> Bool {
    let starting = startRequested.load(ordering: .acquiring)
    let ended = endReturned.load(ordering: .acquiring)
    return starting != 0 && starting <= window.end && (ended == 0 || ended > window.begin)
  }
}
