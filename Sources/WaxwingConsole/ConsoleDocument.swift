// SPDX-License-Identifier: MIT

import WaxwingFleet

/// The contents of the page, in its own words: `page/console.js` reads it.
package struct ConsoleDocument: Hashable, Sendable, Codable {
  struct Stage: Hashable, Sendable, Codable {
    var name: String
    var state: String
  }

  /// A set that nodes are at, or should be.
  struct PublishedSet: Hashable, Sendable, Codable {
    var id: String
    var program: String
    var note: String
    var patches: [FleetSet.Patch]
  }

  /// The newest rollout.
  struct Plan: Hashable, Sendable, Codable {
    var id: String
    var set: String
    var selector: String
    /// How many nodes the selector selects now.
    var selected: Int
    /// The start in milliseconds since 1970.
    var startedAt: Int
    /// The expiry in milliseconds since 1970.
    var expires: Int
    /// Whom the signature proves; nil: the rollout cannot be read any more.
    var signer: String?
    /// The user who started the rollout, according to the history; nil if that was too long ago.
    var startedBy: String?
  }

  struct Node: Hashable, Sendable, Codable {
    enum State: String, Hashable, Sendable, Codable {
      case baseline, waiting, treated, harmed, silent
    }

    var name: String
    var state: State
    var build: String
    /// The set it is at, `baseline`, or `?`.
    var set: String
    /// The set it should be at, `baseline`, or `?`.
    var goal: String
    var labels: [String: String] = [:]
    var calls: Int?
    var faults: Int?
    /// The reason why the node is not well; nil if it is.
    var why: String?
  }

  struct Point: Hashable, Sendable, Codable {
    /// The time in milliseconds since 1970.
    var at: Int
    var treatedErrors: Double?
    var untreatedErrors: Double?
    var treatedLatency: Double?
    var untreatedLatency: Double?
  }

  struct Entry: Hashable, Sendable, Codable {
    /// The time in milliseconds since 1970.
    var at: Int
    var by: String
    var what: String
    var why: String
  }

  var fleet: String
  var phase = "idle"
  var plan: Plan?
  /// The sets of the rollouts that count, as far as they can be read.
  var sets: [PublishedSet] = []
  var before: String?
  var controller: String?
  var stages: [Stage] = []
  /// Conditions for the rollout to move on.
  var waits: [String] = []
  /// Findings of gates that the rollout does not wait for.
  var findings: [GateFinding] = []
  /// Why the rollout is where it is, if no gate says it.
  var reason: String?
  /// Why all nodes are at baseline, by whom and when; nil: they are not.
  var halted: Entry?
  var nodes: [Node] = []
  /// How many nodes report requests and errors.
  var countRequests = 0
  /// How many nodes report latency.
  var measureLatency = 0
  var curves: [Point] = []
  var log: [Entry] = []
  var mayHalt = false
  var proof = ""
  /// Why the rest is old, or what cannot be read.
  var trouble: String?

  init(fleet: String) { self.fleet = fleet }
}
