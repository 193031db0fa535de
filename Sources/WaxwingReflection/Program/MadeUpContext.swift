// SPDX-License-Identifier: MIT

internal import Synchronization

/// Descriptors of contexts that no source has, one for each list of parameter counts: structs, each
/// in the one before it, the outermost in a module.
///
///     module: { 0, no parent, name: relative pointer } "A"
///     struct: { flags, parent, … 24 bytes … } { 8 bytes }
///             { parameters, requirements, key arguments, 0: UInt16 } { 0x80 } for each parameter
///
/// include/swift/ABI/Metadata.h and GenericContext.h, Swift 6.3. The runtime reads kind, parent and
/// numbers only.
package enum MadeUpContext {
  private static let genericStruct: UInt32 = 17 | 0x80
  private static let moduleSize = 16
  private static let headerOffset = 36

  private static let known = Mutex<[[Int]: UInt]>([:])

  package static func descriptor(_ counts: [Int]) -> UnsafeRawPointer? {
    let address = known.withLock { known in
      let address = known[counts] ?? (unsafe UInt(bitPattern: make(counts)))
      known[counts] = address
      return address
    }
    return unsafe UnsafeRawPointer(bitPattern: address)
  }

  /// Makes the descriptor of each level after its parent's, in memory that is never freed.
  private static func make(_ counts: [Int]) -> UnsafeRawPointer {
    let totals = counts.indices.map { counts.prefix($0 + 1).reduce(0, +) }
    let size = moduleSize + totals.map(Self.size).reduce(0, +)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    unsafe memory.storeBytes(of: 4, toByteOffset: 8, as: Int32.self)
    unsafe memory.storeBytes(of: UInt8(ascii: "A"), toByteOffset: 12, as: UInt8.self)
    var parent = unsafe memory
    var next = unsafe memory + moduleSize
    for total in totals {
      unsafe next.storeBytes(of: genericStruct, as: UInt32.self)
      unsafe next.storeBytes(of: Int32(parent - (next + 4)), toByteOffset: 4, as: Int32.self)
      let header = unsafe next + headerOffset
      unsafe header.storeBytes(of: UInt16(total), as: UInt16.self)
      unsafe header.storeBytes(of: UInt16(total), toByteOffset: 4, as: UInt16.self)
      for index in 0..<total {
        unsafe header.storeBytes(of: 0x80, toByteOffset: 8 + index, as: UInt8.self)
      }
      unsafe parent = next
      unsafe next += Self.size(total)
    }
    return UnsafeRawPointer(parent)
  }

  private static func size(_ parameters: Int) -> Int {
    (headerOffset + 8 + parameters + 7) / 8 * 8
  }
}
