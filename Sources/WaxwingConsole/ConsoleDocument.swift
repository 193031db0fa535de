// SPDX-License-Identifier: MIT

import WaxwingFleet

/// What the page shows, in its own words: `page/console.js` reads it.
package struct ConsoleDocument: Hashable, Sendable, Codable {
  struct Stage: Hashable, Sendable, Codable {
    var name: String
    var state: String
  }

  struct Node: Hashable, Sendable, Codable {
    enum State: String, Hashable, Sendable, Codable {
      case baseline, waiting, treated, harmed, silent
    }

    var name: String
    var state: State
    var build: String
    var set: String?
    var calls: Int?
    var faults: Int?
    var why: String?
  }

  struct Point: Hashable, Sendable, Codable {
    /// Milliseconds since 1970.
    var at: Int
    var treatedErrors: Double?
    var untreatedErrors: Double?
    var treatedLatency: Double?
    var untreatedLatency: Double?
  }

  struct Entry: Hashable, Sendable, Codable {
    /// Milliseconds since 1970.
    var at: Int
    var by: String
    var what: String
    var why: String
  }

  var fleet: String
  var phase = "idle"
  var rollout: String?
  var set: String?
  var before: String?
  var controller: String?
  var baked = 0.0
  var bake = 0
  var stages: [Stage] = []
  var verdict: String?
  var reason: String?
  var findings: [Finding] = []
  var halted: String?
  var nodes: [Node] = []
  var curves: [Point] = []
  var log: [Entry] = []
  var mayHalt = false
  var proof = ""
  /// Why the rest is old.
  var trouble: String?

  init(fleet: String) { self.fleet = fleet }
}
