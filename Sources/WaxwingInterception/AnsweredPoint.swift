// SPDX-License-Identifier: MIT

import CWaxwingRuntime

/// The handler of the calls of a patch point that no override takes.
package enum AnswerHandler {
  case synchronous(ClosureHandler)
  /// A handler of async calls, which neither declines nor waits.
  case asynchronous(AsyncHandler)
}

/// Patch points that have no function of their own, such as words of witness tables that are made at
/// run time.
package enum AnsweredPoint {
  /// Gives the patch point its slot, whose stub is the entry's baseline word from now on.
  /// - Parameter context: What the handler is called with, for as long as the process lives.
  /// - Precondition: The point is a word, and it has never been overridden.
  package static func claim(
    _ point: InterceptionPoint, _ handler: AnswerHandler, context: UnsafeMutableRawPointer
  ) throws(InterceptionError) {
    let claim =
      switch handler {
      case .synchronous(let handler):
        wax_runtime_slot_claim_answering(point.raw, handler, context)
      case .asynchronous(let handler):
        wax_runtime_slot_claim_answering_async(point.raw, handler, context)
      }
    if claim != WAX_RUNTIME_CLAIM_OK { throw InterceptionError(claim) }
  }
}

extension InterceptionError {
  /// Why a patch point has no slot, or its entry was not written. On the thread that was refused.
  init(_ claim: wax_runtime_claim) {
    switch claim {
    case WAX_RUNTIME_CLAIM_FOREIGN:
      self = .foreignWord
    case WAX_RUNTIME_CLAIM_NO_MEMORY:
      self.init(.outOfMemory, "no memory is left for an override")
    case WAX_RUNTIME_CLAIM_UNSUPPORTED:
      self.init(.unsupportedCPU, "functions cannot be overridden on this CPU")
    case WAX_RUNTIME_CLAIM_EXHAUSTED:
      self.init(
        .stubsExhausted,
        "all \(wax_runtime_slot_capacity()) patch points of a process are in use; "
          + "restart it to override others")
    case WAX_RUNTIME_CLAIM_NO_POINTER:
      self.init(
        .foreignEntry, "there is no async function pointer in writable data of a loaded image")
    case WAX_RUNTIME_CLAIM_NO_ROOM_NEARBY:
      self.init(
        .outOfMemory,
        "no executable memory can be mapped within 2 GB of the function: the address space there is full or "
          + "limited, or the system's policy forbids it")
    case WAX_RUNTIME_CLAIM_CONFLICT:
      self.init(
        .conflict, "the patch point was overridden before with another function or signature")
    default:
      self.init(ofCode: claim, wax_runtime_claim_details_of_thread())
    }
  }
}
