// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingValues

/// Tells which functions C can pass for Lua code.
extension CallStep {
  /// A function that Lua code passes; nil: it is none.
  var compiledFunction: wax_call_step? {
    guard let offset, let codec = codec.takeUnretainedValue() as? FunctionCodec,
      !codec.plan.isCFunction
    else { return nil }
    return wax_call_step(WAX_LUA_MOVE_FUNCTION, offset, isOwned: isOwned)
  }

  /// The type that a value has to have, as `wax_call_direct.types` says it.
  var compiledType: UnsafeRawPointer? {
    let codec = codec.takeUnretainedValue()
    if let function = codec as? FunctionCodec {
      return UnsafeRawPointer(Unmanaged.passUnretained(function.plan).toOpaque())
    }
    return (codec as? ObjectCodec)?.metadata
  }
}
