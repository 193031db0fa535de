// SPDX-License-Identifier: MIT

import WaxwingControl

/// The tools of an assistant.
struct AssistantTools {
  let allowed: Set<AssistantAction>
  /// The options that say which daemon it sees; empty: all of this user's.
  let daemon: [String]
  /// The option that says how long to wait for it, if it was given.
  var timeout: [String] = []

  /// The instructions that the assistant gets first.
  var instructions: String {
    """
    Waxwing changes functions of running Swift programs by patches in Lua. Look with `daemons`, `status` and \
    `list`; find functions with `points`, see their calls with `trace`. A patch overrides functions: \
    `local A = class "Module.Type"` and `function A:name(x) return self:ORIGname(x) end`, with the selectors \
    that `points` shows. Check a patch with `check` before you propose it. \
    \(allowed.contains(.apply) ? "You may apply patches." : "You cannot apply it: give it to the user.")
    """
  }

  private var program: [AssistantTool.Parameter] {
    daemon.isEmpty
      ? [.init("program", "the daemon's program name; needed if several are running")] : []
  }

  /// Where a command without a daemon would take a file, and run it.
  private var chosenProgram: [AssistantTool.Parameter] {
    daemon.isEmpty ? [.init("program", "the daemon's program name", isRequired: true)] : []
  }

  var all: [AssistantTool] { looking + [check, trace, record] + changing }

  private static func plain(_ words: String...) -> (AssistantTool.Values) ->
    AssistantTool.CommandLine
  {
    { _ in .init(words: words) }
  }

  private var looking: [AssistantTool] {
    [
      AssistantTool(
        name: "daemons", summary: "lists the running daemons", parameters: [],
        line: Self.plain("daemons", "--json")),
      AssistantTool(
        name: "status", summary: "whether a program is at baseline, and what is wrong with it",
        parameters: program, line: Self.plain("status", "--json", "--exit-zero")),
      AssistantTool(
        name: "list", summary: "the live patches, their overrides, calls and errors",
        parameters: program, line: Self.plain("list", "--json")),
      points, explain,
      AssistantTool(
        name: "versions", summary: "the types that patches have changed", parameters: program,
        line: Self.plain("versions", "--json")),
      AssistantTool(
        name: "objects", summary: "counts the objects and values that patches hold",
        parameters: program, line: Self.plain("objects", "--json")),
      log,
      AssistantTool(
        name: "metrics", summary: "the counters of a daemon, as text for Prometheus",
        parameters: program, line: Self.plain("metrics")),
      AssistantTool(
        name: "doctor", summary: "looks for what keeps patches from working on this machine",
        parameters: [], hasDaemon: false, line: doctor),
    ]
  }

  /// The command, about the one daemon that the assistant sees if it sees one only.
  private func doctor(_: AssistantTool.Values) -> AssistantTool.CommandLine {
    .init(words: ["doctor", "--json"] + (daemonName.map { ["--", $0] } ?? []))
  }

  /// The name of the daemon, from `--program` or from the socket's file name.
  private var daemonName: String? {
    guard let value = daemon.last else { return nil }
    return daemon.first == "--program" ? value : SocketName(path: value)?.text ?? value
  }

  private var points: AssistantTool {
    AssistantTool(
      name: "points",
      summary:
        "lists functions that can be overridden, as a patch writes them, and why others cannot",
      parameters: [
        .init("pattern", "part of the names, such as Account.withdraw", isRequired: true),
        .init(
          "closures", "closures in place of functions, such as routes' handlers",
          kind: .boolean),
      ] + chosenProgram
    ) { values in
      let closures = values.has("closures") ? ["--closures"] : []
      return .init(words: ["points", "--json"] + closures + ["--", values["pattern"] ?? ""])
    }
  }

  private var explain: AssistantTool {
    AssistantTool(
      name: "explain", summary: "what happens when a function is called: overrides in their order",
      parameters: [
        .init("selector", "a full name, such as Bank.Account.withdraw(_:memo:)", isRequired: true)
      ] + program
    ) { values in
      .init(words: ["explain", "--json", "--", values["selector"] ?? ""])
    }
  }

  private var log: AssistantTool {
    AssistantTool(
      name: "log", summary: "what patches have logged, and what happened to them",
      parameters: [
        .init("patch", "only of this patch"),
        .init("level", "only as important: debug, info, warning or error"),
      ] + program
    ) { values in
      .init(
        words: ["log", "--json"] + values.option("--patch", "patch")
          + values.option("--level", "level"))
    }
  }

  /// Where the assistant may apply patches the daemon loads it, and the patch's own statements run.
  private var check: AssistantTool {
    let runs = allowed.contains(.apply)
    return AssistantTool(
      name: "check",
      summary:
        "checks a patch against a running program without applying it: syntax, names, types"
        + (runs ? "; the daemon loads it, which runs its statements" : ""),
      parameters: [.init("text", "the patch, in Lua", isRequired: true)] + program,
      isReadOnly: !runs
    ) { values in
      .init(
        words: ["check", "--json"] + (runs ? [] : ["--static"]) + ["-"], input: values["text"])
    }
  }

  private var trace: AssistantTool {
    let expressions: [AssistantTool.Parameter] =
      allowed.contains(.expressions)
      ? [
        .init("where", "a Lua expression over self, args, result, error and cost: which calls"),
        .init("show", "a Lua expression with the same variables, whose value is shown, too"),
      ] : []
    return AssistantTool(
      name: "trace",
      summary: "shows the calls of functions as they happen, with arguments, results and times",
      parameters: [
        .init("pattern", "part of the names of the functions", isRequired: true),
        .init("count", "end after this number of calls: at most 100, usually 20", kind: .number),
        .init("seconds", "end after this time: at most 30, usually 5", kind: .number),
        .init("tree", "calls with those that they made, and their own times", kind: .boolean),
        .init("summary", "only numbers and times of the calls of each function", kind: .boolean),
      ] + expressions + program, isReadOnly: false
    ) { values in
      let seconds = values.number("seconds", usually: 5, atMost: 30)
      var words = ["trace", "--json", "--duration=\(seconds)s"]
      if values.has("summary") {
        words += ["--summary", "--every=\(seconds)"]
      } else {
        words.append("-n=" + values.number("count", usually: 20, atMost: 100))
        if values.has("tree") { words.append("--tree") }
        words += values.option("--where", "where") + values.option("--show", "show")
      }
      return .init(words: words + ["--", values["pattern"] ?? ""])
    }
  }

  private var record: AssistantTool {
    AssistantTool(
      name: "record",
      summary: "keeps calls of functions in the program, so that the user can make one again with "
        + "`waxwing replay`; forget them with `waxwing replay --end`",
      parameters: [
        .init("pattern", "part of the names of the functions", isRequired: true),
        .init("count", "end after this number of calls: at most 100, usually 20", kind: .number),
        .init("seconds", "end after this time: at most 30, usually 5", kind: .number),
      ]
        + (allowed.contains(.expressions)
          ? [
            .init("where", "a Lua expression over self, args, result, error and cost: which calls")
          ]
          : []) + program,
      isReadOnly: false
    ) { values in
      .init(
        words: [
          "record", "--json", "--duration=\(values.number("seconds", usually: 5, atMost: 30))s",
          "-n=" + values.number("count", usually: 20, atMost: 100),
        ] + values.option("--where", "where") + ["--", values["pattern"] ?? ""])
    }
  }

  // MARK: What changes the program

  private var changing: [AssistantTool] {
    var tools: [AssistantTool] = []
    if allowed.contains(.shadow) { tools.append(shadow) }
    if allowed.contains(.apply) { tools += [apply(isDry: true), apply(isDry: false)] }
    if allowed.contains(.revert) {
      tools.append(
        AssistantTool(
          name: "revert", summary: "ends one patch",
          parameters: [.init("patch", "its name, as `list` has it", isRequired: true)] + program,
          isReadOnly: false
        ) { values in
          .init(words: ["revert", "--json", "--", values["patch"] ?? ""])
        })
    }
    if allowed.contains(.restore) {
      tools.append(
        AssistantTool(
          name: "restore", summary: "ends all patches, and checks that the program is at baseline",
          parameters: program, isReadOnly: false, line: Self.plain("restore", "--json")))
    }
    return tools
  }

  /// The patch's own statements run in the program.
  private var shadow: AssistantTool {
    AssistantTool(
      name: "shadow",
      summary:
        "runs a patch beside the program on live calls, and says where it differs; the program "
        + "gets the result of the original",
      parameters: [
        .init("path", "a .lua file, or a folder with main.lua", isRequired: true),
        .init("count", "end after this number of calls: at most 1000, usually 20", kind: .number),
        .init("seconds", "end after this time: at most 30, usually 5", kind: .number),
      ] + program, isReadOnly: false
    ) { values in
      .init(words: [
        "shadow", "--json", "--duration=\(values.number("seconds", usually: 5, atMost: 30))s",
        "-n=" + values.number("count", usually: 20, atMost: 1000), "--", values["path"] ?? "",
      ])
    }
  }

  private func apply(isDry: Bool) -> AssistantTool {
    AssistantTool(
      name: isDry ? "dry_run" : "apply",
      summary: isDry
        ? "lets the daemon load and check a patch, and changes nothing" : "makes a patch live",
      parameters: [
        .init("path", "a .lua file, or a folder with main.lua", isRequired: true),
        .init("trial", "end it after this time, such as 10m, unless it is confirmed"),
      ] + program, isReadOnly: false
    ) { values in
      .init(
        words: ["apply", "--json"] + (isDry ? ["--dry-run"] : [])
          + values.option("--trial", "trial") + ["--", values["path"] ?? ""])
    }
  }
}
