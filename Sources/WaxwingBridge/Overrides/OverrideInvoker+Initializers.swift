// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingInterception
internal import WaxwingLua
internal import WaxwingValues

/// Ends calls of initializers, whose results are the instances that they make.
extension OverrideInvoker {
  /// The result of an initializer: the value of a struct or an enum that Lua returned, unless it is
  /// the unchanged value of the original; otherwise the instance that the original made.
  func finishInitializer(
    _ frame: FramePointer, _ coroutine: LuaCoroutine, _ count: Int,
    _ active: UnsafeMutablePointer<ActiveCall>
  ) throws(LuaFailure) {
    if returnsValue(coroutine, count, active) {
      if plan.hasOpaque { try checkTaken(active) }
      do throws(ConversionError) {
        return try convertResult(frame, coroutine, active)
      } catch {
        throw wrongResult(error, count)
      }
    }
    guard active.pointee.originalRan else {
      if returnMadeObject(frame, coroutine) || returnNoObject(frame, coroutine) { return }
      if plan.hasOpaque { try checkTaken(active) }
      if makesValue, returnValue(of: coroutine.raw.pointee.receiver, frame) { return }
      throw noInstance
    }
    if !returnValue(of: coroutine.raw.pointee.receiver, frame) {
      returnOutcomeOfOriginal(frame, active)
    }
  }

  /// Whether the function makes a value of a struct or an enum.
  private var makesValue: Bool {
    guard let type = plan.initializedType else { return false }
    return [.struct, .enum, .optional].contains(TypeMetadata.kind(of: type))
  }

  /// Whether Lua returned a value in place of the one that the original made, if that has run.
  private func returnsValue(
    _ coroutine: LuaCoroutine, _ count: Int, _ active: UnsafeMutablePointer<ActiveCall>
  ) -> Bool {
    guard count > 0, makesValue, let codec = plan.result, !(codec is OpaqueCodec) else {
      return false
    }
    var reader = coroutine.reader
    let value = reader.peeked
    if value.isNil { return false }
    if value.tag == WAX_LUA_VALUE_PROXY.rawValue,
      value.pointer == UnsafeMutableRawPointer(coroutine.raw.pointee.receiver)
    {
      return false
    }
    guard let place = ActiveCall.savedResult(of: active, codec) else { return true }
    return !codec.matchesResult(&reader, place)
  }

  private var noInstance: LuaFailure {
    var remedy = ""
    if plan.result is OpaqueCodec {
      remedy =
        "; call it, `original(self, …)`: its value is opaque here, and no other can take its place"
    } else if makesValue {
      remedy = "; call it, `original(self, …)`, or return a value of \(typeName) in its place"
      if plan.result?.type is any OptionalType.Type { remedy += ", or nil to fail" }
    }
    return LuaFailure(
      kind: .fault,
      message: override.target == nil
        ? "\(place): the override of \(name) did not call the original initializer\(remedy)"
        : "\(place): the initializer of \(className) did not call self.super:init(…)",
      rawMessage: "", frames: [], swiftError: nil)
  }

  private var typeName: String {
    plan.initializedType.map(TypeName.short) ?? "the type"
  }

  private var className: String { override.target?.luaClass.name ?? name }

  /// The object that the call of an initializer is on, as the script has it.
  func uninitialized(_ coroutine: LuaCoroutine) -> UnsafeMutablePointer<wax_proxy>? {
    guard case .uninitialized = plan.receiver else { return nil }
    return coroutine.raw.pointee.receiver
  }

  /// The object that another initializer than this one has made.
  func returnMadeObject(_ frame: FramePointer, _ coroutine: LuaCoroutine) -> Bool {
    guard let receiver = uninitialized(coroutine)?.pointee,
      receiver.kind == WAX_PROXY_KIND_OBJECT.rawValue, let object = receiver.pointer
    else { return false }
    ObjectReference.retain(object)
    plan.outcome.put(frame) { $0.storeBytes(of: object, as: UnsafeMutableRawPointer.self) }
    return true
  }

  /// Returns nil from a failable initializer whose object another initializer has freed.
  /// - Returns: Whether this is such a call.
  private func returnNoObject(_ frame: FramePointer, _ coroutine: LuaCoroutine) -> Bool {
    guard isConsumed(coroutine), plan.result?.type is any OptionalType.Type else { return false }
    plan.outcome.put(frame) { $0.storeBytes(of: nil, as: UnsafeRawPointer?.self) }
    return true
  }

  func isConsumed(_ coroutine: LuaCoroutine) -> Bool {
    guard let receiver = uninitialized(coroutine)?.pointee else { return false }
    return receiver.kind == WAX_PROXY_KIND_PENDING.rawValue && receiver.pointer == nil
  }

  /// A failable initializer's override may return nil, without or with the original called before.
  /// - Returns: Whether it has.
  func failInitializer(
    _ frame: FramePointer, _ coroutine: LuaCoroutine, _ count: Int,
    _ active: UnsafeMutablePointer<ActiveCall>
  ) throws(LuaFailure) -> Bool {
    guard let codec = plan.result, codec.type is any OptionalType.Type, count > 0,
      coroutine.reader.peeked.isNil
    else { return false }
    if case .uninitialized(let type) = plan.receiver,
      let receiver = uninitialized(coroutine)?.pointee,
      receiver.kind == WAX_PROXY_KIND_PENDING.rawValue, let object = receiver.pointer
    {
      Instance.abandon(object, madeBy: type)
    }
    do throws(ConversionError) {
      try convertResult(frame, coroutine, active)
    } catch {
      throw wrongResult(error, count)
    }
    return true
  }

  /// A struct or enum may have been changed since the original made it: what the script has counts.
  private func returnValue(of receiver: UnsafeMutablePointer<wax_proxy>?, _ frame: FramePointer)
    -> Bool
  {
    guard let codec = plan.result, let receiver = receiver?.pointee,
      receiver.kind == WAX_PROXY_KIND_VALUE.rawValue, let box = receiver.pointer,
      let type = receiver.type
    else { return false }
    plan.outcome.put(frame) { Instance.copy(box, TypeMetadata.type(at: type), to: $0, codec) }
    return true
  }

  /// Assigns the `inout` values of an initializer: the values that the Lua function returned after
  /// the instance, or else the values that the original left.
  func assignInouts(
    ofInitializer frame: FramePointer, _ coroutine: LuaCoroutine, _ count: Int,
    _ active: UnsafeMutablePointer<ActiveCall>
  ) throws(LuaFailure) {
    guard !plan.inouts.isEmpty else { return }
    do throws(ConversionError) {
      if count > 1,
        let values = try InoutValues.read(
          plan.variables, after: plan.result, from: coroutine, count, required: plan.inouts.count,
          in: active)
      {
        if let left = active.pointee.takeInouts() { values.fill(from: left) }
        assign(values, frame)
      } else if let left = active.pointee.takeInouts() {
        assign(left, frame)
      }
    } catch {
      throw wrongResult(error, count)
    }
  }
}
