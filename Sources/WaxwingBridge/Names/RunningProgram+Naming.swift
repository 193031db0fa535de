// SPDX-License-Identifier: MIT

package import WaxwingReflection
internal import WaxwingValues

extension RunningProgram {
  /// The program's type whose name means exactly this type; nil if no name does. The name `Stack` means more types
  /// than `Stack<Int>`.
  package func type(naming type: any Any.Type) -> RunningType? {
    guard let known = TypeMetadata.descriptor(of: type).flatMap(self.type(withDescriptor:)),
      runtimeType(known.node) == type
    else { return nil }
    return known
  }
}
