// SPDX-License-Identifier: MIT

package import CWaxwingRuntime

/// One override of one patch point, from `Interceptor.install` until it is removed and no call can
/// see it any more.
///
/// Unchecked: everything is fixed once the interceptor has made it.
package final class Layer: @unchecked Sendable {
  package let point: InterceptionPoint
  package let session: Switch
  package let rank: LayerRank
  let pointer: OpaquePointer
  /// Kept for the handler, whose context it usually is.
  private let owner: AnyObject?
  private var continuation: Layer?

  init(
    at point: InterceptionPoint, slot: OpaquePointer, session: Switch, rank: LayerRank,
    handler: LayerHandler, context: UnsafeMutableRawPointer?, owner: AnyObject?
  ) throws(InterceptionError) {
    let pointer =
      switch handler {
      case .synchronous(let handler):
        wax_runtime_layer_create(slot, session.pointer, rank.raw, handler, context)
      case .asynchronous(let handler):
        wax_runtime_layer_create_async(slot, session.pointer, rank.raw, handler, context)
      }
    guard let pointer else {
      throw InterceptionError(.outOfMemory, "no memory is left for an override")
    }
    self.point = point
    self.session = session
    self.rank = rank
    self.pointer = pointer
    self.owner = owner
  }

  deinit {
    wax_runtime_layer_destroy(pointer)
  }

  /// Where nothing is left below this one at its own point, its original is what is below another layer,
  /// at another point, which may be removed meanwhile.
  /// - Precondition: It is not installed yet.
  package func goOn(below other: Layer) {
    continuation = other
    wax_runtime_layer_continue(pointer, other.pointer)
  }

  var slot: OpaquePointer { wax_runtime_layer_slot(pointer) }

  /// Calls the original: the next older override that is on, else the program's own code.
  ///
  /// For the layer's handler, with the frame it was given or a copy, before it returns and on its
  /// thread. Results and error are in the frame afterwards.
  package func callNext(_ frame: UnsafeMutablePointer<wax_runtime_frame>) {
    wax_runtime_call_next(pointer, frame)
  }

  /// What `wax_runtime_call_next` wants, for handlers written in C.
  package var opaquePointer: OpaquePointer { pointer }
}

/// What stands in for the function: the second for those that are `async`.
package enum LayerHandler {
  case synchronous(wax_runtime_handler)
  case asynchronous(wax_runtime_async_handler)
}
