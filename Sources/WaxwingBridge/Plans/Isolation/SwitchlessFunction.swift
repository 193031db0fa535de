// SPDX-License-Identifier: MIT

internal import WaxwingInterception
internal import WaxwingReflection

/// A function that runs where its caller does, `nonisolated(nonsending)`, and relies on its caller being there.
///
/// With implicit dynamic, Swift 6.3.1 lets callers rely on the function instead: an actor's function that calls
/// it first of all does not switch to the actor, and both run off it. Where the optimization at fault is off,
/// such functions switch by themselves.
package enum SwitchlessFunction {
  /// The note for such a function.
  static let note =
    "it is `nonisolated(nonsending)`, and the compiler has left out its switch to its caller's actor: a "
    + "function of an actor that calls it may run both off the actor, patched or not; "
    + "\(remedy)"

  /// The compiler options that solve the problem.
  static let remedy =
    "build with -Xllvm -sil-disable-pass=optimize-hop-to-executor (docs/adopting.md)"
}

extension CallPlan {
  /// The note on a function that does not switch to its caller's actor; nil: it is no such function. Reads its
  /// code.
  var isolationNote: String? {
    guard case .caller = isolation, function.isPatchPoint, function.witness == nil,
      let pointer = UnsafeRawPointer(bitPattern: function.address),
      IsolationReader.switchesFirst(async: pointer) == false
    else { return nil }
    return SwitchlessFunction.note
  }
}
