// SPDX-License-Identifier: MIT

import Testing
import WaxwingOperations
import WaxwingPatches

/// What a start decides from what the last run left.
@Suite struct BootGuardTests {
  private static let now = 1_700_000_000
  private static let fees = kept("fees")
  private static let limit = kept("limit")

  private static func kept(_ name: String, build: String = "b1") -> KeptPatch {
    KeptPatch(hash: ContentHash(of: Array(name.utf8)), name: name, build: build, keptAt: 1)
  }

  private static func state(_ patches: [KeptPatch] = [fees, limit]) -> StoreState {
    var state = StoreState()
    state.generation = 5
    state.build = "b1"
    state.active = patches
    return state
  }

  private static func record(
    attempt: Int = 1, healthy: Bool = false, build: String = "b1", generation: Int = 5
  ) -> BootRecord {
    var record = BootRecord(
      run: 77, attempt: attempt, generation: generation, build: build, pid: 1, startedAt: now)
    record.isHealthy = healthy
    return record
  }

  private static func breadcrumbs(_ patches: KeptPatch..., run: UInt64 = 77) -> BreadcrumbReport {
    BreadcrumbReport(
      run: run,
      suspects: patches.map { .init(prefix: $0.hash.prefix, name: $0.name, threads: 1) },
      overflow: 0)
  }

  private func decide(_ evidence: BootGuard.Evidence) -> BootGuard.Decision {
    decide(Self.state(), evidence)
  }

  private func decide(
    _ state: StoreState, _ evidence: BootGuard.Evidence, at time: Int = now, build: String = "b1"
  ) -> BootGuard.Decision {
    BootGuard(build: build, now: time).decide(state, evidence)
  }

  @Test func `the first start, and one after an orderly end, start all`() {
    for evidence in [
      BootGuard.Evidence(), BootGuard.Evidence(record: Self.record(attempt: 3), isClean: true),
      // Marks and breadcrumbs of a run that ended well mean nothing.
      BootGuard.Evidence(
        record: Self.record(attempt: 3), isClean: true, breadcrumbs: Self.breadcrumbs(Self.fees)),
    ] {
      let decision = decide(evidence)
      #expect(decision.start == [Self.fees, Self.limit] && decision.attempt == 1)
      #expect(decision.state == Self.state() && decision.notes.isEmpty)
    }
  }

  @Test func `orderly restarts, however quick, do not count`() {
    for attempt in 1...10 {
      let decision = decide(
        BootGuard.Evidence(record: Self.record(attempt: attempt), isClean: true))
      #expect(decision.attempt == 1 && !decision.isCrashLoop)
    }
  }

  @Test func `two deaths in a patch within ten minutes set it aside, and the rest starts`() {
    let evidence = BootGuard.Evidence(
      record: Self.record(healthy: true), breadcrumbs: Self.breadcrumbs(Self.fees))
    let first = decide(evidence)
    #expect(first.start == [Self.fees, Self.limit] && first.state.strikes.count == 1)
    let second = decide(first.state, evidence, at: Self.now + 599)
    #expect(second.start == [Self.limit] && second.attempt == 1)
    #expect(second.state.quarantine.map(\.patch) == [Self.fees])
    #expect(second.state.quarantine.map(\.at) == [Self.now + 599])
    #expect(second.notes.map(\.event) == ["boot.strike", "boot.quarantine"])
  }

  @Test func `two deaths further apart do not`() {
    let evidence = BootGuard.Evidence(
      record: Self.record(healthy: true), breadcrumbs: Self.breadcrumbs(Self.fees))
    let second = decide(decide(evidence).state, evidence, at: Self.now + 601)
    #expect(second.start == [Self.fees, Self.limit] && second.state.quarantine.isEmpty)
  }

  @Test func `a clock that is set back does not hide a strike`() {
    let evidence = BootGuard.Evidence(
      record: Self.record(healthy: true), breadcrumbs: Self.breadcrumbs(Self.fees))
    var state = decide(evidence).state
    state.lastSeen = Self.now
    #expect(decide(state, evidence, at: 1000).start == [Self.limit])
  }

  @Test func `breadcrumbs of another run, or of a patch that is not kept, strike nobody`() {
    let other = decide(
      BootGuard.Evidence(
        record: Self.record(healthy: true), breadcrumbs: Self.breadcrumbs(Self.fees, run: 78)))
    #expect(other.state.strikes.isEmpty)
    let unknown = decide(
      BootGuard.Evidence(
        record: Self.record(healthy: true), breadcrumbs: Self.breadcrumbs(Self.kept("rates"))))
    #expect(unknown.state.strikes.isEmpty)
    #expect(unknown.notes.map(\.message) == ["the last run died in rates, which was not kept"])
    #expect(unknown.notes.map(\.notKept) == [["rates"]])
  }

  @Test func `patches that were live and not kept are named, and whether the death was in them`() {
    func note(threads: Int, overflow: Int = 0) -> [BootGuard.Note] {
      let rates = BreadcrumbReport.Suspect(
        prefix: Self.kept("rates").hash.prefix, name: "rates", threads: threads)
      let fees = BreadcrumbReport.Suspect(prefix: Self.fees.hash.prefix, name: "fees", threads: 0)
      let breadcrumbs = BreadcrumbReport(
        run: 77, suspects: threads > 0 ? [rates] : [], live: [fees, rates], overflow: overflow)
      return decide(
        BootGuard.Evidence(record: Self.record(healthy: true), breadcrumbs: breadcrumbs)
      ).notes
    }
    #expect(note(threads: 1).map(\.event) == ["boot.suspect"])
    let outside = note(threads: 0)
    #expect(outside.map(\.event) == ["boot.live"] && outside.map(\.notKept) == [["rates"]])
    #expect(
      outside.map(\.message) == [
        "the last run died while rates was live, outside its calls; it was not kept"
      ])
    #expect(note(threads: 0, overflow: 1).first?.message.contains("perhaps in one of its") == true)
  }

  @Test func `three starts that do not stay up, and none is started until somebody says so`() {
    var state = Self.state()
    var attempt = 1
    for _ in 1..<3 {
      let decision = decide(state, BootGuard.Evidence(record: Self.record(attempt: attempt)))
      #expect(!decision.isCrashLoop && decision.start.count == 2)
      attempt = decision.attempt
    }
    #expect(attempt == 3)
    let fourth = decide(state, BootGuard.Evidence(record: Self.record(attempt: attempt)))
    #expect(fourth.isCrashLoop && fourth.start.isEmpty)
    #expect(fourth.notes.map(\.event) == ["boot.baseline"])
    state = fourth.state
    // It stays so, however the runs at baseline end.
    for evidence in [
      BootGuard.Evidence(record: Self.record(attempt: 4), isClean: true),
      BootGuard.Evidence(record: Self.record(attempt: 4)),
    ] {
      #expect(decide(state, evidence).isCrashLoop)
    }
    state.crashLoop = nil
    #expect(
      decide(state, BootGuard.Evidence(record: Self.record(), isClean: true)).start.count == 2)
  }

  @Test func `a run that stayed up starts the count again`() {
    let decision = decide(
      BootGuard.Evidence(record: Self.record(attempt: 3, healthy: true)))
    #expect(decision.attempt == 1 && decision.start.count == 2)
  }

  @Test func `what was kept since the failed starts is tried afresh`() {
    let decision = decide(BootGuard.Evidence(record: Self.record(attempt: 3, generation: 4)))
    #expect(decision.attempt == 1 && !decision.isCrashLoop)
  }

  @Test func `a program that keeps nothing may die as often as it likes`() {
    let decision = decide(Self.state([]), BootGuard.Evidence(record: Self.record(attempt: 9)))
    #expect(!decision.isCrashLoop && decision.attempt == 1)
  }

  @Test func `a damaged record is a start that failed`() {
    #expect(decide(BootGuard.Evidence(recordIsDamaged: true)).attempt == 2)
  }

  @Test func `patches of another build are left alone, and are back with it`() {
    let mixed = Self.state([Self.kept("old", build: "b0"), Self.fees])
    let decision = decide(mixed, BootGuard.Evidence())
    #expect(decision.start == [Self.fees])
    #expect(decision.ofOtherBuilds.map(\.name) == ["old"] && decision.state == mixed)
    let back = decide(mixed, BootGuard.Evidence(), build: "b0")
    #expect(back.start.map(\.name) == ["old"] && back.ofOtherBuilds == [Self.fees])
  }

  private static func version(_ number: Int, build: String = "b1") -> KeptPatch {
    KeptPatch(
      hash: ContentHash(of: Array("fees \(number)".utf8)), name: "fees", build: build,
      keptAt: number)
  }

  /// Two deaths in the patch.
  private func afterDeaths(in patch: KeptPatch, _ state: StoreState) -> BootGuard.Decision {
    let evidence = BootGuard.Evidence(
      record: Self.record(healthy: true), breadcrumbs: Self.breadcrumbs(patch))
    return decide(decide(state, evidence).state, evidence, at: Self.now + 9)
  }

  @Test func `in the place of a quarantined version the one before starts, if it was good`() {
    var state = Self.state([Self.version(1), Self.limit])
    state.bless([Self.version(1).hash])
    state.keep(Self.version(2))
    let second = afterDeaths(in: Self.version(2), state)
    #expect(second.start == [Self.version(1), Self.limit])
    #expect(second.notes.map(\.event) == ["boot.strike", "boot.quarantine", "boot.fallback"])
    #expect(second.notes.last?.patches == [Self.version(1)])
    #expect(second.state.quarantine.map(\.patch) == [Self.version(2)])
    // It dies of the other version too: there is no third.
    let third = afterDeaths(in: Self.version(1), second.state)
    #expect(third.start == [Self.limit] && third.state.good.isEmpty)

    // `boot retry` puts the quarantined one in the place of what was started for it.
    state = second.state
    state.takeBack()
    #expect(state.active == [Self.version(2), Self.limit] && state.quarantine.isEmpty)
    #expect(state.good == [Self.version(1)])
  }

  @Test func `a version that has not stayed up, or not with this build, is no fallback`() {
    var state = Self.state([Self.version(1)])
    state.keep(Self.version(2))
    #expect(afterDeaths(in: Self.version(2), state).start.isEmpty)
    state = Self.state([Self.version(1, build: "b0")])
    state.bless([Self.version(1).hash])
    state.keep(Self.version(2))
    #expect(afterDeaths(in: Self.version(2), state).start.isEmpty)
  }

  @Test func `of each name the last good version is known, and the one before it`() {
    var state = Self.state([Self.version(1), Self.limit])
    for number in 1...3 {
      state.keep(Self.version(number))
      state.bless([Self.version(number).hash])
      state.bless([Self.version(number).hash])
    }
    #expect(state.good == [Self.version(2), Self.version(3)])
    #expect(state.fallback(for: Self.version(3)) == Self.version(2))
    // One that was kept and never good changes nothing.
    state.keep(Self.version(4))
    #expect(state.fallback(for: Self.version(4)) == Self.version(3))
    state.forget(["fees"])
    #expect(state.active == [Self.limit] && state.good.isEmpty)
  }

  @Test func `a crash loop of one build does not hold for another`() {
    var state = Self.state([Self.kept("old", build: "b0"), Self.fees])
    state.crashLoop = CrashLoop(build: "b0", generation: 5, at: Self.now)
    #expect(decide(state, BootGuard.Evidence()).start == [Self.fees])
    #expect(decide(state, BootGuard.Evidence(), build: "b0").isCrashLoop)
  }
}
