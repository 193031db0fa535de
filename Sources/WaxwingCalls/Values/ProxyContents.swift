// SPDX-License-Identifier: MIT

internal import CWaxwingProxies
internal import WaxwingMetadata
internal import WaxwingOverrides
internal import WaxwingValues

/// What proxies hold.
package enum ProxyContents {
  /// Gives it up. Runs with the Lua state left: deinitializers may do anything.
  package static func release(
    _ kind: UInt32, _ pointer: UnsafeMutableRawPointer?, _ type: UnsafeRawPointer?
  ) {
    guard let pointer else { return }
    switch waxwing_proxy_kind(rawValue: kind) {
    case WAXWING_PROXY_OBJECT: ObjectReference.release(pointer)
    case WAXWING_PROXY_VALUE: if let type { ValueBox.release(pointer, type: type) }
    case WAXWING_PROXY_ERROR: SwiftErrorBox.release(UInt64(UInt(bitPattern: pointer)))
    case WAXWING_PROXY_CLOSURE, WAXWING_PROXY_LENT_CLOSURE:
      Unmanaged<SwiftClosure>.fromOpaque(pointer).release()
    default: break
    }
  }
}
