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
}
