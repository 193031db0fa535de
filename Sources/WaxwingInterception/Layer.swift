// SPDX-License-Identifier: MIT

package import CWaxwingRuntime

/// One override of one patch point, from `Interceptor.install` until it is removed and no call can
/// see it any more.
///
/// Safe to send: everything is fixed once the interceptor has made it.
package final class Layer: @unchecked Sendable {
  package let point: InterceptionPoint
  package let session: Switch
  package let rank: LayerRank
  let pointer: OpaquePointer
  /// Kept for the handler, whose context it usually is.
  private let owner: AnyObject?

  init(
    at point: InterceptionPoint, slot: OpaquePointer, session: Switch, rank: LayerRank,
    handler: @escaping waxwing_handler, context: UnsafeMutableRawPointer?, owner: AnyObject?
  ) throws(InterceptionError) {
    guard let pointer = waxwing_layer_create(slot, session.pointer, rank.raw, handler, context)
    else {
      throw InterceptionError(.outOfMemory, "no memory is left for an override")
    }
    self.point = point
    self.session = session
    self.rank = rank
    self.pointer = pointer
    self.owner = owner
  }

  deinit {
    waxwing_layer_destroy(pointer)
  }

  var slot: OpaquePointer { waxwing_layer_slot(pointer) }

  /// Calls the original: the next older override that is on, else the program's own code.
  ///
  /// For the layer's handler, with the frame it was given or a copy, before it returns and on its
  /// thread. Results and error are in the frame afterwards.
  package func callNext(_ frame: UnsafeMutablePointer<waxwing_frame>) {
    waxwing_call_next(pointer, frame)
  }

  /// What `waxwing_call_next` wants, for handlers written in C.
  package var opaquePointer: OpaquePointer { pointer }
}
