// SPDX-License-Identifier: MIT

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
      print("torture: \(summary): nothing found")
    } catch {
      fail("torture: \(error)", code: 1)
    }
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
      case "--threads": options.threads = Int(number)
      case "--seed": options.seed = number
      default: return nil
      }
    }
    return options
  }
}
