// SPDX-License-Identifier: MIT

import WaxwingCore
import WaxwingSystem

/// The engine of this process, and everything else that is done for its patches: they are recorded,
/// kept, tried, watched and counted.
///
/// It only puts together what does the work. None of its parts knows it.
final class Operations: Sendable {
  static let shared = Operations(.shared)

  let engine: Engine
  let instance: CurrentInstance
  let counters: ControlCounters
  let watchdog: Watchdog
  let audit: AuditTrail
  let setAside: SetAsidePatches
  let boot: BootSequence
  let health: RunHealth
  let trials: Trials
  let patches: PatchOperations
  let queries: PatchQueries
  let restore: TimelyRestore
  let rules: RuleCheck
  let reload: ConfigurationReload
  let startPatches: StartPatches
  let watches: Watches
  let traces: Traces
  let shadows: Shadows
  let records: Records
  let instances: Instances
  let shells: AttachedShells
  let debugger: Debugger

  /// Creates the operations of an engine. There is one, `shared`, except in tests of programs that
  /// cannot be patched.
  init(_ engine: Engine) {
    self.engine = engine
    instance = CurrentInstance()
    counters = ControlCounters()
    let stopTimes = StopTimes()
    watchdog = Watchdog(engine.log, stopTimes)
    engine.add(watchdog)
    engine.add(counters)
    audit = AuditTrail(engine, instance, counters)
    let (state, timers) = (KeptState(), Timers())
    health = RunHealth(engine, state, audit, timers)
    let kept = KeptPatches(engine, instance, state, health)
    setAside = SetAsidePatches(engine, state, kept, audit)
    boot = BootSequence(engine, instance, state, kept, health, audit)
    trials = Trials(engine, kept, audit, timers)
    patches = PatchOperations(engine, kept, trials, audit, counters)
    queries = PatchQueries(engine, watchdog, kept, trials)
    debugger = Debugger(engine, audit, timers, stopTimes)
    engine.add(debugger)
    restore = TimelyRestore(engine, patches, audit, debugger)
    rules = RuleCheck(engine)
    reload = ConfigurationReload(engine, rules, audit)
    startPatches = StartPatches(engine, boot, patches)
    watches = Watches(engine, patches, timers)
    traces = Traces(engine, queries, patches, watches)
    shadows = Shadows(patches, watches)
    records = Records(engine, queries, patches, watches, audit)
    instances = Instances(engine, queries, patches, watches)
    shells = AttachedShells(engine, patches, watches, audit)
  }
}
