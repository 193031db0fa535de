// SPDX-License-Identifier: MIT

import CWaxwingRuntime

/// One override of one patch point, from `Interceptor.install` until it is removed and no call can
/// see it any more.
///
/// Unchecked: everything is fixed once the interceptor has made it.
package final class InstalledOverride: @unchecked Sendable {
  package var point: InterceptionPoint { InterceptionPoint(ofSlot: slot) }
  let session: SessionSwitch
  package var rank: LayerRank { LayerRank(wax_runtime_layer_rank(pointer)) }
  let pointer: OpaquePointer
  /// An object that the override keeps alive for the handler, usually the handler's context.
  private let owner: AnyObject?
  private var continuation: InstalledOverride?

  init(
    slot: OpaquePointer, session: SessionSwitch, rank: LayerRank,
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
    self.session = session
    self.pointer = pointer
    self.owner = owner
  }

  deinit {
    wax_runtime_layer_destroy(pointer)
  }

  /// Continues below another layer if nothing is left below this one at its own point: its original
  /// is then the code below that layer at another point, which may be removed meanwhile.
  /// - Precondition: It is not installed yet.
  package func goOn(below other: InstalledOverride) {
    continuation = other
    wax_runtime_layer_continue(pointer, other.pointer)
  }

  var slot: OpaquePointer { wax_runtime_layer_slot(pointer) }

  /// A reference to the override that does not keep it alive.
  package var reference: Reference { Reference(pointer) }
}

extension InstalledOverride {
  /// A layer that another object keeps, such as the owner of the handler that is running.
  package struct Reference {
    /// The override as C knows it.
    package let pointer: OpaquePointer

    fileprivate init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// - Parameter address: As C has it.
    @inlinable
    package init?(_ address: UnsafeRawPointer?) {
      guard let address else { return nil }
      pointer = OpaquePointer(address)
    }

    /// Calls the original: the next older override that is on, else the program's own code.
    ///
    /// For the layer's handler, with the frame it was given or a copy, before it returns and on its
    /// thread. Results and error are in the frame afterwards.
    @inlinable
    package func callNext(_ frame: FramePointer) { wax_runtime_call_next(pointer, frame) }

    /// Calls the next layer for a caller that is not in the layer's handler.
    /// - Returns: False if the layer has been removed, and nothing was called.
    package func callNextIfInstalled(_ frame: FramePointer) -> Bool {
      wax_runtime_call_next_if_installed(pointer, frame)
    }
  }
}
