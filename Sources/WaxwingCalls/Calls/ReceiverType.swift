// SPDX-License-Identifier: MIT

package import CWaxwingLua
internal import CWaxwingProxies
internal import WaxwingLua
internal import WaxwingMetadata

/// The type that a method is looked up on.
package enum ReceiverType {
  /// The class of an object, also of one that is being initialized; or a class itself.
  package static func of(_ value: waxwing_value) -> (any Any.Type)? {
    switch waxwing_tag(rawValue: value.tag) {
    case WAXWING_OBJECT: return value.pointer.map { ObjectReference.dynamicType($0) }
    case WAXWING_METATYPE: return value.pointer.map { TypeMetadata.type(at: UnsafeRawPointer($0)) }
    case WAXWING_PROXY:
      let proxy = value.pointer.assumingMemoryBound(to: waxwing_proxy.self).pointee
      guard proxy.kind == WAXWING_PROXY_PENDING.rawValue else { return nil }
      return proxy.type.map { TypeMetadata.type(at: $0) }
    default: return nil
    }
  }
}
