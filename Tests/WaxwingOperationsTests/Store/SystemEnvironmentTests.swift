// SPDX-License-Identifier: MIT

import Testing
import WaxwingOperations

/// Where the store is, and what switches it off.
@Suite struct SystemEnvironmentTests {
  private func environment(
    root: Bool = false, _ variables: [String: String], files: Set<String> = []
  ) -> SystemEnvironment {
    SystemEnvironment(isRoot: root, variable: { variables[$0] }, exists: { files.contains($0) })
  }

  @Test func `the folder is the first of those that are named`() {
    let all = [
      "WAXWING_STATE_DIR": "/a", "STATE_DIRECTORY": "/b:/c", "XDG_STATE_HOME": "/d", "HOME": "/e",
    ]
    #expect(environment(root: true, all).stateFolder == "/a")
    var rest = all
    rest["WAXWING_STATE_DIR"] = nil
    #expect(environment(root: true, rest).stateFolder == "/b")
    rest["STATE_DIRECTORY"] = nil
    #expect(environment(root: true, rest).stateFolder == "/var/lib/waxwing")
    #expect(environment(rest).stateFolder == "/d/waxwing")
    rest["XDG_STATE_HOME"] = nil
    #expect(environment(rest).stateFolder == "/e/.local/state/waxwing")
    #expect(environment([:]).stateFolder == nil)
  }

  @Test(arguments: [
    "/etc/waxwing/disable", "/etc/waxwing/disable.bankd", "/run/waxwing/disable",
    "/run/waxwing/disable.bankd",
  ])
  func `a file switches kept patches off`(file: String) {
    #expect(environment([:], files: [file]).disabled(program: "bankd") == "\(file) is there")
    #expect(
      environment(["WAXWING_CONFIG_DIR": "/c"], files: ["/c/disable.bankd"])
        .disabled(program: "bankd") == "/c/disable.bankd is there")
    #expect(
      environment([:], files: ["/etc/waxwing/disable.other"]).disabled(program: "bankd") == nil)
  }

  @Test func `a variable switches kept patches off`() {
    #expect(environment(["WAXWING_DISABLE": "1"]).disabled(program: "bankd") != nil)
    #expect(environment(["WAXWING_DISABLE": "0"]).disabled(program: "bankd") == nil)
    #expect(environment([:]).disabled(program: "bankd") == nil)
  }
}
