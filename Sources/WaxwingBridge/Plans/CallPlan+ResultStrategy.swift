// SPDX-License-Identifier: MIT

package import WaxwingValues

extension CallPlan {
  /// What becomes of a function's result, in a form that costs nothing to look at.
  package enum ResultStrategy {
    /// The function returns nothing, and nothing else is left to do.
    case nothing
    /// A value of this kind, so many bytes into the frame.
    case plain(PlainKind, offset: Int)
    /// A value for its codec, so many bytes into the frame.
    case codec(Unmanaged<ValueCodec>, offset: Int)
    /// The function is an initializer: the result is what its original made.
    case instance
    /// The result is handled by the general code.
    case general
  }
}
