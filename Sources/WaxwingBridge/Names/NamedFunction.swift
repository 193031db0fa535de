// SPDX-License-Identifier: MIT

package import WaxwingDeclarations
package import WaxwingReflection

/// A function that a name in a script may mean: one of the running program, or a patch point of a
/// file.
package protocol NamedFunction: Hashable {
  var symbol: String { get }
  /// Whether the function is `async`; accessors can be, too.
  var isAsync: Bool { get }
  var declaration: FunctionDeclaration { get }
}

extension RunningFunction: NamedFunction {}
extension PatchPoint: NamedFunction {}
