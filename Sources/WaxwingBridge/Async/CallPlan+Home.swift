// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import WaxwingInterception
internal import WaxwingValues

/// Where an override runs: where the function does that it stands in for.
extension CallPlan {
  /// The executor on which the function runs; nil if it runs wherever it is called, as its code
  /// does not tell.
  func home(_ frame: FramePointer) -> ExecutorReference? {
    switch isolation {
    case .none, .globalActor: isolation.executor(receiver: nil)
    case .receiver: isolation.executor(receiver: Self.object(UInt(frame.pointee.selfRegister)))
    case .caller: callerExecutor(frame)
    case .parameter(let index): executor(ofArgument: index, frame)
    case .whereCalled: .current
    case .unknown: nil
    }
  }

  /// The caller's actor, as the call passes it.
  func callerActorWords(_ frame: FramePointer) -> (UInt64, UInt64) {
    guard callerActor.count == 2 else { return (0, 0) }
    return (UInt64(word(callerActor[0], frame)), UInt64(word(callerActor[1], frame)))
  }

  /// Passes the caller's actor in a call that is about to be made.
  func passCallerActor(_ words: (UInt64, UInt64), _ frame: FramePointer) {
    guard callerActor.count == 2 else { return }
    for (location, word) in zip(callerActor, [words.0, words.1]) {
      var word = word
      withUnsafeMutableBytes(of: &word) { bytes in
        location.scatter(bytes.baseAddress.unsafelyUnwrapped, size: 8, frame)  // not empty
      }
    }
  }

  private func callerExecutor(_ frame: FramePointer) -> ExecutorReference {
    guard let actor = callerActor.first else { return .generic }
    return Self.executor(word(actor, frame))
  }

  private func executor(ofArgument index: Int, _ frame: FramePointer) -> ExecutorReference? {
    guard arguments.indices.contains(index) else { return nil }
    return Self.executor(word(arguments[index].location, frame))
  }

  /// The executor of an actor, or the generic one if there is no actor.
  private static func executor(_ word: UInt) -> ExecutorReference {
    object(word).flatMap(FunctionIsolation.executor(ofActor:)) ?? .generic
  }

  /// The first word of a value.
  private func word(_ location: ValueLocation, _ frame: FramePointer) -> UInt {
    withUnsafeTemporaryAllocation(byteCount: scratchBytes, alignment: 16) { scratch in
      location.gather(frame, scratch: scratch.baseAddress.unsafelyUnwrapped)  // not empty
        .load(as: UInt.self)
    }
  }

  private static func object(_ word: UInt) -> AnyObject? {
    UnsafeRawPointer(bitPattern: word).map {
      Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
    }
  }
}

extension Suspension {
  /// A suspension that moves to an executor.
  static func hop(to executor: ExecutorReference) -> Suspension {
    .hop(to: executor.raw)
  }
}

extension ExecutorReference {
  var raw: wax_abi_executor {
    wax_abi_executor(identity: identity, implementation: implementation)
  }
}
