// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingLua

/// What `tostring` gives for a proxy.
enum ProxyDescription {
  static func of(_ value: waxwing_value, _ typeName: String, in state: LuaState) -> String {
    if value.tag == WAXWING_OBJECT.rawValue {
      return "\(typeName): 0x\(String(UInt(bitPattern: value.pointer), radix: 16))"
    }
    let proxy = value.pointer.assumingMemoryBound(to: waxwing_proxy.self).pointee
    guard proxy.kind == WAXWING_PROXY_VALUE.rawValue, let box = proxy.pointer, let type = proxy.type
    else { return "\(typeName) (not initialized)" }
    // The program's own `description` may run.
    return state.suspended { describe(box, TypeMetadata.type(at: type)) }
  }

  private static func describe(_ box: UnsafeMutableRawPointer, _ type: any Any.Type) -> String {
    func describe<Value>(_: Value.Type) -> String {
      String(describing: box.assumingMemoryBound(to: Value.self).pointee)
    }
    return _openExistential(type, do: describe)
  }
}
