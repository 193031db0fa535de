// SPDX-License-Identifier: MIT

internal import CWaxwingCalls
internal import CWaxwingLua
internal import WaxwingPlans
internal import WaxwingValues

/// What C can move of functions that Lua code passes.
extension CallStep {
  /// A function that Lua code passes; nil: it is none.
  var compiledFunction: waxwing_step? {
    guard let offset, let codec = codec.takeUnretainedValue() as? FunctionCodec,
      !codec.plan.isCFunction
    else { return nil }
    return waxwing_step(WAXWING_MOVE_FUNCTION, offset, isOwned: isOwned)
  }

  /// What a value has to be, as `waxwing_direct.types` says it.
  var compiledType: UnsafeRawPointer? {
    let codec = codec.takeUnretainedValue()
    if let function = codec as? FunctionCodec {
      return UnsafeRawPointer(Unmanaged.passUnretained(function.plan).toOpaque())
    }
    return (codec as? ObjectCodec)?.metadata
  }
}
