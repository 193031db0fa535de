// SPDX-License-Identifier: MIT

import Testing

@Suite struct UsageTests {
  /// Words, and the two lines that they earn.
  static let mistakes: [(words: [String], error: String, hint: String)] = [
    ([], "no command given", "see `waxwing --help`"),
    (["aply"], "unknown command 'aply'", "did you mean 'apply'?"),
    (["frobnicate"], "unknown command 'frobnicate'", "see `waxwing --help`"),
    (["--hlep"], "unknown option '--hlep'", "did you mean '--help'?"),
    (["help", "lst"], "unknown command 'lst'", "did you mean 'list'?"),
    (["list", "--jsn"], "unknown option '--jsn' for 'list'", "did you mean '--json'?"),
    (["list", "--xyzzy=3"], "unknown option '--xyzzy' for 'list'", "see `waxwing list --help`"),
    (["list", "-x"], "unknown option '-x' for 'list'", "see `waxwing list --help`"),
    (["apply"], "'apply' needs PATCH", "see `waxwing apply --help`"),
    (["revert"], "'revert' needs NAME", "see `waxwing revert --help`"),
    (["list", "a", "b"], "'list' takes no further argument: 'b'", "see `waxwing list --help`"),
    (["version", "a"], "'version' takes no further argument: 'a'", "see `waxwing version --help`"),
    (
      ["list", "--socket"], "option '--socket' needs a value: --socket PATH",
      "see `waxwing list --help`"
    ),
    (
      ["list", "--socket="], "option '--socket' needs a value: --socket PATH",
      "see `waxwing list --help`"
    ),
    (["list", "--json=yes"], "option '--json' takes no value", "see `waxwing list --help`"),
    (
      ["status", "--exit-zero", "--exit-zero"], "option '--exit-zero' is given twice",
      "see `waxwing status --help`"
    ),
    (
      ["list", "bankd", "--socket", "/x"], "the daemon is specified more than once: /x, bankd",
      "see `waxwing list --help`"
    ),
    (
      ["restore", "--socket", "/x", "--wait", "soon"],
      "'--wait' needs a time such as 90s, 10m or 1h30m, 0s to 24h, not 'soon'",
      "see `waxwing restore --help`"
    ),
    (
      ["restore", "--socket", "/x", "--wait=-1"],
      "'--wait' needs a time such as 90s, 10m or 1h30m, 0s to 24h, not '-1'",
      "see `waxwing restore --help`"
    ),
    (["boot", "rety"], "'rety' is not retry or drop", "did you mean 'retry'?"),
    (["config", "reloda"], "'reloda' is not check or reload", "did you mean 'reload'?"),
    (
      ["store", "rebuildd"], "'rebuildd' is not verify, clear or rebuild", "did you mean 'rebuild'?"
    ),
    (["completion", "fihs"], "'fihs' is not bash, zsh or fish", "did you mean 'fish'?"),
    (["completion"], "'completion' needs bash, zsh or fish", "see `waxwing completion --help`"),
    (["list", "./bankd"], "'./bankd' is not a program's name", "for a path use --socket PATH"),
  ]

  @Test(arguments: mistakes)
  func `a mistake on the command line is explained and exits 2`(
    words: [String], error: String, hint: String
  ) throws {
    let tool = try Tool()
    let result = try tool.run(list: words)
    #expect(
      result
        == Tool.Result(exitCode: 2, errors: "waxwing: error: \(error)\nwaxwing: hint: \(hint)\n"))
  }
}
