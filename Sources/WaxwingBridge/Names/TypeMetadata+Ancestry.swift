// SPDX-License-Identifier: MIT

internal import CWaxwingABI
package import WaxwingReflection
internal import WaxwingValues

extension TypeMetadata {
  /// The type and its superclasses, nearest first, as far as symbols name them.
  package static func ancestry(
    of type: any Any.Type, in program: RunningProgram
  ) -> [RunningType] {
    var found: [RunningType] = []
    var current: (any Any.Type)? = type
    while let type = current {
      if let known = descriptor(of: type).flatMap(program.type(withDescriptor:)) {
        found.append(known)
      }
      current = superclass(of: type)
    }
    return found
  }

  package static func type(_ type: any Any.Type, conformsTo found: RunningProtocol) -> Bool {
    guard let descriptor = unsafe UnsafeRawPointer(bitPattern: found.descriptor) else {
      return false
    }
    return unsafe swift_conformsToProtocol(pointer(to: type), descriptor) != nil
  }
}
