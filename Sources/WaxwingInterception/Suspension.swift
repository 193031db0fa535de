// SPDX-License-Identifier: MIT

package import CWaxwingABI
public import CWaxwingRuntime

/// The wait of an async call between two turns: for the return of an async function, or for an
/// executor.
public typealias Suspension = wax_runtime_suspension

extension Suspension {
  /// A suspension that moves to an executor.
  package static func hop(to executor: wax_abi_executor) -> Suspension {
    wax_runtime_suspension(
      function: nil, marked: nil, frame: nil, stack_bytes: 0, executor: executor)
  }

  /// A suspension that calls an async function, whose results and error are in the frame
  /// afterwards.
  /// - Parameter function: Its async function pointer.
  package static func call(
    _ function: UnsafeRawPointer?, _ frame: FramePointer, stackBytes: Int = 0
  ) -> Suspension {
    wax_runtime_suspension(
      function: function, marked: nil, frame: frame, stack_bytes: stackBytes,
      executor: wax_abi_executor())
  }
}

// MARK: - Calls that arrive

/// A call of an async function of ours, in an override or as a closure, for its handler.
@usableFromInline package typealias AsyncCall = wax_runtime_async_call

extension AsyncCall {
  /// Where the arguments are, and the results have to be at the end.
  @inlinable package var callFrame: FramePointer? { frame }

  /// The handler's state from turn to turn; nil at first. For a call that C has begun, it is C's.
  @inlinable package var handlerState: UnsafeMutableRawPointer? {
    get { state }
    set { state = newValue }
  }

  /// The compiled handler of a call whose state is C's; nil for other calls.
  @inlinable package var compiledHandler: UnsafeRawPointer? { compiled }

  /// Whether the call goes on to the next older layer: the arguments are as they came.
  @inlinable package var isDeclined: Bool {
    get { declines }
    set { declines = newValue }
  }

  /// The handler's record of the call, for calls that are made in it: see `outerRecord`.
  package var handlerRecord: UnsafeMutableRawPointer? {
    get { record }
    set { record = newValue }
  }

  /// Lets turns that follow a wait run on an executor.
  package mutating func setHome(_ executor: wax_abi_executor) {
    resumable.has_home = true
    resumable.home = executor
  }
}

extension UnsafeMutablePointer where Pointee == AsyncCall {
  /// The `handlerRecord` of the innermost call that waits for this one, directly or by way of functions of
  /// the program; nil: none does.
  package var outerRecord: UnsafeMutableRawPointer? { wax_runtime_outer_record(self) }

  /// The call is to be declined, and those that its original makes find the record at once.
  package func keepOuterRecord() { pointee.outer = UnsafeRawPointer(outerRecord) }

  /// Whether a handler may cancel the call, because its own caller can do without results.
  package var mayCancel: Bool { wax_runtime_may_cancel_async(self) }

  /// Ends the call like that once the handler has returned, which has released what the function takes
  /// over.
  package func cancel() { wax_runtime_cancel_async(self) }

  /// A suspension of the call's own, for an executor. It stays as long as the call.
  package func hop(to executor: wax_abi_executor) -> UnsafePointer<Suspension>? {
    pointee.hop = .hop(to: executor)
    return UnsafePointer(pointer(to: \.hop))
  }
}

// MARK: - Calls that are driven

/// A call that runs in steps and waits between them, and that `drive` runs to its end.
package typealias ResumableCall = wax_runtime_resumable_call

extension ResumableCall {
  /// A step runs until the next wait; nil: there is none, the call is over.
  package typealias Step =
    @convention(c) (UnsafeMutablePointer<ResumableCall>?) -> UnsafePointer<Suspension>?

  /// - Parameter home: Where steps run that follow a wait.
  package init(home: wax_abi_executor, step: @escaping Step) {
    self.init(step: step, results: nil, has_home: true, home: home)
  }
}

@_silgen_name("wax_runtime_drive")
private func driveToEnd(_ call: UnsafeMutableRawPointer) async

extension UnsafeMutablePointer where Pointee == ResumableCall {
  /// Runs the call to its end.
  /// - Precondition: It is not moved meanwhile.
  package func drive() async { await driveToEnd(UnsafeMutableRawPointer(self)) }
}
