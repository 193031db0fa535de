// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingTestSupport

/// Roles of other users. Needs root, which alone can become another user.
@Suite(.enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0))
struct RoleTests {
  private let stage: Stage
  private let configuration: TemporaryFolder
  private let log: TemporaryFolder

  init() throws {
    configuration = try TemporaryFolder()
    log = try TemporaryFolder()
    try """
    observe = group:4712
    operate = user:4713
    socket-group = 4712

    """.write(toFile: "\(configuration.path)/bankd.conf", atomically: false, encoding: .utf8)
    stage = try Stage(
      environment: ["WAXWING_CONFIG_DIR": configuration.path, "WAXWING_LOG_DIR": log.path])
    try stage.write(
      """
      patch { name = "fees" }
      local Fees = class "bankd.FeeSchedule"
      function Fees:fee(amount) return 7 end
      """, to: "fees.lua")
    expectEqual(chmod("\(stage.folder)/fees.lua", 0o644), 0)
  }

  /// Runs the tool as another user; the group is a further one.
  private func waxwing(_ uid: Int, _ groups: String?, _ arguments: String...) throws -> String {
    let tool = try BuiltProduct("waxwing").path
    let result = try Command(
      "/usr/bin/setpriv",
      ["--reuid", "\(uid)", "--regid", "\(uid)"]
        + (groups.map { ["--groups", $0] } ?? ["--clear-groups"]) + [tool] + arguments
        + ["--socket", stage.socket]
    ).run()
    let end = result.isSuccess ? "" : "\(result.status)\n"
    return result.standardOutput + result.standardError + end
  }

  @Test func `a group may look, a user may patch, and others are turned away`() throws {
    let reader = try waxwing(4711, "4712", "list")
    expectContains(reader, "is at baseline: no patches")
    try expectContains(waxwing(4711, "4712", "status"), "your role: observe")
    let patch = "\(stage.folder)/fees.lua"
    let refused = try waxwing(4711, "4712", "apply", patch)
    expectEqual(
      refused,
      """
      waxwing: error: uid 4711 has the role `observe` here; `apply` needs `operate`
      waxwing: hint: run waxwing as root or as uid 0, or let the operator give `operate` to you in \
      \(configuration.path)/bankd.conf
      exited(8)

      """)
    try expectContains(waxwing(4711, "4712", "restore"), "`restore` needs `operate`")
    // Who has no role does not get to the socket.
    try expectContains(waxwing(4714, nil, "list"), "not permitted: ")
    let applied = try waxwing(4713, "4712", "apply", patch)
    expectContains(applied, "applied fees")
    try expectContains(waxwing(4711, "4712", "list"), "fees")
    try expectContains(waxwing(4711, "4712", "metrics"), "waxwing_clients_refused_total 2")
    try expectContains(waxwing(4711, "4712", "audit"), "uid 4713")
    try expectContains(waxwing(4713, "4712", "restore"), "restored baseline")
    try expectContains(waxwing(4713, "4712", "shell"), "`shell` needs `own`")
    expectContains(stage.log, "waxwing warning client.refused: uid 4711 has the role `observe`")
    let log = try String(contentsOfFile: "\(log.path)/bankd.audit", encoding: .utf8)
    expectContains(log, #""event":"client","verdict":"refused""#)
    expectContains(log, #""uid":4713"#)
  }
}
