// SPDX-License-Identifier: MIT

internal import Synchronization
package import WaxwingInterception

/// Reads the shape of a type from the runtime's metadata.
package enum ShapeReader {
  /// How values of the type travel: by address if they cannot be moved by copying their bytes.
  /// - Throws: `UnsupportedType` if the metadata does not tell.
  package static func value(_ type: any Any.Type) throws(UnsupportedType) -> CallLayout.Value {
    let key = ObjectIdentifier(type)
    if let known = known.withLock({ $0[key] }) { return known }
    let value = try read(type)
    known.withLock { $0[key] = value }
    return value
  }

  /// Types are there for good, and as many as signatures name: what has been read of them is kept.
  private static let known = Mutex<[ObjectIdentifier: CallLayout.Value]>([:])

  private static func read(_ type: any Any.Type) throws(UnsupportedType) -> CallLayout.Value {
    guard ValueWitnesses(of: type).isCopyable else {
      throw UnsupportedType(type, because: "its values cannot be copied (`~Copyable`)")
    }
    let (size, alignment) = layout(of: type)
    var isAddressOnly = false
    let leaves = try leaves(of: type, size: size, at: 0, &isAddressOnly)
    return isAddressOnly
      ? .indirect : .direct(TypeShape(size: size, alignment: alignment, leaves: leaves))
  }

  private static func layout(of type: any Any.Type) -> (size: Int, alignment: Int) {
    func measure<Value>(_: Value.Type) -> (size: Int, alignment: Int) {
      (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
    }
    return _openExistential(type, do: measure)
  }

  private static func leaves(
    of type: any Any.Type, size: Int, at offset: Int, _ isAddressOnly: inout Bool,
    written: FieldSpelling = .natural
  ) throws(UnsupportedType) -> [TypeShape.Leaf] {
    if size == 0 {
      try checkResilience(of: type, size, [], &isAddressOnly)
      return []
    }
    switch TypeMetadata.kind(of: type) {
    case .class, .foreignClass:
      return [.init(offset: offset, size: size, kind: .pointer)]
    case .struct:
      let leaves = try fields(of: type, at: offset, &isAddressOnly)
      try checkResilience(of: type, size, leaves, &isAddressOnly)
      return leaves
    case .enum, .optional:
      let leaves = try enumLeaves(of: type, size: size, at: offset, &isAddressOnly)
      try checkResilience(of: type, size, leaves, &isAddressOnly)
      return leaves
    case .tuple:
      var leaves: [TypeShape.Leaf] = []
      for (index, element) in TypeMetadata.elements(of: type).enumerated() {
        leaves += try Self.leaves(
          of: element.type, size: layout(of: element.type).size, at: offset + element.offset,
          &isAddressOnly, written: written.element(index))
      }
      return leaves
    case .function:
      return stride(from: 0, to: size, by: 8).map {
        .init(offset: offset + $0, size: 8, kind: .pointer)
      }
    case .existential, .extendedExistential:
      if TypeMetadata.existentialForm(of: type) == .opaque { isAddressOnly = true }
      return stride(from: 0, to: size, by: 8).map {
        .init(offset: offset + $0, size: 8, kind: .pointer)
      }
    case .metatype where written.isThin(type):
      return []
    case .metatype, .existentialMetatype:
      return stride(from: 0, to: size, by: 8).map {
        .init(offset: offset + $0, size: 8, kind: .pointer)
      }
    case .opaque:
      return [try BuiltinLeaf.leaf(of: type, size: size, at: offset)]
    default:
      throw UnsupportedType(type, because: "values of this kind cannot be passed yet")
    }
  }

  /// A struct or enum that may be changed without its users being compiled again goes by address.
  private static func checkResilience(
    of type: any Any.Type, _ size: Int, _ leaves: [TypeShape.Leaf], _ isAddressOnly: inout Bool
  ) throws(UnsupportedType) {
    if isAddressOnly { return }
    let shape = TypeShape(size: size, alignment: layout(of: type).alignment, leaves: leaves)
    isAddressOnly = try ResilientTypes.isResilient(type, shape)
  }

  private static func fields(
    of type: any Any.Type, at offset: Int, _ isAddressOnly: inout Bool
  ) throws(UnsupportedType) -> [TypeShape.Leaf] {
    if !isBitwiseTakable(type) { isAddressOnly = true }
    let fields = TypeMetadata.fields(of: type)
    let isOfC = ContextDescriptor(TypeMetadata.descriptor(of: type))?.module == "__C"
    if fields.isEmpty, !isOfC {
      throw UnsupportedType(
        type,
        because: MissingMetadata(type)?.description
          ?? "the runtime does not tell what it is made of")
    }
    var leaves: [TypeShape.Leaf] = []
    let written = FieldSpelling.all(in: type)
    for (index, field) in fields.enumerated() {
      leaves += try Self.leaves(
        of: field.type, size: layout(of: field.type).size, at: offset + field.offset,
        &isAddressOnly, written: written.indices.contains(index) ? written[index] : .natural)
    }
    if isOfC {
      leaves += unimported(in: layout(of: type), at: offset, beside: leaves)
      leaves.sort { $0.offset < $1.offset }
    }
    return leaves
  }

  /// The bytes of a C struct that belong to none of its stored properties: unions and bit-fields, which
  /// Swift imports as computed properties, and padding. The compiler lowers C structs by clang's rules,
  /// to which a union of integers and pointers, or a bit-field, is bytes of no known kind
  /// (`SwiftAggLowering::addTypedData` and `addBitFieldData` in clang's SwiftCallingConv.cpp). Padding may be
  /// taken for such in a chunk of eight bytes that has an integer anyway; elsewhere it is left out.
  private static func unimported(
    in layout: (size: Int, alignment: Int), at start: Int, beside leaves: [TypeShape.Leaf]
  ) -> [TypeShape.Leaf] {
    var found: [TypeShape.Leaf] = []
    var end = start
    for next in leaves.sorted(by: { $0.offset < $1.offset }) {
      found += gap(end..<max(end, next.offset), upTo: next, beside: leaves)
      end = max(end, next.offset + next.size)
    }
    let last = start + layout.size
    if end < last {
      // A union is as aligned as the struct, and whole words of it are no padding.
      let isPadding = last - end < layout.alignment && end > start
      if !isPadding || hasInteger(leaves, inChunkOf: end) {
        found.append(.init(offset: end, size: last - end, kind: .opaque))
      }
    }
    return found
  }

  private static func gap(
    _ range: Range<Int>, upTo next: TypeShape.Leaf, beside leaves: [TypeShape.Leaf]
  ) -> [TypeShape.Leaf] {
    if range.isEmpty { return [] }
    let isPadding = range.count < next.size && range.upperBound % next.size == 0
    let isHarmless = hasInteger(leaves, inChunkOf: range.lowerBound)
    guard !isPadding || isHarmless else { return [] }
    return [.init(offset: range.lowerBound, size: range.count, kind: .opaque)]
  }

  private static func hasInteger(_ leaves: [TypeShape.Leaf], inChunkOf offset: Int) -> Bool {
    leaves.contains { leaf in
      let isInteger = [.integer, .pointer, .opaque].contains(leaf.kind)
      return isInteger && leaf.offset / 8 <= offset / 8
        && offset / 8 <= (leaf.offset + leaf.size - 1) / 8
    }
  }

  /// An enum of one case is nothing but the payload of that; any other is bits of which nothing is
  /// known (`addToAggLowering` of the strategies in lib/IRGen/GenEnum.cpp, Swift 6.3).
  private static func enumLeaves(
    of type: any Any.Type, size: Int, at offset: Int, _ isAddressOnly: inout Bool
  ) throws(UnsupportedType) -> [TypeShape.Leaf] {
    if try !isLoadable(enum: type) { isAddressOnly = true }
    let cases = EnumCase.all(of: type)
    guard cases.count == 1, cases[0].hasPayload else {
      return [.init(offset: offset, size: size, kind: .opaque)]
    }
    if cases[0].isIndirect { return [.init(offset: offset, size: size, kind: .pointer)] }
    guard let payload = cases[0].payload else {
      throw UnsupportedType(type, because: "the runtime does not tell the type of its payload")
    }
    return try leaves(
      of: payload, size: layout(of: payload).size, at: offset, &isAddressOnly,
      written: FieldSpelling.all(in: type).first ?? .natural)
  }

  /// An enum with a payload that goes by address goes by address.
  private static func isLoadable(enum type: any Any.Type) throws(UnsupportedType) -> Bool {
    guard isBitwiseTakable(type) else { return false }
    guard let payloads = EnumCase.directPayloads(of: type) else {
      throw UnsupportedType(
        type,
        because: MissingMetadata(type)?.description
          ?? "the runtime does not tell the types of its payloads")
    }
    for payload in payloads {
      // Of what has no bytes only a struct or an enum may have some one day.
      let mayGrow = [.struct, .enum].contains(TypeMetadata.kind(of: payload))
      if layout(of: payload).size > 0 || mayGrow, try value(payload) == .indirect { return false }
    }
    return true
  }

  private static func isBitwiseTakable(_ type: any Any.Type) -> Bool {
    ValueWitnesses(of: type).isBitwiseTakable
  }
}
