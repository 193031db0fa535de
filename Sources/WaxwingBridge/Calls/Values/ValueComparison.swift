// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

/// Compares values in proxies by the type's own `Equatable` and `Comparable`: `==`, `<` and `<=`.
struct ValueComparison {
  private let type: any Any.Type
  private let state: LuaState

  init(_ type: any Any.Type, _ state: LuaState) {
    self.type = type
    self.state = state
  }

  private var name: String { TypeName.short(type) }

  /// Compares for equality; Lua calls this as (proxy, proxy).
  func equal(_ call: inout LuaCall) throws(LuaRaise) {
    guard let equatable = type as? any Equatable.Type else {
      throw .message("\(name) is not Equatable: compare its parts")
    }
    let (left, right) = try operands(call)
    func compare<Value: Equatable>(_: Value.Type) -> Bool? {
      guard let left = left as? Value, let right = right as? Value else { return nil }
      return left == right
    }
    let result = state.suspended { _openExistential(equatable, do: compare) }
    call.writer.boolean(result ?? false)
  }

  /// Compares by order; Lua calls this as (value, value).
  func less(_ call: inout LuaCall, orEqual: Bool) throws(LuaRaise) {
    guard let comparable = type as? any Comparable.Type else {
      throw .message("\(name) is not Comparable")
    }
    let (left, right) = try operands(call)
    func compare<Value: Comparable>(_: Value.Type) -> Bool? {
      guard let left = left as? Value, let right = right as? Value else { return nil }
      return orEqual ? left <= right : left < right
    }
    let result = state.suspended { _openExistential(comparable, do: compare) }
    call.writer.boolean(result ?? false)
  }

  /// Copies, so that nothing changes them while the state is left.
  private func operands(_ call: LuaCall) throws(LuaRaise) -> (Any, Any) {
    var reader = call.arguments
    let left = try operand(&reader)
    return (left, try operand(&reader))
  }

  private func operand(_ reader: inout LuaReader) throws(LuaRaise) -> Any {
    if let held = ValueBox.contents(of: reader.peeked, type: TypeMetadata.pointer(to: type)) {
      _ = reader.read()
      func load<Value>(_: Value.Type) -> Any { held.assumingMemoryBound(to: Value.self).pointee }
      return _openExistential(type, do: load)
    }
    do throws(ConversionError) {
      return try CodecLibrary.known(type).readAny(&reader)
    } catch {
      throw .message("attempt to compare a \(name) with something else: \(error)")
    }
  }
}

extension ValueCodec {
  /// Reads one value as an `Any`.
  func readAny(_ reader: inout LuaReader) throws(ConversionError) -> Any {
    let memory = ValueBox.allocate(size: size, alignment: alignment)
    defer { memory.deallocate() }
    try read(&reader, into: memory)
    func move<Value>(_: Value.Type) -> Any { memory.assumingMemoryBound(to: Value.self).move() }
    return _openExistential(type, do: move)
  }
}
