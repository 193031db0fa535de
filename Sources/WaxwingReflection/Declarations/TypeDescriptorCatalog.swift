// SPDX-License-Identifier: MIT

package import WaxwingDeclarations

/// Where the types of an image have their context descriptors, private and local types included.
package struct TypeDescriptorCatalog: Sendable {
  /// Addresses of context descriptors, relative to the image's load address, by unbound type.
  package let descriptors: [NominalType: UInt64]

  /// Reads the types that the image's symbols name; none if it is stripped.
  package init(image: ElfImage) throws(ElfError) {
    let complete = try Self.descriptors(of: image, in: .complete)
    descriptors = complete.isEmpty ? try Self.descriptors(of: image, in: .dynamic) : complete
  }

  private static func descriptors(
    of image: ElfImage, in table: ElfSymbolTable
  ) throws(ElfError) -> [NominalType: UInt64] {
    var found: [NominalType: UInt64] = [:]
    // Of a class, struct or enum, and of a protocol.
    for suffix in ["Mn" as StaticString, "Mp"] {
      for symbol in try image.symbols(in: table, suffix: suffix) where symbol.isDefined {
        guard symbol.name.hasPrefix("$s") else { continue }
        let name = String(symbol.name.dropFirst(2).dropLast(2))
        if let type = Self.type(named: name) { found[type] = symbol.value }
      }
    }
    return found
  }

  /// A protocol's descriptor has the protocol's name without the operator that makes it a type.
  private static func type(named name: String) -> NominalType? {
    TypeNode(mangled: name)?.nominal ?? TypeNode(mangled: name + "P")?.nominal
  }

  /// The types of which the optimizer has dropped what a running program needs: the description, or
  /// the metadata of a type whose description does not tell how it is laid out
  /// (`DescribedStructs`).
  package func opaque(of types: Set<NominalType>, in image: ElfImage) -> Set<NominalType> {
    let memory = ElfMemory(image)
    let sized = Set(((try? image.symbols(in: .complete, suffix: "MB")) ?? []).map(\.name))
    return types.filter { type in
      guard let address = descriptors[type] else { return true }
      guard [.struct, .enum].contains(type.kind),
        memory.load(Int32.self, at: address + Self.accessorOffset) == 0,
        let flags = memory.load(UInt32.self, at: address)
      else { return false }
      return flags & Self.plainMask != Self.plainStruct
        || sized.contains("$s\(TypeNode.nominal(type).inSymbols)MB")
        || !Self.hasPlainProperties(address, memory)
    }
  }

  /// Whether the struct's stored properties are told, and none is `weak` or `unowned`.
  private static func hasPlainProperties(_ address: UInt64, _ memory: ElfMemory) -> Bool {
    guard let count = memory.load(UInt32.self, at: address + countOffset) else { return false }
    if count == 0 { return true }
    guard let fields = memory.relative(at: address + fieldsOffset),
      memory.load(UInt32.self, at: fields + 12) == count,
      let size = memory.load(UInt16.self, at: fields + 10)
    else { return false }
    return (0..<UInt64(count)).allSatisfy { index in
      let record = fields + 16 + index * UInt64(size)
      guard let type = memory.relative(at: record + 4).flatMap(memory.mangledName) else {
        return false
      }
      return !["Xw", "Xo", "Xu"].contains { type.suffix(2).elementsEqual($0.utf8) }
    }
  }

  private static let accessorOffset: UInt64 = 12
  private static let fieldsOffset: UInt64 = 16
  private static let countOffset: UInt64 = 20
  /// The kind, suppressed protocols, generic, imported or initialized at run time.
  private static let plainMask: UInt32 = 0x1f | 0x20 | 0x80 | 0x7_0000
  private static let plainStruct: UInt32 = 17
}
