// SPDX-License-Identifier: MIT

import CWaxwingCodeProbe
import Foundation
import SeededRandom
import TortureRig

/// The torture test as a program of its own, for `scripts/torture`:
/// [--minutes M | --rounds N] [--threads T] [--seed S] [--ignore-heap]. 10,000 rounds by default.
@main
enum TortureProgram {
  static func main() {
    guard let options = options(CommandLine.arguments.dropFirst()) else {
      fail("usage: [--minutes M | --rounds N] [--threads T] [--seed S] [--ignore-heap]", code: 2)
    }
    if options.checksHeap { runWithoutThreadCaches() }
    options.report("seed \(options.seed)")
    do {
      let summary = try Torture.run(options)
      try stormCode(options)
      print("torture: \(summary): nothing found")
    } catch {
      fail("torture: \(error)", code: 1)
    }
  }

  /// What was wrong with functions whose code was changed while threads ran in it.
  private struct WrongCode: Error, CustomStringConvertible {
    let description: String
  }

  /// Jumps come and go at the beginnings of functions that threads call, ten times as often as patches: in
  /// a minute of patches there are some thousands.
  private static func stormCode(_ options: TortureOptions) throws {
    let minutes = options.duration.map { Int($0.components.seconds) / 60 } ?? 0
    let rounds = 10 * (options.rounds ?? 2000 * minutes)
    for byMapping in [false, true] {
      wax_runtime_code_write_by_mapping(byMapping)
      let count = byMapping ? rounds / 10 : rounds
      if let problem = code_probe_storm(count, options.threads, true) {
        throw WrongCode(description: String(cString: problem))
      }
      options.report(
        "\(count) jumps in code, \(byMapping ? "pages mapped anew" : "written in place")")
    }
    let traps = wax_runtime_code_traps_handled()
    options.report("\(traps.first) traps at first bytes, \(traps.inner) behind them")
  }

  /// Starts the program anew unless malloc keeps no freed blocks for each thread: what is given out
  /// would not tell what leaks.
  private static func runWithoutThreadCaches() {
    let name = "GLIBC_TUNABLES"
    let value = "glibc.malloc.tcache_count=0"
    guard ProcessInfo.processInfo.environment[name] != value else { return }
    setenv(name, value, 1)
    var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &arguments)
    fail("torture: \(String(cString: strerror(errno)))", code: 1)
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(code)
  }

  private static func options(_ arguments: some Sequence<String>) -> TortureOptions? {
    var options = TortureOptions(seed: TestSeed.drawn.value)
    options.report = { line in
      print("torture: \(line)")
      fflush(nil)
    }
    options.rounds = 10_000
    var words = arguments.makeIterator()
    while let word = words.next() {
      if word == "--ignore-heap" {
        options.checksHeap = false
        continue
      }
      guard let number = words.next().flatMap(UInt64.init), number > 0 else { return nil }
      switch word {
      case "--minutes":
        options.rounds = nil
        options.duration = .seconds(60 * Int(number))
      case "--rounds": options.rounds = Int(number)
      case "--threads":
        options.threads = Int(number)
        options.tasks = (options.threads + 1) / 2
      case "--seed": options.seed = number
      default: return nil
      }
    }
    return options
  }
}
