// SPDX-License-Identifier: MIT

import Expectations
import Foundation
import Testing
import WaxwingOperations
import WaxwingPatches
import WaxwingTestSupport

/// The file of an audit log, and what breaks its chain.
@Suite struct AuditTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/bankd.audit" }

  init() throws { folder = try TemporaryFolder() }

  private static func record(_ name: String) -> AuditRecord {
    AuditRecord(
      "apply", "done", by: .client(pid: 7, uid: 0, user: "root"),
      patches: [.init(name: name, version: 2, sha256: ContentHash(of: [1]).hex, signer: "a@b")],
      generation: 3, reason: "a \"quoted\"\nreason\u{202e}")
  }

  /// Writes records named a, b, c …
  private func write(_ count: Int, to file: inout AuditFile) throws {
    for index in 0..<count {
      let name = String(UnicodeScalar(UInt8(0x61 + index)))
      try file.append(Self.record(name), time: "2026-01-02T03:04:0\(index % 10)Z")
    }
  }

  private func text(_ path: String? = nil) throws -> String {
    try String(contentsOfFile: path ?? self.path, encoding: .utf8)
  }

  private func verdict(_ paths: String...) throws -> AuditVerdict {
    AuditVerdict(
      files: try (paths.isEmpty ? [path] : paths).map { ($0, try AuditText.read($0)) })
  }

  @Test(arguments: [(0o777, false), (0o775, false), (0o1777, true), (0o755, true), (0o700, true)])
  func `a folder that others can write is refused, as a file is`(mode: Int, isFine: Bool) throws {
    defer { chmod(folder.path, 0o700) }
    try #require(chmod(folder.path, mode_t(mode)) == 0)
    var file = AuditFile(path: path)
    guard !isFine else { return try write(1, to: &file) }
    let error = #expect(throws: AuditError.self) { try write(1, to: &file) }
    #expect(
      error?.message == "the folder \(folder.path) of the audit log can be written by other users")
    #expect(throws: AuditError.self) { try file.open() }
  }

  @Test func `a record is one line of JSON with the hash of the line before it`() throws {
    var file = AuditFile(path: path)
    try write(2, to: &file)
    let lines = try text().split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    for (index, line) in lines.enumerated() {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object["n"] as? Int == index + 1)
      #expect(object["event"] as? String == "apply")
      #expect(object["verdict"] as? String == "done")
      #expect(object["uid"] as? Int == 0)
      #expect(object["pid"] as? Int == 7)
      #expect(object["user"] as? String == "root")
      #expect(object["generation"] as? Int == 3)
      #expect(object["reason"] as? String == "a \"quoted\"\nreason\u{202e}")
      #expect(!line.contains("\u{202e}"))
      let patch = try #require((object["patches"] as? [[String: Any]])?.first)
      #expect(patch["name"] as? String == (index == 0 ? "a" : "b"))
      #expect(patch["signer"] as? String == "a@b")
      #expect(patch["sha256"] as? String == ContentHash(of: [1]).hex)
      #expect(
        object["prev"] as? String
          == (index == 0 ? AuditLink.none : ContentHash(of: Array(lines[at: 0].utf8)).hex))
    }
    #expect(file.head.hash == ContentHash(of: Array(lines[at: 1].utf8)).hex)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o137 == 0)
  }

  @Test func `a record has what ended, what came back, the terms, and the floors`() throws {
    var record = Self.record("a")
    record.generationBefore = 2
    record.terms = "keep"
    record.ended = [.init(name: "b")]
    record.back = [.init(name: "c")]
    record.patches[0].key = "SHA256:x"
    record.patches[0].stored = ContentHash(of: [2]).hex
    record.patches[0].floor = SerialFloor(program: "bankd", key: "SHA256:x", serial: 5)
    var file = AuditFile(path: path)
    try file.append(record, time: "2026-01-02T03:04:05Z")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(try text().utf8)) as? [String: Any])
    #expect(object["generation_before"] as? Int == 2 && object["terms"] as? String == "keep")
    #expect((object["ended"] as? [[String: Any]])?.first?["name"] as? String == "b")
    #expect((object["back"] as? [[String: Any]])?.first?["name"] as? String == "c")
    let patch = try #require((object["patches"] as? [[String: Any]])?.first)
    #expect(patch["key"] as? String == "SHA256:x")
    #expect(patch["stored"] as? String == ContentHash(of: [2]).hex)
    let floor = try #require(patch["floor"] as? [String: Any])
    #expect(floor["serial"] as? Int == 5 && floor["program"] as? String == "bankd")
  }

  @Test func `a log says whether signed patches were applied, also in its older parts`() throws {
    #expect(AuditHistory.signedPatches(path) == nil)
    var file = AuditFile(path: path)
    try write(2, to: &file)
    // Not by a name that looks like it.
    try file.append(Self.record(#""floor":{"program":"x""#), time: "2026-01-02T03:04:05Z")
    #expect(AuditHistory.signedPatches(path) == nil)
    var signed = Self.record("d")
    signed.patches[0].floor = SerialFloor(program: "bankd", key: "k", serial: 5)
    try file.append(signed, time: "2026-01-02T03:04:05Z")
    #expect(AuditHistory.signedPatches(path) == "\(path) has records of signed patches")
    #expect(rename(path, path + ".1") == 0)
    try write(1, to: &file)
    #expect(AuditHistory.signedPatches(path) == "\(path).1 has records of signed patches")
    #expect(unlink(path + ".1") == 0)
    #expect(
      AuditHistory.signedPatches(path)
        == "\(path) begins with record 5, and the ones before it are missing")
  }

  @Test func `the chain goes on over restarts and other processes' records`() throws {
    var file = AuditFile(path: path)
    try write(3, to: &file)
    var other = AuditFile(path: path)
    try other.open()
    #expect(other.head == file.head)
    try write(2, to: &other)
    try write(1, to: &file)
    #expect(file.head.number == 6)
    let verdict = try verdict()
    #expect(verdict.breach == nil)
    #expect(verdict.records == 6)
    #expect(verdict.head == file.head.hash)
  }

  /// What is done to the lines 1…6, and what is said of it.
  static let damage: [(name: String, change: @Sendable ([String]) -> [String], breach: String)] = [
    (
      "changed", { $0.enumerated().map { $0 == 2 ? $1.replacing("a@b", with: "e@v") : $1 } },
      ":4: record 3 was changed after record 4 was written"
    ),
    ("removed", { Array($0[..<2] + $0[3...]) }, ":3: record 3 is missing before record 4"),
    (
      "two removed", { Array($0[..<2] + $0[4...]) },
      ":3: records 3 to 4 are missing before record 5"
    ),
    (
      "reordered", { [$0[0], $0[1], $0[3], $0[2], $0[4], $0[5]] },
      ":3: record 3 is missing before record 4"
    ),
    ("repeated", { $0 + [$0[5]] }, ":7: record 6 comes after record 6: out of order"),
    ("no beginning", { Array($0[2...]) }, ":1: the file begins with record 3: those before it"),
    ("a stray line", { Array($0[..<2] + ["hello"] + $0[2...]) }, ":3: the line is not a record"),
    (
      "a stray end", { $0 + ["hello", ""] },
      ":7: the line is not a record, and no other record explains"
    ),
    (
      "renumbered",
      { $0.enumerated().map { $0 == 0 ? $1.replacing("{\"n\":1,", with: "{\"n\":2,") : $1 } },
      ":1: the file begins with record 2"
    ),
    (
      "another beginning",
      { $0.enumerated().map { $0 == 0 ? $1.replacing("\"prev\":\"0", with: "\"prev\":\"1") : $1 } },
      ":1: record 1 does not start a chain"
    ),
  ]

  @Test(arguments: damage.indices)
  func `a changed, removed or moved line breaks the chain`(index: Int) throws {
    var file = AuditFile(path: path)
    try write(6, to: &file)
    let (name, change, breach) = Self.damage[index]
    let lines = change(try text().split(separator: "\n").map(String.init))
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: path, atomically: false, encoding: .utf8)
    let verdict = try verdict()
    #expect(verdict.breach?.hasPrefix(path + breach) == true, "\(name): \(verdict)")
  }

  @Test func `each byte of a record counts, but for the last record's, which the head shows`()
    throws
  {
    var file = AuditFile(path: path)
    try write(3, to: &file)
    let bytes = try AuditText.read(path)
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 1
      let verdict = AuditVerdict(files: [(path, changed)])
      #expect(verdict.breach != nil || verdict.head != file.head.hash, "byte \(place)")
    }
    for count in bytes.indices {
      #expect(
        AuditVerdict(files: [(path, Array(bytes[..<count]))]).head != file.head.hash
          || count == bytes.count - 1)
    }
  }

  @Test func `a line that a crash has torn is found, recorded, and the chain goes on`() throws {
    var file = AuditFile(path: path)
    try write(2, to: &file)
    let whole = try AuditText.read(path)
    let last = try #require(whole.dropLast().lastIndex(of: 0x0a)) + 1
    // Cut anywhere in the last line; without its line break it is whole.
    for end in stride(from: last + 1, to: whole.count, by: 7) + [whole.count - 1] {
      try Data(whole[..<end]).write(to: URL(fileURLWithPath: path))
      let isWhole = end == whole.count - 1
      if !isWhole { #expect(try verdict().notes.first?.contains("incomplete") == true) }
      var next = AuditFile(path: path)
      try next.open()
      try write(1, to: &next)
      let found = try verdict()
      #expect(found.breach == nil, "\(end): \(found)")
      #expect(found.records == 3)
      #expect(found.notes.count == (isWhole ? 0 : 1))
      #expect(found.head == next.head.hash)
    }
    // The first record may be the one that is torn.
    try Data(whole[..<20]).write(to: URL(fileURLWithPath: path))
    var next = AuditFile(path: path)
    try write(2, to: &next)
    #expect(try verdict().breach == nil)
    // Somebody who changes the torn bytes is found.
    var changed = try AuditText.read(path)
    changed[10] ^= 1
    #expect(AuditVerdict(files: [(path, changed)]).breach?.contains("no other record") == true)
  }

  @Test func `a log that is moved away or removed goes on in a new file`() throws {
    var file = AuditFile(path: path)
    try write(3, to: &file)
    #expect(rename(path, path + ".1") == 0)
    try write(2, to: &file)
    #expect(try verdict(path + ".1", path).records == 5)
    #expect(try verdict(path + ".1", path).breach == nil)
    #expect(try verdict().breach?.contains("the file begins with record 4") == true)
    #expect(unlink(path) == 0)
    try write(1, to: &file)
    #expect(try verdict().breach?.contains("the file begins with record 6") == true)
  }

  @Test func `a log that was cut while the program runs shows a gap`() throws {
    var file = AuditFile(path: path)
    try write(4, to: &file)
    let lines = try text().split(separator: "\n").map(String.init)
    try (lines[..<2].joined(separator: "\n") + "\n").write(
      toFile: path, atomically: false, encoding: .utf8)
    #expect(try verdict().breach == nil)
    #expect(try verdict().head != file.head.hash)
    try write(1, to: &file)
    #expect(try verdict().breach?.contains("records 3 to 4 are missing before record 5") == true)
  }

  @Test func `what cannot be written is told, and nothing is there then`() throws {
    let file = folder.path + "/none/bankd.audit"
    var missing = AuditFile(path: file)
    let error = #expect(throws: AuditError.self) { try missing.open() }
    #expect(error?.message == "the audit log \(file) cannot be opened: No such file or directory")
    var open = AuditFile(path: path)
    try write(1, to: &open)
    #expect(chmod(path, 0o666) == 0)
    #expect(throws: AuditError.self) { try open.append(Self.record("b"), time: "") }
    #expect(chmod(path, 0o640) == 0 && symlink(path, folder.path + "/link") == 0)
    var link = AuditFile(path: folder.path + "/link")
    #expect(throws: AuditError.self) { try link.append(Self.record("b"), time: "") }
    var device = AuditFile(path: "/dev/full")
    #expect(throws: AuditError.self) { try device.append(Self.record("b"), time: "") }
    try "garbage\n".write(toFile: folder.path + "/other", atomically: false, encoding: .utf8)
    var garbage = AuditFile(path: folder.path + "/other")
    #expect(throws: AuditError.self) { try garbage.append(Self.record("b"), time: "") }
    #expect(try text(folder.path + "/other") == "garbage\n")
    #expect(open.head.number == 1)
    #expect(try verdict().records == 1)
  }

  @Test func `another process that holds the log is waited for, not for ever`() throws {
    var file = AuditFile(path: path)
    try write(1, to: &file)
    let holder = Process()
    holder.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
    holder.arguments = ["-x", path, "sh", "-c", "echo held; exec sleep 60"]
    let output = Pipe()
    holder.standardOutput = output
    try holder.run()
    defer { holder.terminate() }
    _ = output.fileHandleForReading.availableData
    let error = #expect(throws: AuditError.self) { try write(1, to: &file) }
    #expect(error?.message == "the audit log \(path) is held by another process")
  }

  @Test func `the end of a long log is found`() throws {
    var file = AuditFile(path: path)
    let patches = (0..<80).map {
      AuditRecord.Patch(
        name: String(repeating: "n\u{7f}", count: 200) + "\($0)", sha256: ContentHash(of: []).hex
      )
    }
    let long = AuditRecord(
      "apply", "done", by: .program, patches: patches,
      reason: String(repeating: "\u{7f}", count: 5000))
    for _ in 0..<20 { try file.append(long, time: "t") }
    var again = AuditFile(path: path)
    try again.open()
    #expect(again.head == file.head)
    #expect(again.head.number == 20)
    #expect(try verdict().breach == nil)
    #expect(try AuditText.lastLines(3, of: path).count == 3)
  }

  @Test func `a patch is called by the hash that sha256sum prints`() throws {
    let one = try folder.write("patch { name = \"a\" }\n".utf8, to: "a.lua")
    try folder.write("local b = require \"b\"\n".utf8, to: "p/main.lua")
    try folder.write("return 1\n".utf8, to: "p/b.lua")
    try folder.write("return 2\n".utf8, to: "p/sub/c.lua")
    func sum(_ line: String) throws -> String {
      let result = try Command("/bin/sh", ["-c", line], directory: folder.path).run()
      return String(result.standardOutput.prefix(64))
    }
    #expect(try PatchSource(path: one).sha256 == sum("sha256sum a.lua"))
    #expect(
      try PatchSource(path: folder.path + "/p").sha256
        == sum("cd p && sha256sum b.lua main.lua sub/c.lua | sha256sum"))
  }
}
