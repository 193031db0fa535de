// SPDX-License-Identifier: MIT

import WaxwingSystem

/// Decides which clients a control server keeps.
///
/// Connecting costs nothing, so that a user who may only look could keep all others out. Every client is
/// therefore let in first, to see who it is; then the idlest client of the user who has the most makes
/// room for it.
struct ServerPlaces {
  /// A client that has a place.
  struct Occupant {
    let id: UInt64
    let uid: UInt32
    let role: ControlRole
    /// The time since when the server has waited for the client; nil if the client waits for an
    /// answer, and therefore is not disconnected.
    let idleSince: Deadline?
  }

  /// The decision about a new client.
  enum Decision: Equatable {
    case admitted
    /// Once this client has given way.
    case replaces(UInt64)
    case refused
  }

  let limits: ControlServerLimits
  let occupants: [Occupant]

  func decide(uid: UInt32, role: ControlRole) -> Decision {
    let own = occupants.filter { $0.uid == uid }
    if role < .own, own.count >= limits.clientsPerUser { return replacement(among: own) }
    guard role < .operate else {
      return occupants.count < limits.clients ? .admitted : replacement(among: occupants)
    }
    let observers = occupants.filter { $0.role < .operate }
    let isRoom =
      observers.count < limits.clients - limits.reserved && occupants.count < limits.clients
    return isRoom ? .admitted : replacement(among: observers)
  }

  /// The client to disconnect: the idlest of the user who has the most clients, among users who
  /// have an idle one.
  private func replacement(among candidates: [Occupant]) -> Decision {
    let idle = candidates.filter { $0.idleSince != nil }
    let counts = Dictionary(grouping: candidates, by: \.uid).mapValues(\.count)
    let best = idle.min { a, b in
      let (first, second) = (counts[a.uid] ?? 0, counts[b.uid] ?? 0)
      if first != second { return first > second }
      return (a.idleSince ?? .never, a.id) < (b.idleSince ?? .never, b.id)
    }
    return best.map { .replaces($0.id) } ?? .refused
  }
}
