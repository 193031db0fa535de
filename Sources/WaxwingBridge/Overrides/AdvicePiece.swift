// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Synchronization
package import WaxwingLua

/// One of the Lua functions that an override is made of: the function itself, or a piece of advice.
/// Unchecked: what changes is atomic, here and in C, or under a lock.
package final class AdvicePiece: @unchecked Sendable {
  package let kind: Override.Piece.Kind
  /// The things that the Lua function can do with the values that it sees.
  let keeping: wax_proxy_keeping
  package let declaredAt: LuaFrame?
  /// The selection of calls that the advice is for; nil if it is for all calls. Held by this
  /// object.
  let advice: OpaquePointer?
  private let failures = LazyReference<Failures>()

  /// The failures of one piece, in memory of their own because most pieces never fail.
  private final class Failures: Sendable {
    let count = Atomic<Int>(0)
    let last = Mutex<OverrideFault?>(nil)
  }

  package init(_ kind: Override.Piece.Kind, _ advice: OpaquePointer?, declaredAt: LuaFrame?) {
    self.kind = kind
    self.advice = advice
    self.declaredAt = declaredAt
    keeping = advice.map(wax_proxy_advice_keeping) ?? WAX_PROXY_KEEPING_ANYTHING
    if let advice { wax_proxy_advice_retain(advice) }
  }

  deinit {
    if let advice { wax_proxy_advice_release(advice) }
  }

  var isLive: Bool { advice.map(wax_proxy_advice_is_live) ?? true }
  var isOnce: Bool { advice.map(wax_proxy_advice_is_once) ?? false }

  /// Whether the piece runs for every call until it is removed.
  var isUnconditional: Bool {
    guard let advice else { return true }
    return !wax_proxy_advice_has_instance(advice) && wax_proxy_advice_thread(advice) == 0
  }

  /// Whether the piece runs for a call on this object by the current thread.
  func admits(_ object: UnsafeRawPointer?) -> Bool {
    advice.map { wax_proxy_advice_admits($0, object) } ?? true
  }

  /// Whether the piece runs for a call on this object by the current thread; if so, the call is
  /// claimed for it.
  func claims(_ object: UnsafeRawPointer?) -> Bool {
    advice.map { wax_proxy_advice_claim($0, object) } ?? true
  }

  func failed(_ fault: OverrideFault) {
    let failures = failures.object(Failures.init)
    failures.count.add(1, ordering: .relaxed)
    failures.last.withLock { $0 = fault }
  }

  var errors: Int { failures.made?.count.load(ordering: .relaxed) ?? 0 }
  var lastFault: OverrideFault? { failures.made?.last.withLock(\.self) }
  var calls: Int { advice.map { Int(wax_proxy_advice_calls($0)) } ?? 0 }
}

extension Override {
  /// A description of one of an override's Lua functions, for people to read.
  package struct Piece: Sendable {
    package enum Kind: String, Sendable {
      /// Assigned: `Account.withdraw = f`.
      case override
      case before
      case after
      case instead
    }

    package let kind: Kind
    /// Where the script declares it.
    package let declaredAt: LuaFrame?
    /// Whether the piece runs for one call only.
    package let isOnce: Bool
    /// Whether the piece runs for calls on one object only.
    package let hasInstance: Bool
    /// The kernel's id of the only thread that it is for.
    package let thread: UInt64?
    /// Removed, used up, or gone with its object.
    package let isRemoved: Bool
    package let calls: Int
    package let errors: Int
    package let lastFault: OverrideFault?

    /// - Parameters:
    ///   - override: Whose only piece it is; nil: it counts its calls itself.
    ///   - replicas: The same piece in the other Lua states of a parallel patch.
    init(_ piece: AdvicePiece, of override: Override?, replicas: [AdvicePiece]) {
      kind = piece.kind
      declaredAt = piece.declaredAt
      isOnce = piece.isOnce
      hasInstance = piece.advice.map(wax_proxy_advice_has_instance) ?? false
      let thread = piece.advice.map(wax_proxy_advice_thread) ?? 0
      self.thread = thread == 0 ? nil : thread
      isRemoved = !piece.isLive
      let all = [piece] + replicas
      calls = override?.calls ?? all.reduce(0) { $0 + $1.calls }
      errors = override?.faults ?? all.reduce(0) { $0 + $1.errors }
      lastFault = override?.lastFault ?? all.compactMap(\.lastFault).max { $0.at < $1.at }
    }
  }
}
