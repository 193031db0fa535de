// SPDX-License-Identifier: MIT

package import WaxwingValues

extension CallPlan {
  /// The treatment of a function's result, in a form that costs nothing to read.
  package enum ResultStrategy {
    /// The function returns nothing, and there is no other work to do.
    case nothing
    /// A value of this kind, at an offset in bytes into the frame.
    case plain(PlainKind, offset: Int)
    /// A value for its codec, at an offset in bytes into the frame.
    case codec(Unmanaged<ValueCodec>, offset: Int)
    /// The function is an initializer: the result is what its original made.
    case instance
    /// The result is handled by the general code.
    case general
  }
}
