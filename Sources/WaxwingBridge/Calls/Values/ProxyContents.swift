// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingValues

/// Releases and describes the contents of proxies.
package enum ProxyContents {
  /// Gives it up. Runs with the Lua state left: deinitializers may do anything.
  package static func release(
    _ kind: UInt32, _ pointer: UnsafeMutableRawPointer?, _ type: UnsafeRawPointer?
  ) {
    guard let pointer else { return }
    switch wax_proxy_kind(rawValue: kind) {
    case WAX_PROXY_KIND_OBJECT: ObjectReference.release(pointer)
    case WAX_PROXY_KIND_VALUE: if let type { ValueBox.release(pointer, type: type) }
    case WAX_PROXY_KIND_ERROR: SwiftErrorBox.release(UInt64(UInt(bitPattern: pointer)))
    case WAX_PROXY_KIND_CLOSURE, WAX_PROXY_KIND_LENT_CLOSURE:
      Unmanaged<SwiftClosure>.fromOpaque(pointer).release()
    default: break
    }
  }
}
