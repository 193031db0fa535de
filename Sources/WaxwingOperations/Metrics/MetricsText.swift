// SPDX-License-Identifier: MIT

import WaxwingDeclarations

/// Counters in the text format 0.0.4 of Prometheus.
package struct MetricsText {
  /// Series beyond these are added up in one whose labels are `other`: a patch with thousands of
  /// overrides is not to fill the disk of who collects them.
  static let seriesLimit = 1000

  package enum Kind: String {
    case counter, gauge
  }

  package typealias Labels = [(name: String, value: String)]

  /// What was added so far.
  package private(set) var text = ""
  private var series = 0

  package init() {}

  /// Adds a metric with one value.
  package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
    add(name, kind, help, [([], value)])
  }

  /// Adds a metric with a value for each set of labels.
  package mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ samples: [(Labels, Int)]
  ) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(name) \(Self.escapedHelp(help))\n# TYPE \(name) \(kind.rawValue)\n"
    // What has labels may be much; a single value always has room.
    let room = max(0, Self.seriesLimit - series)
    let fits = samples.count == 1 || samples.count <= room
    let shown = fits ? samples[...] : samples.prefix(max(0, room - 1))
    for (labels, value) in shown { line(name, labels, value) }
    if !fits {
      let rest = samples.dropFirst(shown.count)
      let labels = samples[0].0.map { (name: $0.name, value: "other") }
      line(name, labels, rest.reduce(0) { $0 &+ $1.1 })
    }
    series += shown.count + (fits ? 0 : 1)
  }

  private mutating func line(_ name: String, _ labels: Labels, _ value: Int) {
    let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    text += name + (list.isEmpty ? "" : "{\(list)}") + " \(value)\n"
  }

  private static func escapedHelp(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(512) {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      // The format knows no other escapes: the backslash is one of the text's.
      case _ where VisibleText.isUnsafe(scalar):
        result += VisibleText.line(String(scalar)).replacing("\\", with: "\\\\")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
