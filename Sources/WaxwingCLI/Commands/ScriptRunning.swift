// SPDX-License-Identifier: MIT

import CWaxwingLua
import Glibc
import WaxwingBridge
import WaxwingLua
import WaxwingPatches
import WaxwingReflection

/// Runs a script in this process, with all of Lua's libraries and the bridge.
enum ScriptRunning {
  /// Runs a script to its end, and a shell behind it or instead of it.
  static func run(
    _ source: PatchSource?, arguments: [String], thenShell: Bool, _ console: Console
  ) throws(CommandError) -> ExitCode {
    let runtime = try makeRuntime()
    defer { _ = runtime.close(atMost: .seconds(1)) }
    var failure: CommandError?
    do throws(LuaFailure) {
      if let source { try runtime.load(files(source), arguments: arguments) }
    } catch {
      failure = CommandError(.refused, error.message, details: error.frames.map(\.description))
    }
    if let failure {
      guard thenShell else { throw failure }
      console.report(failure)
    }
    guard thenShell else { return .success }
    let isTerminal = isatty(STDIN_FILENO) != 0
    return Shell(runtime: runtime, console: console).run() || isTerminal ? .success : .refused
  }

  private static func files(_ source: PatchSource) -> [ScriptRuntime.Source] {
    source.files.map { file in
      ScriptRuntime.Source(name: file.name, module: file.moduleName, text: file.bytes)
    }
  }

  private static func makeRuntime() throws(CommandError) -> ScriptRuntime {
    let options = ScriptOptions(
      libraries: WAXWING_LIBRARIES_FULL, log: write, report: { _, _ in })
    do {
      return try ScriptRuntime(NameResolver(RunningProgram()), options)
    } catch {
      throw CommandError(.failure, "the Lua state cannot be made: \(error)")
    }
  }

  /// Standard output is the script's own: what it logs goes to standard error, with its position.
  private static let write: @Sendable (ScriptOptions.LogLine) -> Void = { line in
    let place = line.position.map { "\($0.source):\($0.line ?? 0): " } ?? ""
    let fields = line.fields.map { " \($0.name)=\($0.value)" }.joined()
    let text = Console.harmless("\(line.level): \(place)\(line.message)\(fields)") + "\n"
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
