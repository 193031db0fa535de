// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// The stored properties and cases of an image's types, as its reflection metadata has them; read from
/// the file, so that nothing is run.
///
///     field descriptor: { type, superclass: relative; kind, record size: UInt16; count: UInt32 }
///     record:           { flags: UInt32; type, name: relative }
///
/// include/swift/RemoteInspection/Records.h, Swift 6.3. `FieldRecords` reads those of running types.
package struct FieldCatalog: Sendable {
  /// The contents of a type's field descriptor.
  package struct Fields: Sendable {
    /// The superclass; nil if there is none, or it is not known.
    package let superclass: TypeNode?
    /// Cases of an enum, or stored properties.
    package let isEnum: Bool
    package let records: [Record]
  }

  /// A stored property, or a case.
  package struct Record: Sendable {
    package let name: String
    /// The type of the field; nil for a case without payload, or a type that has no name in the
    /// file.
    package let type: TypeNode?
    /// Whether a case has a payload; true for stored properties.
    package let hasPayload: Bool
    package let isVariable: Bool
  }

  /// The fields by unbound type.
  package let fields: [NominalType: Fields]

  /// - Parameter types: The types of the image.
  package init(image: ElfImage, types: TypeDescriptorCatalog) {
    let reader = FieldReader(image, types)
    var found: [NominalType: Fields] = [:]
    // What lies in the file is no larger than the file, so that the loop ends.
    guard let section = image.section(named: "swift5_fieldmd"),
      (try? image.range(of: section)) != nil
    else {
      fields = found
      return
    }
    let end = section.address.addingReportingOverflow(section.size)
    var address = section.address
    while !end.overflow, address < end.partialValue,
      let descriptor = reader.descriptor(at: address, end: end.partialValue)
    {
      if let type = descriptor.type { found[type] = descriptor.fields }
      address = descriptor.end
    }
    fields = found
  }
}

/// Reads field descriptors.
private struct FieldReader {
  private static let headerSize: UInt64 = 16
  private static let enumKinds: Set<UInt16> = [2, 3]

  private let memory: ElfMemory
  private let types: [UInt64: NominalType]

  init(_ image: ElfImage, _ catalog: TypeDescriptorCatalog) {
    memory = ElfMemory(image)
    types = Dictionary(
      catalog.descriptors.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
  }

  /// A descriptor with its type, if that has a name, and where the next one is; nil: there is none.
  func descriptor(
    at address: UInt64, end: UInt64
  ) -> (type: NominalType?, fields: FieldCatalog.Fields, end: UInt64)? {
    guard end - address >= Self.headerSize, let kind = memory.load(UInt16.self, at: address + 8),
      let size = memory.load(UInt16.self, at: address + 10), size >= 12,
      let count = memory.load(UInt32.self, at: address + 12)
    else { return nil }
    let records = address + Self.headerSize
    let length = UInt64(count) * UInt64(size)
    guard length <= end - records else { return nil }
    let fields = FieldCatalog.Fields(
      superclass: memory.relative(at: address + 4).flatMap(type),
      isEnum: Self.enumKinds.contains(kind),
      records: (0..<UInt64(count)).map { record(at: records + $0 * UInt64(size)) })
    let owner = memory.relative(at: address).flatMap(type)?.nominal?.unbound
    return (owner, fields, records + length)
  }

  private func record(at address: UInt64) -> FieldCatalog.Record {
    let type = memory.relative(at: address + 4)
    return FieldCatalog.Record(
      name: memory.relative(at: address + 8).flatMap(memory.text) ?? "",
      type: type.flatMap(self.type), hasPayload: type != nil,
      isVariable: (memory.load(UInt32.self, at: address) ?? 0) & 2 != 0)
  }

  /// The type that a name with references stands for; nil: it refers to something that has no name here.
  private func type(at address: UInt64) -> TypeNode? {
    guard let name = memory.mangledName(at: address).map(Array.init) else { return nil }
    var demangler = Demangler(name)
    var position = 0
    while position < name.count {
      let size = Demangler.referenceSize(name[position])
      if size > 0 {
        guard let type = reference(name[position], at: address &+ UInt64(position) &+ 1) else {
          return nil
        }
        demangler.references[position] = .nominal(type)
      }
      position += 1 + size
    }
    return demangler.type()
  }

  private func reference(_ kind: UInt8, at address: UInt64) -> NominalType? {
    guard let target = memory.relative(at: address) else { return nil }
    switch kind {
    case 1: return types[target]
    case 2:
      switch memory.pointer(at: target) {
      case .address(let descriptor)?: return types[descriptor]
      case .symbol(let name)?: return Self.type(ofDescriptor: name)
      case nil: return nil
      }
    default: return nil
    }
  }

  /// The type whose descriptor has this symbol: `$s10Foundation4DateVMn`.
  private static func type(ofDescriptor symbol: String) -> NominalType? {
    let name = String(symbol.dropFirst(2).dropLast(2))
    if symbol.hasSuffix("Mn") { return TypeNode(mangled: name)?.nominal }
    return symbol.hasSuffix("Mp") ? TypeNode(mangled: name + "P")?.nominal : nil
  }
}
