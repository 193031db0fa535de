// SPDX-License-Identifier: MIT

package import WaxwingReflection
internal import WaxwingValues

extension RunningProgram {
  /// The program's type whose name means just this type; nil: a name means none, or, as `Stack` does of
  /// `Stack<Int>`, more than this one.
  package func type(naming type: any Any.Type) -> RunningType? {
    guard let known = TypeMetadata.descriptor(of: type).flatMap(self.type(withDescriptor:)),
      runtimeType(known.node) == type
    else { return nil }
    return known
  }
}
