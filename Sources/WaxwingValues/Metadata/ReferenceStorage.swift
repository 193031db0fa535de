// SPDX-License-Identifier: MIT

internal import CWaxwingABI

/// How a stored property holds what it refers to.
package enum ReferenceStorage {
  /// The property is a plain value.
  case strong
  case weak
  case unowned
  /// `unowned(unsafe)`: whether its object still exists cannot be known.
  case unmanaged

  /// Reads the storage of a property that is not strong from its record.
  init(_ record: FieldRecords.Record?) {
    switch record?.type?.suffix {
    case "Xw": self = .weak
    case "Xo": self = .unowned
    default: self = .unmanaged
    }
  }

  /// Initializes `target` with the plain value: a strong reference, and the witness tables that may
  /// stand behind it.
  /// - Returns: Whether the object exists. If not `target` is nil for `weak`, else uninitialized.
  package func load(
    _ source: UnsafeMutableRawPointer, size: Int, into target: UnsafeMutableRawPointer
  ) -> Bool {
    target.copyMemory(from: source, byteCount: size)
    let object =
      switch self {
      case .weak: wax_abi_weak_load(source)
      default: wax_abi_try_retain(source.load(as: UnsafeMutableRawPointer?.self))
      }
    if self == .weak, object == nil {
      // No object is nil, in an existential too.
      target.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    } else {
      target.storeBytes(of: object, as: UnsafeMutableRawPointer?.self)
    }
    return object != nil
  }

  /// Lets the property refer to what the plain value at `value` refers to, which keeps its own
  /// reference.
  func assign(
    _ value: UnsafeMutableRawPointer, size: Int, to target: UnsafeMutableRawPointer
  ) {
    let object = value.load(as: UnsafeMutableRawPointer?.self)
    if self == .weak {
      wax_abi_weak_assign(target, object)
    } else {
      wax_abi_unowned_retain(object)
      wax_abi_unowned_release(target.load(as: UnsafeMutableRawPointer?.self))
      target.storeBytes(of: object, as: UnsafeMutableRawPointer?.self)
    }
    copyWitnesses(value, size, target)
  }

  /// Initializes a property that does not exist yet, as `assign` changes one that does.
  func initialize(
    _ value: UnsafeMutableRawPointer, size: Int, at target: UnsafeMutableRawPointer
  ) {
    let object = value.load(as: UnsafeMutableRawPointer?.self)
    if self == .weak {
      wax_abi_weak_init(target, object)
    } else {
      wax_abi_unowned_retain(object)
      target.storeBytes(of: object, as: UnsafeMutableRawPointer?.self)
    }
    copyWitnesses(value, size, target)
  }

  private func copyWitnesses(
    _ value: UnsafeMutableRawPointer, _ size: Int, _ target: UnsafeMutableRawPointer
  ) {
    let word = MemoryLayout<UnsafeRawPointer>.size
    guard size > word else { return }
    (target + word).copyMemory(from: value + word, byteCount: size - word)
  }
}
