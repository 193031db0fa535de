// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

/// A class and its superclasses, as the addresses of their descriptors.
package enum ClassLine {
  /// The descriptors of a type and its superclasses, the class itself first.
  package static func descriptors(of type: any Any.Type) -> [UInt] {
    var found: [UInt] = []
    var current: (any Any.Type)? = type
    while let type = current {
      if let descriptor = TypeMetadata.descriptor(of: type) { found.append(descriptor) }
      current = TypeMetadata.superclass(of: type)
    }
    return found
  }

  /// The type with this descriptor: a class or one above it.
  package static func type(of descriptor: UInt, from type: any Any.Type) -> (any Any.Type)? {
    var current: (any Any.Type)? = type
    while let type = current, TypeMetadata.descriptor(of: type) != descriptor {
      current = TypeMetadata.superclass(of: type)
    }
    return current
  }
}
