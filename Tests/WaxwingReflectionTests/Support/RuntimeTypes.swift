// SPDX-License-Identifier: MIT

@testable import WaxwingDeclarations

/// Asks the runtime for types by names with references in them.
enum RuntimeTypes {
  static func type(of name: EncodedTypeName) -> Any.Type? {
    // The runtime may keep what it finds in the name: leave it where it is.
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: name.bytes.count, alignment: MemoryLayout<UInt>.alignment)
    memory.copyBytes(from: name.bytes)
    guard let base = memory.baseAddress else { return nil }
    return _getTypeByMangledNameInContext(
      base.assumingMemoryBound(to: UInt8.self), UInt(name.nameLength), genericContext: nil,
      genericArguments: nil)
  }
}
