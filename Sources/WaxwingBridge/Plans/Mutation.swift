// SPDX-License-Identifier: MIT

package import WaxwingReflection

/// How to find out what a member of a struct or enum does with `self`: no symbol tells. These are asked, in this order:
/// 1. the script, which may write `["mutating add(_:)"]`;
/// 2. a table of the public methods of Swift's own libraries, for what is only called (`RunningFunction.selfKind`);
/// 3. the facts file beside the program, and the program's debugging information (`RunningFunction.selfKind`);
/// 4. what accessors usually do, for what is only called (`FunctionShape`);
/// 5. the machine code of the function (`PrologueReader`).
///
/// The first that tells decides. Where none does, an override is refused, and a call passes `self` both ways if it can.
package enum Mutation {
  /// The script says so.
  case stated(SelfKind)
  /// The function's machine code is read; a function whose code does not tell is refused.
  case read
  /// The function's machine code is read for a function that is only called, which works even if
  /// the code does not tell.
  case readForCalls

  /// Creates the mutation from the script's statement, if there is one.
  init(stated: SelfKind?) {
    self = stated.map(Mutation.stated) ?? .read
  }

  /// Whether the plan is for overriding the function.
  var isForOverride: Bool {
    if case .readForCalls = self { false } else { true }
  }

  /// The kind of `self` that is known without looking at the code; nil if nothing is known.
  func selfKind(of function: RunningFunction) -> SelfKind? {
    if case .stated(let kind) = self { kind } else { function.selfKind }
  }
}
