// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
package import WaxwingBridge
package import WaxwingInterception
import WaxwingLua
package import WaxwingPatches
package import WaxwingScripting

/// The engine's side of a session: the patch and its Lua state. Its overrides are in the registry.
///
/// Unchecked: used by one thread at a time, the one that holds the engine's operation lock.
package final class PatchSession: @unchecked Sendable {
  package let number: Int
  /// The number of the session, or the place of the session that it replaces.
  let place: Int
  package let source: PatchSource
  /// The patch as it arrived.
  package let bundle: PatchBundle
  /// The hash of the file that the patch is, or would be, in the store.
  package let hash: ContentHash
  package let manifest: PatchManifest
  package let runtime: ScriptRuntime
  package let gate: SessionSwitch
  package let registry: OverrideRegistry
  package internal(set) var origin: PatchOrigin
  /// Seconds since 1970; 0: it has not been live.
  var appliedAt = 0
  package internal(set) var state = PatchInfo.State.active
  var endedAt: ContinuousClock.Instant?
  /// The classes of its making whose objects go on with its code after its end.
  var lingeringClasses: Set<ObjectIdentifier> = []
  var lingers: Bool { !lingeringClasses.isEmpty }
  /// The functions of the script that the program still held when they ended.
  private(set) var heldFunctions: [HeldFunction] = []
  private var functionsHaveEnded = false
  /// The activities that waited when the session ended.
  private(set) var outstanding = ScriptRuntime.Outstanding()
  private var activitiesHaveEnded = false

  init(
    number: Int, place: Int, patch: AdmittedPatch, hash: ContentHash, manifest: PatchManifest,
    runtime: ScriptRuntime, gate: SessionSwitch, registry: OverrideRegistry
  ) {
    self.number = number
    self.place = place
    source = patch.source
    bundle = patch.bundle
    self.hash = hash
    self.manifest = manifest
    self.runtime = runtime
    self.gate = gate
    self.registry = registry
    origin = patch.origin
  }

  package var name: String { manifest.name }

  /// The calls that the patch takes part in; nil for all.
  var selection: CallSelection? { runtime.options.selection }

  /// The patch as it can be started again.
  package var admitted: AdmittedPatch {
    var patch = AdmittedPatch(source: source, origin: origin, signature: bundle.signature)
    patch.selection = selection
    return patch
  }

  package var handle: Session { Session(name: name, number: number) }
  package var overrides: [Override] { registry.overrides(of: number) }

  /// Cancels its tasks; what still waits after that time does not go on in Lua.
  func endActivities(atMost duration: Duration) {
    if activitiesHaveEnded { return }
    activitiesHaveEnded = true
    outstanding = runtime.endActivities(atMost: duration, objectsGoOn: lingers) { [gate] in
      gate.callsInFlight().contains(where: \.isAsync)
    }
  }

  /// Lets the script's functions that Swift holds answer without Lua from now on.
  /// - Precondition: No call is in an override.
  func endFunctions(atMost duration: Duration) {
    if !functionsHaveEnded {
      functionsHaveEnded = true
      heldFunctions = runtime.all.flatMap { $0.functions.descriptions() }
        .map { HeldFunction($0, patch: name) }
    }
    runtime.endFunctions(atMost: duration)
  }

  /// The calls that the patch takes part in, and the number of calls for which an expression
  /// failed.
  private var selectionText: String? {
    let failed = runtime.all.reduce(0) { $0 + $1.failedExpressions.load(ordering: .relaxed) }
    return selection.map { selection in
      guard failed > 0 else { return selection.text }
      let expressions = [
        selection.condition.map { _ in "--when" }, selection.key.map { _ in "--key" },
      ]
      let names = expressions.compactMap(\.self).joined(separator: " or ")
      return "\(selection.text), \(names) failed for \(failed) \(failed == 1 ? "call" : "calls")"
    }
  }

  /// The description of the session for programs and operators.
  package var info: PatchInfo {
    info(registry.positions(of: number).map { OverrideInfo($0.override, at: $0.position) })
  }

  /// The description, where it is known where all live overrides are: for who describes all sessions.
  package func info(_ positions: [ObjectIdentifier: OverrideRegistry.Position]) -> PatchInfo {
    info(
      overrides.map {
        OverrideInfo($0, at: positions[ObjectIdentifier($0)] ?? registry.position(of: $0))
      })
  }

  /// The description that leaves overrides out of which there is nothing to say, and has sums instead.
  package var briefInfo: PatchInfo {
    var sums = OverrideSums()
    var eventful: [OverrideInfo] = []
    for override in overrides {
      sums.overrides += 1
      sums.calls += override.calls
      if override.isUneventful { continue }
      sums.errors += override.faults
      if override.switchedOff != nil { sums.switchedOff += 1 }
      eventful.append(OverrideInfo(override, at: registry.position(of: override)))
    }
    var info = info(eventful)
    info.sums = sums
    return info
  }

  private func info(_ overrides: [OverrideInfo]) -> PatchInfo {
    PatchInfo(
      name: name, version: manifest.version, file: source.main.name, state: state,
      appliedAt: appliedAt,
      overrides: overrides,
      livingObjects: runtime.classes.livingObjects,
      classVersions: registry.versions(changedBy: number),
      methods: runtime.declarations.methods.all.filter { !$0.isOverride }.map(MethodInfo.init),
      awaitedModules: runtime.modules.late.names, memory: runtime.memory,
      origin: PatchInfo.Origin(origin), serial: manifest.serial, expires: manifest.expires,
      tasks: TaskCounts(runtime.taskCounts), isMeasured: registry.isMeasured(number),
      callsInFlight: gate.callsInFlight().count + runtime.waitingOverrides,
      selection: selectionText)
  }
}

extension TaskCounts {
  init(_ counts: ScriptTaskCounts) {
    self.init(live: counts.live, failed: counts.failed, cancelled: counts.cancelled)
  }
}

extension OverrideInfo {
  /// - Parameter position: Where it is among the live overrides of the function.
  init(_ override: Override, at position: OverrideRegistry.Position) {
    let recorder = override.recorder
    self.init(
      owner: override.owner, selector: override.selector, kind: Kind(override),
      order: position.order, stacked: position.count,
      calls: override.calls,
      errors: override.faults, lastError: override.lastFault.map(ErrorInfo.init),
      switchedOff: override.switchedOff, bypassed: override.bypassed,
      bypassReasons: override.bypassReasons.map(\.text),
      times: recorder.map { CallTimes($0.overrides) },
      originalTimes: recorder.map { CallTimes($0.originals) })
  }
}

extension ErrorInfo {
  init(_ fault: OverrideFault) {
    self.init(
      message: fault.messageWithoutPosition, file: fault.position?.source ?? "",
      line: fault.position?.line ?? 0, traceback: fault.frames.map(\.description), at: fault.at)
  }
}

extension OverrideInfo.Kind {
  init(_ override: Override) {
    if override.role == .observers {
      self = .advice
    } else {
      self = override.pieces.first?.kind == .instead ? .instead : .override
    }
  }
}
