// SPDX-License-Identifier: MIT

internal import WaxwingInterception
internal import WaxwingValues

/// A result tuple of which some elements are returned through addresses that the caller passes
/// before the arguments. The others are returned together, as a tuple of their own. This differs
/// from the memory of a tuple in a tuple: `(Int8, (Int8, Int32))` is returned as `(Int8, Int8,
/// Int32)`.
struct SplitResult {
  private struct Element {
    let offset: Int
    let size: Int
    /// The type of the element; nil if its values are moved by their bytes.
    let type: (any Any.Type)?
    /// The offset among the elements that are returned together; nil if the element is returned by
    /// address.
    let compactOffset: Int?
    let address: ValueLocation
  }

  private let elements: [Element]
  /// The size of the part that is returned together, in bytes.
  let compactSize: Int

  init(_ parts: [FunctionShape.Part], _ addresses: [ValueLocation]) {
    var addresses = addresses[...]
    var compact = TypeShape.empty
    elements = parts.map { part in
      guard case .direct(let shape) = part.value else {
        return Element(
          offset: part.offset, size: part.size, type: part.type, compactOffset: nil,
          address: addresses.popFirst() ?? .none)
      }
      let offset = compact.size.roundedUp(toMultipleOf: shape.alignment)
      compact.size = offset + shape.size
      return Element(
        offset: part.offset, size: part.size, type: nil, compactOffset: offset, address: .none)
    }
    compactSize = compact.size
  }

  /// Whether the elements that are returned together stand so in the tuple.
  var isAsInMemory: Bool { elements.allSatisfy { $0.compactOffset == $0.offset } }

  /// Tells a function that is about to be called where to put elements of the tuple at `target`.
  func passAddresses(
    _ target: UnsafeMutableRawPointer, _ frame: FramePointer
  ) {
    for element in elements where element.compactOffset == nil {
      element.address.scatter(target + element.offset, size: 8, frame)
    }
  }

  /// Puts what has been returned together into the tuple at `target`.
  func spread(_ compact: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    for element in elements {
      guard let offset = element.compactOffset else { continue }
      (target + element.offset).copyMemory(from: compact + offset, byteCount: element.size)
    }
  }

  /// Moves elements of the tuple at `source`, which a function is returning, to the addresses that
  /// the caller passed, and the others to `compact`.
  func move(
    _ source: UnsafeMutableRawPointer, to compact: UnsafeMutableRawPointer,
    _ frame: FramePointer
  ) {
    for element in elements {
      let part = source + element.offset
      guard
        let target = element.compactOffset.map({ compact + $0 }) ?? element.address.memory(frame)
      else { continue }
      if let type = element.type {
        ValueWitnesses(of: type).take(part, to: target)
      } else {
        target.copyMemory(from: part, byteCount: element.size)
      }
    }
  }
}

extension Int {
  fileprivate func roundedUp(toMultipleOf unit: Int) -> Int { (self + unit - 1) / unit * unit }
}
