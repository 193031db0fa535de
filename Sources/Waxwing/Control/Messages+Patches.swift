// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingCore
import WaxwingInterception

extension PatchStatus {
  init(_ info: PatchInfo) {
    self.init(
      name: info.name, version: info.version, file: info.file,
      state: State(rawValue: info.state.rawValue),
      appliedAt: Timestamp(secondsSince1970: info.appliedAt), classVersions: info.classVersions,
      overrides: info.overrides.map(OverrideStatus.init), origin: .init(info.origin),
      serial: info.serial,
      expires: info.expires.map(Timestamp.init(secondsSince1970:)))
    livingObjects = info.livingObjects.isEmpty ? nil : info.livingObjects
    stuckCalls = info.stuckCalls.map(WaxwingControl.Laggard.init)
    tasks = Tasks(
      live: info.tasks.live, failed: info.tasks.failed, cancelled: info.tasks.cancelled)
    isMeasured = info.isMeasured
    callsInFlight = info.callsInFlight
    memory = info.memory
    selection = info.selection
    sums = info.sums.map { sums in
      WaxwingControl.OverrideSums(
        overrides: sums.overrides, calls: UInt64(sums.calls), errors: UInt64(sums.errors),
        // As OverrideStatus has it: each failed call is answered by the original.
        fallbacks: UInt64(sums.errors), switchedOff: sums.switchedOff)
    }
  }
}

extension PatchStatus.Origin {
  init(_ origin: PatchInfo.Origin) {
    switch origin {
    case .program: self.init(kind: .program)
    case .unsigned: self.init(kind: .unsigned)
    case .signed(let identity, let key): self.init(kind: .signed, signer: identity, key: key)
    }
  }
}

extension OverrideStatus {
  init(_ info: OverrideInfo) {
    let name = "\(info.owner).\(info.selector)"
    self.init(
      selector: info.selector, type: info.owner, kind: Kind(rawValue: info.kind.rawValue),
      order: info.order,
      stacked: info.stacked, calls: UInt64(info.calls),
      errors: UInt64(info.errors), fallbacks: UInt64(info.errors),
      lastError: info.lastError.map { ErrorReport($0, method: name, count: info.errors) })
    switchedOff = info.switchedOff
    bypassed = UInt64(info.bypassed)
    bypassReasons = info.bypassReasons.isEmpty ? nil : info.bypassReasons
    times = info.times.map(TimesReport.init)
    originalTimes = info.originalTimes.map(TimesReport.init)
  }
}

extension ErrorReport {
  init(_ info: ErrorInfo, method: String, count: Int) {
    self.init(
      message: info.message, file: info.file, line: info.line, traceback: info.traceback,
      method: method, count: count, at: Timestamp(secondsSince1970: info.at))
  }
}

extension ApplyReport {
  init(_ application: Application, info: (PatchSession) -> PatchInfo) {
    self.init(
      applied: application.applied.map { applied in
        Applied(
          patch: PatchStatus(info(applied.session)), replacedVersion: applied.replacedVersion,
          isUnchanged: applied.isUnchanged, warnings: applied.warnings)
      },
      endedPatches: application.ended,
      laggards: application.laggards.map(WaxwingControl.Laggard.init))
  }
}

extension CheckReport {
  init(_ found: DryRun) {
    self.init(
      checked: found.patches.map { patch in
        Checked(
          name: patch.name, version: patch.version, replacedVersion: patch.replacedVersion,
          isUnchanged: patch.isUnchanged,
          overrides: patch.overrides.map {
            Override(
              name: $0.name, kind: .init(rawValue: $0.kind.rawValue), place: $0.place,
              others: $0.others)
          },
          methods: patch.methods, awaitedModules: patch.awaitedModules, warnings: patch.warnings)
      },
      endedPatches: found.ended)
  }
}

extension PointStatus {
  init(_ info: PatchPointInfo) {
    self.init(
      name: info.name, steps: info.steps.map { Step($0, method: info.name) }, image: info.image,
      offset: info.offset, isAtBaseline: info.isAtBaseline)
    (source, captures) = (info.source, info.captures)
  }
}

extension PointStatus.Step {
  init(_ step: PatchPointInfo.Step, method: String) {
    self.init(
      patch: step.patch, version: step.version, kind: Kind(rawValue: step.kind.rawValue),
      place: step.place,
      limits: step.limits, calls: UInt64(step.calls), errors: UInt64(step.errors),
      lastError: step.lastError.map { ErrorReport($0, method: method, count: step.errors) })
    times = step.times.map(TimesReport.init)
    originalTimes = step.originalTimes.map(TimesReport.init)
  }
}

extension TimesReport {
  init(_ times: CallTimes) {
    func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }
    self.init(
      calls: UInt64(times.calls), sum: milliseconds(times.total), p50: milliseconds(times.p50),
      p99: milliseconds(times.p99), longest: milliseconds(times.longest))
    spans = times.counts.spans.map { Span(end: $0.end, calls: $0.calls) }
  }
}

extension HeldObjects {
  init(_ held: LiveObjects) {
    self.init(
      patch: held.patch, objects: held.objects, values: held.values, errors: held.errors,
      memory: held.memory)
  }
}

extension Restoration {
  func report(restored program: String) -> RestoreReport {
    withOutstanding(
      .restored(
        program: program, endedPatches: endedPatches, entriesVerified: entriesVerified,
        differences: differences, laggards: laggards.map(WaxwingControl.Laggard.init),
        droppedPatches: droppedPatches))
  }

  private func withOutstanding(_ report: RestoreReport) -> RestoreReport {
    var report = report
    report.droppedPatches = droppedPatches
    report.stillInside = stillInside.map(WaxwingControl.Laggard.init)
    report.cancelledTasks = cancelledTasks
    report.abandonedCalls = abandonedCalls
    report.storeFailure = storeFailure
    report.postponed = postponed
    report.livingObjects = livingObjects.isEmpty ? nil : livingObjects
    if postponed != nil {
      let count = endedPatches.count
      report.message = "switched off \(count) \(count == 1 ? "patch" : "patches")"
    }
    return report
  }

  func report(reverted patch: String) -> RestoreReport {
    withOutstanding(
      .reverted(
        patch: patch, entriesVerified: entriesVerified, differences: differences,
        laggards: laggards.map(WaxwingControl.Laggard.init)))
  }
}

extension WaxwingControl.Laggard {
  init(_ laggard: Restoration.Laggard) {
    self.init(
      patch: laggard.patch, selector: laggard.function, threadID: Int(laggard.threadID),
      threadName: laggard.threadName, ageSeconds: laggard.seconds, stack: laggard.stack)
  }
}

extension ControlFailure {
  init(_ error: WaxwingError) {
    self.init(
      Code(error.code), message: error.message, details: error.details, remedy: error.remedy)
  }
}

extension ControlFailure.Code {
  init(_ code: WaxwingError.Code) {
    switch code.kind {
    case .refused: self = .refused
    case .conflict: self = .conflict
    case .stalled: self = .stalled
    case .notFound: self = .notFound
    case .unsupported: self = .unsupported
    case .unavailable: self = .internal
    }
  }
}
