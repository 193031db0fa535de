// SPDX-License-Identifier: MIT

import Foundation

/// What other bindings of Lua take for the same work, in the same run. Each is a program in one folder,
/// which gets Lua code for each piece of work: see Tests/BenchmarkPeers. A file NAME.missing says why
/// there is no program of that name.
enum PeerBenchmarks {
  private struct Work {
    let name: String
    let each: Int
    /// What the peers run, in one line.
    let code: String
    let floor: Measurement
    let own: Measurement
  }

  /// The host calls a Lua function.
  private static var call: Work {
    let (floor, own) = CallBenchmarks.kept
    return Work(
      name: "Lua function called, two integers", each: 2,
      code: "return function(a, b) return a + b end", floor: floor, own: own)
  }

  /// Lua code uses an object of the host.
  private static var objects: [Work] {
    let names = [
      "method call, two integers", "get a stored property", "set a stored property",
      "string of 16 bytes to Lua", "string of 16 bytes to Swift", "array of 1,000 integers to Lua",
      "array of 1,000 integers to Swift", "Lua function passed and called",
    ]
    return names.map { name in
      let shared = BridgeBenchmarks.shared(name)
      return Work(
        name: name.replacing("Swift", with: "the host"), each: shared.each, code: shared.code,
        floor: shared.floor, own: shared.own)
    }
  }

  static func run(_ report: Report, folder: String?) throws {
    let title = "Beside other bindings"
    guard let folder else {
      report.begin(title, "ns")
      report.leaveOut("other bindings", because: "name a folder that has them with --peers")
      return
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let programs = names.filter { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
    let works = [call] + objects
    let input = works.map { "\($0.name)\t\($0.each)\t\($0.code)\n" }.joined()
    // By work and binding.
    var times: [String: [String: [Double]]] = [:]
    for _ in 0..<report.rounds {
      for work in works {
        times[work.name, default: [:]]["C", default: []].append(time(work.floor))
        let own = try Benchmarks.patched(work.own.patches) { time(work.own) }
        times[work.name, default: [:]]["Waxwing", default: []].append(own)
      }
      for program in programs {
        let output = try ChildProcess.output(of: "\(folder)/\(program)", input: input)
        for line in output.split(separator: "\n") {
          let parts = line.split(separator: "\t").map(String.init)
          guard let time = Double(parts[1]) else { continue }
          times[parts[0], default: [:]][program, default: []].append(time)
        }
      }
    }
    report.begin(title, "ns")
    let columns = ["C", "Waxwing"] + programs
    show(works, columns, times)
    for work in works { record(work, columns, times[work.name, default: [:]], report) }
    for name in names where name.hasSuffix(".missing") {
      let reason = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      report.leaveOut(
        String(name.dropLast(".missing".count)),
        because: reason.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  /// As the peers measure: what lasts long enough.
  private static func time(_ measurement: Measurement) -> Double {
    var count = 100
    while true {
      let time = measurement.time(count)
      if time * Double(count) >= 10e6 { return time }
      count *= 4
    }
  }

  private static func record(
    _ work: Work, _ columns: [String], _ times: [String: [Double]], _ report: Report
  ) {
    for column in columns {
      guard let values = times[column] else { continue }
      let floor = Floor("\(work.name), C")
      report.add(
        "\(work.name), \(column)", values,
        comparedTo: column == "C" ? [] : [.init(floor: floor, values: times["C", default: []])],
        isPrinted: false)
    }
  }

  /// One line for each work: of each binding its median, and its ratio to C.
  private static func show(
    _ works: [Work], _ columns: [String], _ times: [String: [String: [Double]]]
  ) {
    func line(_ name: String, _ cells: [String]) {
      let cells = cells.map { String(repeating: " ", count: max(1, 20 - $0.count)) + $0 }
      print(name + String(repeating: " ", count: max(1, 36 - name.count)) + cells.joined())
    }
    print("C: written by hand, objects known by their metatables. lupa: a Lua 5.4 of its own.")
    print("SWIG: numbers are floats, callbacks written by hand, no calls from C++.")
    line("ns, ratio to C", columns)
    for work in works {
      let own = times[work.name, default: [:]]
      line(
        work.name,
        columns.map { column in
          guard let values = own[column] else { return "-" }
          if column == "C" { return Table.format(values.median) }
          let ratios = zip(values, own["C", default: []]).map(/)
          return "\(Table.format(values.median)), \(Table.format(ratios.median))"
        })
    }
  }
}
