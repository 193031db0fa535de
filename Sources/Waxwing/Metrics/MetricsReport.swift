// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingCore
import WaxwingInterception
import WaxwingLua
import WaxwingOperations
import WaxwingReflection

/// All counters of this process, as text for Prometheus. It reads the engine, which knows nothing of it.
struct MetricsReport {
  private let operations: Operations

  init(of operations: Operations) { self.operations = operations }

  private var engine: Engine { operations.engine }

  /// Reads the counters.
  /// - Parameter clients: Clients of the control socket.
  func text(_ format: MetricsText.Format, clients: Int) throws -> String {
    let (patches, buildID) = try engine.operation {
      engine.lifecycle.closeDrained()
      let patches = operations.queries.infos
      return (patches, try? engine.program.current().buildID)
    }
    var metrics = MetricsText(format)
    addProgram(to: &metrics, buildID ?? nil, clients)
    addOperations(to: &metrics)
    addKept(try operations.setAside.status(), to: &metrics)
    addEntries(to: &metrics)
    addPatches(patches, to: &metrics)
    let methods = Self.methods(of: patches)
    addOverrides(methods, to: &metrics)
    addTimes(patches, methods, to: &metrics)
    addEvents(to: &metrics)
    return metrics.text
  }

  private func addProgram(to metrics: inout MetricsText, _ buildID: String?, _ clients: Int) {
    metrics.add(
      "waxwing_info", .info, "The engine, as labels.",
      [([("version", ControlProtocol.engineVersion), ("build", buildID ?? "")], 1)])
    metrics.add(
      "waxwing_generation", .gauge, "How often the set of live patches has changed.",
      engine.sessions.generation)
    metrics.add(
      "waxwing_insecure", .gauge, "1 if unsigned patches are accepted.",
      engine.policy.unsignedPatches == .allowed ? 1 : 0)
    metrics.add(
      "waxwing_configuration_errors", .gauge,
      "Mistakes in the configuration file; any mistake disables patching.",
      engine.host.trouble.count)
    metrics.add("waxwing_control_clients", .gauge, "Clients of the control socket.", clients)
    let audit = operations.audit.summary
    metrics.add("waxwing_audit_records", .gauge, "The audit log's last number.", audit.records)
    metrics.add(
      "waxwing_audit_failing", .gauge, "1 while the audit log cannot be written.",
      audit.trouble == nil ? 0 : 1)
    metrics.add(
      "waxwing_log_dropped_total", .counter,
      "Log lines that were dropped because there were too many.",
      engine.log.droppedLines)
  }

  private func addEntries(to metrics: inout MetricsText) {
    metrics.add(
      "waxwing_entries_not_at_baseline", .gauge,
      "Replacement entries that do not hold the program's own word: overrides are there, or were.",
      engine.registry.entriesNotAtBaseline)
    metrics.add(
      "waxwing_differences", .gauge,
      "Entries and class versions that are not what the live patches make them.",
      engine.inspection.differences().count)
  }

  private func addOperations(to metrics: inout MetricsText) {
    let counts = operations.counters.all
    func samples(_ kind: ControlCounters.Kind) -> [(MetricsText.Labels, Int)] {
      kind.results.map { ([("result", $0)], counts["\(kind.rawValue) \($0)"] ?? 0) }
    }
    metrics.add(
      "waxwing_apply_total", .counter, "Requests to apply patches, by result.",
      samples(.apply))
    metrics.add(
      "waxwing_end_total", .counter, "Requests to end patches, by result.",
      samples(.end))
    metrics.add(
      "waxwing_clients_refused_total", .counter,
      "Clients that were refused because of their user or role.", counts["client refused"] ?? 0)
    metrics.add(
      "waxwing_signature_failures_total", .counter,
      "Patches that were refused because of their signature.", counts["signature refused"] ?? 0)
  }

  private func addKept(_ status: BootStatus, to metrics: inout MetricsText) {
    metrics.add("waxwing_patches_kept", .gauge, "Patches that are kept.", status.kept.count)
    metrics.add(
      "waxwing_patches_set_aside", .gauge,
      "Patches that are kept and not live, and those that are quarantined.",
      status.quarantined.count + status.kept.count { !$0.reason.isEmpty })
    metrics.add(
      "waxwing_boot_attempts", .gauge,
      "Starts since the program last stayed up, this one included; 0 if nothing is kept.",
      status.attempt)
    metrics.add(
      "waxwing_store_troubles", .gauge, "Problems of the store.", status.troubles.count)
  }

  private func addPatches(_ patches: [PatchInfo], to metrics: inout MetricsText) {
    let active = patches.filter { $0.state == .active }
    metrics.add("waxwing_patches_active", .gauge, "Patches that are live.", active.count)
    metrics.add(
      "waxwing_patches_draining", .gauge, "Patches that have ended and have calls inside.",
      patches.count { $0.state == .draining })
    metrics.add(
      "waxwing_patches_lingering", .gauge,
      "Patches that have ended and have living objects of their classes.",
      patches.count { $0.state == .lingering })
    metrics.add(
      "waxwing_living_objects", .gauge, "Objects of a patch's classes that are alive.",
      patches.map { ([("patch", $0.name)], $0.livingObjects.values.reduce(0, +)) })
    metrics.add(
      "waxwing_overrides_active", .gauge, "Overrides that are live.",
      active.reduce(0) { $0 + $1.overrides.count })
    metrics.add(
      "waxwing_calls_in_flight", .gauge,
      "Calls that are in overrides of a patch now, waiting ones included.",
      patches.map { ([("patch", $0.name)], $0.callsInFlight) })
    metrics.add(
      "waxwing_stuck_calls", .gauge, "Calls that have been in a patch for too long.",
      patches.map { ([("patch", $0.name)], $0.stuckCalls.count) })
    metrics.add(
      "waxwing_lua_bytes", .gauge, "Memory of a patch's Lua state.",
      patches.map { ([("patch", $0.name)], $0.memory) })
    metrics.add(
      "waxwing_lua_bytes_all", .gauge, "Memory of all Lua states.", LuaState.totalMemory)
    metrics.add(
      "waxwing_tasks", .gauge, "A patch's tasks that have not ended.",
      patches.map { ([("patch", $0.name)], $0.tasks.live) })
    metrics.add(
      "waxwing_tasks_failed_total", .counter, "Tasks of a patch that failed.",
      patches.map { ([("patch", $0.name)], $0.tasks.failed) })
    metrics.add(
      "waxwing_tasks_cancelled_total", .counter,
      "Tasks of a patch that were cancelled because its tasks had used up their time.",
      patches.map { ([("patch", $0.name)], $0.tasks.cancelled) })
  }

  private func addOverrides(_ methods: [OverriddenMethod], to metrics: inout MetricsText) {
    func samples(_ value: (OverrideInfo) -> Int) -> [(MetricsText.Labels, Int)] {
      Self.samples(methods, value, &+)
    }
    metrics.add(
      "waxwing_calls_total", .counter, "Calls that went into an override.", samples(\.calls))
    metrics.add(
      "waxwing_faults_total", .counter, "Calls in which an override failed.", samples(\.errors))
    metrics.add(
      "waxwing_fallbacks_total", .counter,
      "Calls that were answered without the override because it failed.", samples(\.errors))
    metrics.add(
      "waxwing_bypassed_total", .counter,
      "Calls that went to the original because of depth, a short stack, or a stuck thread.",
      samples(\.bypassed))
    metrics.add(
      "waxwing_breaker_open", .gauge, "1 if an override is switched off.",
      samples { $0.switchedOff == nil ? 0 : 1 })
  }

  private func addTimes(
    _ patches: [PatchInfo], _ methods: [OverriddenMethod], to metrics: inout MetricsText
  ) {
    metrics.add(
      "waxwing_measured", .gauge, "1 if the calls of a patch are measured.",
      patches.map { ([("patch", $0.name)], $0.isMeasured ? 1 : 0) })
    metrics.add(
      histogram: "waxwing_override_seconds",
      "How long calls of an override took, originals included, while they were measured.",
      Self.samples(methods, { $0.times?.counts }, +))
    metrics.add(
      histogram: "waxwing_original_seconds",
      "How long the originals took that an override called, while they were measured.",
      Self.samples(methods, { $0.originalTimes?.counts }, +))
  }

  private func addEvents(to metrics: inout MetricsText) {
    metrics.add(
      "waxwing_events_total", .counter, "Events of the log, by name and level.",
      engine.log.recent.counts.map {
        ([("event", $0.kind.event), ("level", $0.kind.level.rawValue)], $0.count)
      })
  }

  /// A method that a patch overrides. The patch may have several overrides on it: there is one series for each pair
  /// of labels.
  private struct OverriddenMethod {
    let labels: MetricsText.Labels
    var overrides: [OverrideInfo]
  }

  private static func methods(of patches: [PatchInfo]) -> [OverriddenMethod] {
    var methods: [OverriddenMethod] = []
    for patch in patches {
      var places: [String: Int] = [:]
      for override in patch.overrides {
        let method = "\(override.owner).\(override.selector)"
        if let place = places[method] {
          methods[place].overrides.append(override)
        } else {
          places[method] = methods.count
          methods.append(
            OverriddenMethod(
              labels: [("patch", patch.name), ("method", method)], overrides: [override]))
        }
      }
    }
    return methods
  }

  /// A value of each method whose overrides have one.
  private static func samples<Value>(
    _ methods: [OverriddenMethod], _ value: (OverrideInfo) -> Value?, _ sum: (Value, Value) -> Value
  ) -> [(MetricsText.Labels, Value)] {
    methods.compactMap { method in
      var total: Value?
      for override in method.overrides {
        guard let value = value(override) else { continue }
        total = total.map { sum($0, value) } ?? value
      }
      return total.map { (method.labels, $0) }
    }
  }
}
