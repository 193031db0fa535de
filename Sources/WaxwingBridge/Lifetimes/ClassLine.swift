// SPDX-License-Identifier: MIT

internal import WaxwingReflection

/// A class and its superclasses, as the addresses of their descriptors.
enum ClassLine {
  /// The class first.
  static func descriptors(of type: any Any.Type) -> [UInt] {
    var found: [UInt] = []
    var current: (any Any.Type)? = type
    while let type = current {
      if let descriptor = TypeMetadata.descriptor(of: type) { found.append(descriptor) }
      current = TypeMetadata.superclass(of: type)
    }
    return found
  }
}
