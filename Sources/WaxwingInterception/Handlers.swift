// SPDX-License-Identifier: MIT

package import CWaxwingRuntime

/// Stands in for a function during one call, on the caller's thread and with no lock held. True: the
/// results are in the frame. False: it declines, and the call goes on to the next older layer; what the
/// frame has for arguments must be as it came.
package typealias SynchronousHandler = wax_runtime_handler

/// The same for `async` functions and closures: runs the call until its next wait. nil: the call is over,
/// and the results are in its frame, or it is declined.
package typealias AsyncHandler = wax_runtime_async_handler

/// The same for closures that are not `async`, and for what answers at the bottom: it does not decline.
package typealias ClosureHandler = wax_runtime_closure_handler

/// What stands in for the function: the second for those that are `async`.
package enum LayerHandler {
  case synchronous(SynchronousHandler)
  case asynchronous(AsyncHandler)
}

/// The code of closures of ours, whatever their type. A closure's context is a Swift object whose first
/// stored property is its handler and whose second is the size of its stack arguments.
package enum ClosureCode {
  /// What the function value has for its code. nil: the CPU is not supported.
  @inlinable package static var synchronous: UnsafeRawPointer? { wax_runtime_closure_code() }

  /// The same for closures that are `async`: an async function pointer.
  @inlinable package static var asynchronous: UnsafeRawPointer? {
    wax_runtime_async_closure_pointer()
  }
}
