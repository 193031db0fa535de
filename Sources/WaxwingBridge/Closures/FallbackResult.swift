// SPDX-License-Identifier: MIT

internal import CWaxwingLua
package import WaxwingLua
package import WaxwingValues

/// The result of a closure of a Lua function if Lua cannot answer: the function failed, or its
/// script has ended. A Swift function that does not throw, or throws errors of one type only, has
/// no other way out, so a closure without such a result is never made.
///
/// In this order: the value that the script named with `fallback(f, value)`; a neutral one (false,
/// 0, "", nil, an empty collection, a tuple of such); the first argument that is of the result's
/// type.
package enum FallbackResult {
  /// The closure throws whatever it likes, or returns nothing.
  case none
  case neutral(ValueCodec)
  case argument(Int)
  case value(StoredValue)

  /// - Parameter reference: The Lua function; its state is entered.
  init(_ plan: ClosurePlan, for reference: Int32, in state: LuaState) throws(ConversionError) {
    guard let result = plan.result, !plan.canThrowAnything else {
      self = .none
      return
    }
    if let value = try Self.fallback(result, reference, state) {
      self = .value(value)
    } else if plan.resultHasNeutral {
      self = .neutral(result)
    } else if let index = plan.arguments.firstIndex(where: {
      $0.codec === result && !$0.isInout && !result.isLent
    }) {
      self = .argument(index)
    } else {
      throw ConversionError(
        expected: plan.typeName,
        found: "a function without a fallback: provide what it returns to Swift if it fails, "
          + "`fallback(f, value)`; \(result.typeName) has no neutral value")
    }
  }

  /// The answer of a protocol's requirement.
  /// - Parameter reference: The Lua function; its state is entered.
  package init?(
    _ plan: CallPlan, for reference: Int32, in state: LuaState
  ) throws(ConversionError) {
    guard let result = plan.result, !plan.canThrowAnything else {
      self = .none
      return
    }
    if let value = try Self.fallback(result, reference, state) {
      self = .value(value)
    } else if result.hasNeutral {
      self = .neutral(result)
    } else if let index = plan.arguments.firstIndex(where: {
      $0.codec === result && !$0.isInout && !result.isLent && !$0.isOwned
    }) {
      self = .argument(index)
    } else {
      return nil
    }
  }

  private static func fallback(
    _ codec: ValueCodec, _ reference: Int32, _ state: LuaState
  ) throws(ConversionError) -> StoredValue? {
    var failure: ConversionError?
    var value: StoredValue?
    state.withFallback(of: reference) { reader in
      do throws(ConversionError) {
        value = try StoredValue(codec, &reader)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure.at(.key("(fallback)")) }
    return value
  }
}
