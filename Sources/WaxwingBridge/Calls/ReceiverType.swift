// SPDX-License-Identifier: MIT

package import CWaxwingLua
internal import WaxwingLua
internal import WaxwingValues

/// The type that a method is looked up on.
package enum ReceiverType {
  /// The class of an object, also of one that is being initialized; or a class itself.
  package static func of(_ value: wax_lua_value) -> (any Any.Type)? {
    switch wax_lua_tag(rawValue: value.tag) {
    case WAX_LUA_VALUE_OBJECT: return value.pointer.map { ObjectReference.dynamicType($0) }
    case WAX_LUA_VALUE_METATYPE:
      return value.pointer.map { TypeMetadata.type(at: UnsafeRawPointer($0)) }
    case WAX_LUA_VALUE_PROXY:
      let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
      guard proxy.kind == WAX_PROXY_KIND_PENDING.rawValue else { return nil }
      return proxy.type.map { TypeMetadata.type(at: $0) }
    default: return nil
    }
  }
}
