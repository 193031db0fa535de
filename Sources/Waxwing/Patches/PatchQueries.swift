// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingCore
import WaxwingReflection

/// Answers questions about patches, each in an operation of its own.
final class PatchQueries: Sendable {
  let engine: Engine
  private let watchdog: Watchdog
  private let kept: KeptPatches
  private let trials: Trials
  let listing = PagedListing()

  init(_ engine: Engine, _ watchdog: Watchdog, _ kept: KeptPatches, _ trials: Trials) {
    self.engine = engine
    self.watchdog = watchdog
    self.kept = kept
    self.trials = trials
  }

  /// The loaded patches, oldest first.
  /// - Parameter isBrief: Whether overrides of which there is nothing to say are added up only.
  func list(isBrief: Bool = false) throws -> [PatchInfo] {
    try looking {
      isBrief
        ? engine.sessions.all.map { withStuckCalls($0.briefInfo, of: $0) } : infos
    }
  }

  /// The descriptions of all sessions, for the thread that is in an operation of the engine.
  var infos: [PatchInfo] {
    let positions = engine.registry.positions()
    return engine.sessions.all.map { withStuckCalls($0.info(positions), of: $0) }
  }

  /// The description of a session, including the calls that last too long in it.
  func info(of session: PatchSession) -> PatchInfo { withStuckCalls(session.info, of: session) }

  private func withStuckCalls(_ info: PatchInfo, of session: PatchSession) -> PatchInfo {
    var info = info
    info.stuckCalls = watchdog.stuckCalls(of: session)
    return info
  }

  /// Returns the patches that override a function, in their order, and the place of the original.
  /// - Parameter selector: `Bank.Account.withdraw(_:memo:)`, `Account.title.get`, `Bank.fee(_:)`, or a part of it that
  ///   one function has, as traces take it.
  func explain(_ selector: String) throws -> PatchPointInfo {
    try engine.patchability.demandKnownABI()
    let program = try currentProgram()
    let function = try point(named: selector)
    return try looking { engine.inspection.explain(function, in: program) }
  }

  /// The function that the whole name means, or the only one whose name contains it.
  private func point(named selector: String) throws -> RunningFunction {
    do {
      return try engine.inspection.point(written: selector, in: currentProgram())
    } catch {
      let page = try points(
        .allWithName, matching: selector, from: 0, most: Self.shownMatches + 1)
      guard let first = page.points.first else { throw error }
      if page.points.count == 1 {
        return try engine.inspection.point(written: first.selector, in: currentProgram())
      }
      // The error tells more of several functions of one type that have the name.
      guard !selector.contains(".") else { throw error }
      let isMore = page.points.count > Self.shownMatches
      throw WaxwingError(
        .refused, "`\(selector)` is part of the names of several functions",
        details: page.points.prefix(Self.shownMatches).map(\.selector)
          + (isMore ? ["and others"] : []),
        remedy: "use a longer part")
    }
  }

  /// The largest number of functions that the error lists.
  private static let shownMatches = 10

  /// The class version of one type, or those of all that are changed.
  func versions(of type: String?) throws -> [TypeVersion] {
    let name = try type.map { try engine.inspection.typeOrModule(named: $0, in: currentProgram()) }
    return try looking {
      engine.inspection.versions(of: name).map {
        TypeVersion(type: $0.type, version: $0.version, patches: $0.patches)
      }
    }
  }

  /// The values that the loaded patches hold, oldest patch first.
  func liveObjects(collecting: Bool) throws -> [LiveObjects] {
    try looking { engine.inspection.liveObjects(collecting: collecting) }
  }

  /// Whether, and for how long, a live patch is there.
  struct Keeping {
    /// Whether the patch is live again after a restart; nil if there is no store.
    let isKept: Bool?
    /// The seconds until the trial ends; nil if the patch is not on trial.
    let trialSecondsLeft: Double?
  }

  /// Which live patches are kept, by their names.
  func keepings() throws -> [String: Keeping] {
    try engine.operation {
      var keepings: [String: Keeping] = [:]
      for session in engine.sessions.live {
        keepings[session.name] = Keeping(
          isKept: kept.hasStore ? kept.isKept(session.hash) : nil,
          trialSecondsLeft: trials.trial(of: session.number)?.secondsLeft)
      }
      return keepings
    }
  }

  /// The running program, whose names anybody may look at for as long as that takes: no operation waits.
  func currentProgram() throws -> RunningProgram {
    try engine.operation { try engine.program.current() }
  }

  private func looking<Result>(_ body: () throws -> Result) throws -> Result {
    try engine.operation {
      engine.lifecycle.closeDrained()
      return try body()
    }
  }
}
