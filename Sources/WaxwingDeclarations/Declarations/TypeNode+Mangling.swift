// SPDX-License-Identifier: MIT

extension TypeNode {
  /// The type as `_typeByName` takes it, without a prefix.
  ///
  /// The runtime finds no private or local types by name (see `encoded(descriptor:)`), none with
  /// generic parameters in them, and no constrained existentials (`any Collection<Int>`).
  package var mangled: String {
    var mangler = TypeMangler()
    mangler.append(self)
    return String(decoding: mangler.output.bytes, as: UTF8.self)
  }

  /// The type as it stands at the beginning of symbols, without a prefix.
  package var inSymbols: String {
    var mangler = TypeMangler(inSymbols: true)
    mangler.append(self)
    return String(decoding: mangler.output.bytes, as: UTF8.self)
  }

  /// The type for `swift_getTypeByMangledNameInContext`, with private and local types told by where
  /// their descriptors are.
  /// - Parameter descriptor: The address in this process of a type's context descriptor, asked for
  ///   with the type unbound; nil for types that are to be found by name.
  package func encoded(descriptor: (NominalType) -> UInt?) -> EncodedTypeName {
    withoutActuallyEscaping(descriptor) { descriptor in
      var mangler = TypeMangler(descriptor: descriptor)
      mangler.append(self)
      return mangler.output.encoded()
    }
  }

  /// Reads a mangled type without a prefix, such as `SaySiG`; nil if it cannot be parsed, as with
  /// the symbolic references in a program's own metadata.
  package init?(mangled: String) {
    var demangler = Demangler(mangled.utf8)
    guard let type = demangler.type() else { return nil }
    self = type
  }
}

extension NominalType {
  /// Whether the runtime cannot find the type by its name: it or a type around it is private to a
  /// file or local to a function.
  package var isHidden: Bool {
    if name.privateDiscriminator != nil || name.localIndex != nil { return true }
    switch context {
    case .module: return false
    case .type(let type), .extension(let type, _, _): return type.isHidden
    case .declaration: return true
    }
  }
}
