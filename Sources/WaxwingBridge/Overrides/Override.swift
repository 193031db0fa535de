// SPDX-License-Identifier: MIT

package import CWaxwingRuntime
internal import Synchronization
package import WaxwingLua
package import WaxwingReflection

/// A Lua function that stands in for a Swift function.
package final class Override: @unchecked Sendable {
  /// What to do with errors that the script did not raise on purpose, in throwing functions.
  package enum OnError: Sendable {
    case original
    case `throw`
  }

  /// How the registers of its calls are to be read.
  enum Form {
    case plain(CallPlan)
    case generic(GenericFunction, GenericEntry)
  }

  package let function: RunningFunction
  /// Bytes of arguments on the stack.
  package let stackBytes: Int
  /// Where the script declares it.
  package let declaredAt: LuaFrame?
  let state: LuaState
  let reference: Int32
  let classReference: Int32?
  let options: ScriptOptions
  private let form: Form
  // Set once, in `init`.
  private var body: OverrideBody?
  private let bodies = Mutex<[GenericBody]>([])

  /// Set once, before the layer is installed: access needs no check at run time.
  @exclusivity(unchecked) package nonisolated(unsafe) var layer: OpaquePointer?

  private let callCount = Atomic<Int>(0)
  private let faultCount = Atomic<Int>(0)
  private let lastFaultStorage = Mutex<OverrideFault?>(nil)

  /// - Parameters:
  ///   - reference: The Lua function, as a registry reference of `state`.
  ///   - classReference: What the script has for the type, which static methods get as `self`.
  ///   - options: Whose `report` is called after each fault, on the calling thread with the state
  ///     left.
  init(
    _ form: Form, reference: Int32, classReference: Int32?, in state: LuaState,
    declaredAt: LuaFrame?, options: ScriptOptions
  ) {
    self.form = form
    switch form {
    case .plain(let plan): (function, stackBytes) = (plan.function, plan.stackBytes)
    case .generic(let generic, let entry):
      (function, stackBytes) = (generic.function, entry.stackBytes)
    }
    self.reference = reference
    self.classReference = classReference
    self.state = state
    self.declaredAt = declaredAt
    self.options = options
    if case .plain(let plan) = form { body = OverrideBody(plan, of: self) }
  }

  /// Calls that came here so far.
  package var calls: Int { callCount.load(ordering: .relaxed) }
  /// Of those, how many failed.
  package var faults: Int { faultCount.load(ordering: .relaxed) }
  package var lastFault: OverrideFault? { lastFaultStorage.withLock { $0 } }

  /// For `waxwing_layer_create`, with `context`.
  package var handler: waxwing_handler {
    switch form {
    case .plain: Self.plainHandler
    case .generic: Self.genericHandler
    }
  }

  private static let plainHandler: waxwing_handler = { context, frame in
    guard let context, let frame else { return false }
    return Unmanaged<OverrideBody>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.run(frame) }
  }

  private static let genericHandler: waxwing_handler = { context, frame in
    guard let context, let frame else { return false }
    return Unmanaged<Override>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.runGeneric(frame)
    }
  }

  /// Unretained: the owner of the layer keeps this object as long as the layer.
  package var context: UnsafeMutableRawPointer {
    body.map { Unmanaged.passUnretained($0).toOpaque() }
      ?? Unmanaged.passUnretained(self).toOpaque()
  }

  /// Only the thread that has entered the state writes: a load and a store are enough.
  @inline(__always)
  func countCall() {
    callCount.store(callCount.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  func fail(_ fault: OverrideFault) -> Bool {
    faultCount.add(1, ordering: .relaxed)
    lastFaultStorage.withLock { $0 = fault }
    options.report(self, fault)
    return false
  }
}

// MARK: - Generic functions

extension Override {
  /// The body for calls whose registers tell these types.
  private struct GenericBody {
    let words: [UInt]
    let body: OverrideBody
  }

  private func runGeneric(_ frame: UnsafeMutablePointer<waxwing_frame>) -> Bool {
    guard case .generic(let generic, let entry) = form else { return false }
    let words = entry.words(frame)
    if let known = bodies.withLock({ $0.first { $0.words == words }?.body }) {
      return known.run(frame)
    }
    do throws(PlanError) {
      let body = OverrideBody(try generic.plan(entry.types(words)), of: self)
      bodies.withLock { $0.append(GenericBody(words: words, body: body)) }
      return body.run(frame)
    } catch {
      return fail(
        OverrideFault(
          function: function.declaration.qualifiedName,
          message: "a call with types that cannot cross went to the original: \(error)", frames: [],
          position: declaredAt))
    }
  }
}
