// SPDX-License-Identifier: MIT

import WaxwingFleet
import WaxwingToolKit

/// The finished rollouts that a new one is based on.
struct FinishedRollouts {
  /// The number of entries of a history that are searched.
  private static let historyLimit = 5000

  private let fleet: FleetAccess
  /// How the names of those begin that do not count any more.
  private let forgotten: [String]

  init(_ fleet: FleetAccess, forgotten: [String]) {
    self.fleet = fleet
    self.forgotten = forgotten
  }

  /// The rollouts that count, oldest first, without those whose nodes now all belong to others.
  /// - Parameter state: The state of the newest rollout; nil if there was none.
  func base(_ state: RolloutState?, _ console: Console) throws(FleetError) -> [FleetPlan
    .Finished]
  {
    var ids: [String]
    var newest: Rollout?
    if let state {
      do throws(FleetError) { newest = try fleet.rollout(state.rollout) } catch {
        guard isForgotten(state.rollout) else { throw .unreadable(state.rollout, error) }
      }
    }
    if let base = newest?.base {
      ids = base
    } else {
      // The state is of an older version, or was lost.
      ids = try inHistory(before: state?.rollout)
      if !ids.isEmpty {
        let names = ids.map { String($0.prefix(12)) }.joined(separator: ", ")
        console.warn("these rollouts count as finished, by the history alone: \(names)")
      }
    }
    if let state, state.phase == .done { ids.append(state.rollout) }
    try demandFound(ids + [state?.rollout].compactMap { $0 })
    var base: [FleetPlan.Finished] = []
    for id in ids where !isForgotten(id) {
      do throws(FleetError) {
        base.append(FleetPlan.Finished(id: id, rollout: try fleet.rollout(id)))
      } catch { throw .unreadable(id, error) }
    }
    let left = FleetPlan.withoutCovered(base)
    guard left.count <= Rollout.baseLimit else {
      throw FleetError(
        .conflict,
        "there are \(left.count) finished rollouts to different nodes, of at most \(Rollout.baseLimit)",
        remedy: "leave some out with --forget, or start one to all nodes")
    }
    return left
  }

  private func isForgotten(_ id: String) -> Bool { forgotten.contains { id.hasPrefix($0) } }

  /// - Throws: ``FleetError`` `notFound` if one that is to be forgotten is none of these.
  private func demandFound(_ ids: [String]) throws(FleetError) {
    for name in forgotten where name.utf8.count < 4 || !ids.contains(where: { $0.hasPrefix(name) })
    {
      throw FleetError(
        .notFound, "'\(name)' is no finished rollout that counts",
        remedy: "`waxwing-fleet status` lists them; give 4 digits or more")
    }
  }

  /// Older versions kept the newest rollout only: which others were finished the history tells.
  private func inHistory(before newest: String?) throws(FleetError) -> [String] {
    var ends: [String: String] = [:]
    for entry in try fleet.history(Self.historyLimit) {
      guard let id = entry.rollout, id != newest else { continue }
      if ["done", "aborted", "rolledBack"].contains(entry.event) { ends[id] = entry.event }
    }
    return ends.filter { $0.value == "done" }.keys
      .compactMap { id in (try? fleet.rollout(id)).map { (serial: $0.serial, id: id) } }
      .sorted { $0 < $1 }.map(\.id)
  }
}

extension FleetError {
  fileprivate static func unreadable(_ id: String, _ error: FleetError) -> FleetError {
    FleetError(
      error.code, "finished rollout \(id.prefix(12)) cannot be read: \(error.message)",
      remedy: "restore it, or let it not count any more: --forget \(id.prefix(12))")
  }
}
