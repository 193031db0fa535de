// SPDX-License-Identifier: MIT

package import CWaxwingRuntime

/// A function that stands in for another one during one call, on the caller's thread and with no
/// lock held. It returns true if the results are in the frame. It returns false to decline: the
/// call goes on to the next older layer, and the arguments in the frame must be as they came.
package typealias SynchronousHandler = wax_runtime_handler

/// A function that stands in for `async` functions and closures: it runs the call until its next
/// wait. It returns nil if the call is over, with its results in the frame, or is declined.
package typealias AsyncHandler = wax_runtime_async_handler

/// A function that stands in for closures that are not `async`, and that answers calls below all
/// layers. It does not decline.
package typealias ClosureHandler = wax_runtime_closure_handler

/// The function that stands in for the overridden one: the second case is for `async` functions.
package enum LayerHandler {
  case synchronous(SynchronousHandler)
  case asynchronous(AsyncHandler)
}

/// The code of closures of ours, whatever their type. A closure's context is a Swift object whose first
/// stored property is its handler and whose second is the size of its stack arguments.
package enum ClosureCode {
  /// The code of the function values of Lua closures; nil if the CPU is not supported.
  @inlinable package static var synchronous: UnsafeRawPointer? { wax_runtime_closure_code() }

  /// The code of `async` closures that Lua code implements: an async function pointer.
  @inlinable package static var asynchronous: UnsafeRawPointer? {
    wax_runtime_async_closure_pointer()
  }
}
