// SPDX-License-Identifier: MIT

import WaxwingControl

/// What `waxwing list` prints: a table, and below it the last error of each failing override.
struct PatchListText {
  let daemon: DaemonInfo
  let patches: [PatchStatus]

  var text: String {
    guard !patches.isEmpty else {
      return "\(daemon.program) (pid \(daemon.pid)) is at baseline: no patches"
    }
    return ([table] + patches.flatMap(errors)).joined(separator: "\n\n")
  }

  private var table: String {
    var table = TextTable(columns: [
      .init(title: "PATCH"), .init(title: "VERSION", isNumber: true), .init(title: "STATE"),
      .init(title: "OVERRIDE"), .init(title: "CALLS", isNumber: true),
      .init(title: "ERRORS", isNumber: true),
    ])
    for patch in patches {
      let head = [patch.name, "\(patch.version)", patch.state]
      for (index, override) in patch.overrides.enumerated() {
        let counts = [override.qualifiedName, "\(override.calls)", "\(override.errors)"]
        table.rows.append((index == 0 ? head : ["", "", ""]) + counts)
      }
      if patch.overrides.isEmpty { table.rows.append(head + ["(none)", "", ""]) }
    }
    return table.text
  }

  private func errors(of patch: PatchStatus) -> [String] {
    patch.overrides.compactMap { override in
      guard let error = override.lastError else { return nil }
      let count = counted(error.count, "error")
      var lines = ["\(patch.name): \(count) in \(override.qualifiedName), last at \(error.at)"]
      lines.append("  " + error.located)
      lines += error.traceback.map { "    " + $0 }
      return lines.joined(separator: "\n")
    }
  }
}

extension ErrorReport {
  /// The message with its place; Lua's own messages begin with it already.
  var located: String {
    let place = "\(file):\(line):"
    return message.hasPrefix(place) ? message : "\(place) \(message)"
  }
}
