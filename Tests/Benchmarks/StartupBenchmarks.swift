// SPDX-License-Identifier: MIT

import Foundation
import Waxwing

/// What the engine adds to a program's start, and what the first patch of a process takes, which reads
/// the program's symbols. Each time is of a process of its own.
enum StartupBenchmarks {
  enum Kind: String {
    case listen, attach
  }

  /// What one process has measured, in nanoseconds.
  private struct Times: Codable {
    /// The first of its kind in the process.
    let first: Double
    /// The best of some more.
    let later: Double
  }

  static func run(_ report: Report, library: String?) throws {
    var listening: [Double] = []
    var attaching: [Double] = []
    var attachingMany: [Double] = []
    for _ in 0..<report.rounds {
      listening.append(try child(.listen).first / 1000)
      let own = try child(.attach)
      attaching.append((own.first - own.later) / 1000)
      guard let library else { continue }
      let many = try child(.attach, library)
      attachingMany.append((many.first - many.later) / 1000)
    }
    report.begin("Start of a process", "µs")
    report.add("WaxwingEngine.listen()", listening, .microseconds)
    report.add(
      "the first patch, more than a later one: this program", attaching, .microseconds)
    let many = "the first patch, with 10,000 patch points more"
    if attachingMany.isEmpty {
      report.leaveOut(many, because: "name a library that has them with --points")
    } else {
      report.add(many, attachingMany, .microseconds)
    }
  }

  private static func child(_ kind: Kind, _ library: String? = nil) throws -> Times {
    let output = try ChildProcess.output(
      of: "/proc/self/exe", ["--start", kind.rawValue] + (library.map { ["--points", $0] } ?? []))
    return try JSONDecoder().decode(Times.self, from: Data(output.utf8))
  }

  /// Measures in this process, which does nothing else, and prints the times.
  static func start(_ kind: Kind, library: String?) throws {
    if let library, dlopen(library, RTLD_NOW) == nil {
      Benchmarks.fail("\(library) cannot be loaded\n")
    }
    let times =
      switch kind {
      case .listen: try listen()
      case .attach: try attach()
      }
    print(String(decoding: try JSONEncoder().encode(times), as: UTF8.self))
  }

  private static func listen() throws -> Times {
    var template = Array("/tmp/waxwing-benchmark-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { Benchmarks.fail("there is no place for a socket\n") }
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["SOCKET", "STATE", "CONFIG", "LOG"] { setenv("WAXWING_\(name)_DIR", folder, 1) }
    let time = try ContinuousClock().measure { try WaxwingEngine.listen() }
    WaxwingEngine.stopListening()
    return Times(first: time.nanoseconds, later: 0)
  }

  private static func attach() throws -> Times {
    func apply() throws -> Double {
      let time = try ContinuousClock().measure {
        try WaxwingEngine.start(text: "-- nothing", name: "empty")
      }
      try WaxwingEngine.restore()
      return time.nanoseconds
    }
    return Times(first: try apply(), later: try (0..<5).map { _ in try apply() }.least)
  }
}
