// SPDX-License-Identifier: MIT

package import WaxwingDeclarations
package import WaxwingReflection

/// What a name in a script may mean: a function of the running program, or a patch point of a file.
package protocol NamedFunction: Hashable {
  var symbol: String { get }
  /// Whether the function is `async`; accessors can be, too.
  var isAsync: Bool { get }
  var declaration: FunctionDeclaration { get }
}

extension RunningFunction: NamedFunction {}
extension PatchPoint: NamedFunction {}
