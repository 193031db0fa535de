// SPDX-License-Identifier: MIT

import CWaxwingLua
import Synchronization
internal import WaxwingBridge
import WaxwingLua
import WaxwingPatches
import WaxwingReflection
internal import WaxwingScripting
import WaxwingToolKit
internal import WaxwingValues

/// Runs a script in this process, with all of Lua's libraries and the bridge.
enum ScriptRunning {
  /// Runs a script to its end and that of its tasks.
  static func run(_ script: RunScript) throws(CommandError) -> ExitCode {
    let taskFailures = Counter()
    let runtime = try makeRuntime(taskFailures)
    defer { close(runtime) }
    if let failure = run(script, in: runtime, waitsForTasks: true) { throw failure }
    return taskFailures.count == 0 ? .success : .refused
  }

  /// Runs a script, and then what a shell sends, until that has gone.
  static func serve(
    _ script: RunScript, _ channel: ProgramChannel, _ console: Console
  ) throws(CommandError) -> ExitCode {
    let runtime = try makeRuntime(Counter())
    defer { close(runtime) }
    var program = ShellProgram(ScriptConsole(runtime), channel)
    if let failure = run(script, in: runtime, waitsForTasks: false) { console.report(failure) }
    program.serve()
    return .success
  }

  /// The process is about to end: tasks that are left end with it.
  private static func close(_ runtime: ScriptRuntime) {
    if runtime.tasks.count == 0 { _ = runtime.close(atMost: .seconds(1)) }
  }

  /// - Returns: Why the script has failed.
  private static func run(
    _ script: RunScript, in runtime: ScriptRuntime, waitsForTasks: Bool
  ) -> CommandError? {
    guard let source = script.source else { return nil }
    let files = files(source)
    let arguments = script.arguments
    let failure = MainThread.wait { () async -> LuaFailure? in
      do throws(LuaFailure) {
        try await runtime.runProgram(files, arguments: arguments)
      } catch {
        return error
      }
      if waitsForTasks { await runtime.tasks.waitUntilIdle() }
      return nil
    }
    return failure.map {
      CommandError(.refused, $0.message, details: $0.frames.map(\.description))
    }
  }

  private static func files(_ source: PatchSource) -> [ScriptSource] {
    source.files.map { file in
      ScriptSource(name: file.name, module: file.moduleName, text: file.bytes)
    }
  }

  private static func makeRuntime(_ taskFailures: Counter) throws(CommandError) -> ScriptRuntime {
    var options = ScriptOptions(ProgramHost(taskFailures))
    options.libraries = WAX_LIBRARY_LIBRARIES_FULL
    do {
      return try ScriptRuntime(NameResolver(RunningProgram()), options)
    } catch {
      throw CommandError(.failure, "the Lua state cannot be made: \(error)")
    }
  }

  /// The host of a script that is a program of its own.
  private final class ProgramHost: ScriptHost {
    private let taskFailures: Counter

    init(_ taskFailures: Counter) {
      self.taskFailures = taskFailures
    }

    /// Writes a message of the script to standard error, with its position: standard output is the
    /// script's own.
    func log(_ line: LogLine) {
      let place = line.position.map { "\($0.source):\($0.line ?? 0): " } ?? ""
      let fields = line.fields.map { " \($0.name)=\($0.value)" }.joined()
      Console.writeErrors(Console.shown("\(line.level): \(place)\(line.message)\(fields)"))
    }

    /// Reports a task's failure as an error that ends the script is reported.
    func taskFailed(_ fault: OverrideFault) {
      taskFailures.increment()
      Console.writeErrors(Console.shown("waxwing: error: \(fault.message)"))
    }
  }

  private final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .acquiring) }
    func increment() { value.add(1, ordering: .releasing) }
  }
}
