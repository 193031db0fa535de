// SPDX-License-Identifier: MIT

import FoundationEssentials
import WaxwingOperations
import WaxwingPatches
import WaxwingSystem
import WaxwingToolKit

/// `waxwing store rebuild`: the highest serial numbers of signed patches, from the audit log.
struct StoreRebuild {
  private let places: StoredPlaces
  /// The log's parts, the oldest first.
  private let files: [String]
  private let takesBroken: Bool

  init(_ places: StoredPlaces, files: [String], takesBroken: Bool) throws(CommandError) {
    self.places = places
    self.files = files.isEmpty ? [places.auditLog].compactMap(\.self) : files
    self.takesBroken = takesBroken
    guard self.files.isEmpty else { return }
    throw CommandError(
      .refused, "\(places.program) keeps no audit log", remedy: "name the log's files")
  }

  private struct Record: Decodable {
    struct Patch: Decodable {
      struct Floor: Decodable {
        let program: String
        let key: String
        let serial: Int
      }

      let floor: Floor?
    }

    let time: String
    let verdict: String
    let patches: [Patch]?
  }

  func run(_ console: Console) throws(CommandError) {
    guard let base = places.folder else {
      throw .usage("there is no state folder", command: "store", remedy: "give --folder PATH")
    }
    let lines = try lines(console)
    let found = Self.contents(of: lines)
    let written: (path: String, contents: FloorCopy.Contents)
    do throws(StoreError) {
      guard let copy = try FloorCopy(base, program: places.program, creating: true) else { return }
      let old = (try? copy.read()) ?? nil
      let new = found.merged(with: old ?? FloorCopy.Contents())
      try copy.write(new)
      written = (copy.path, new)
    } catch {
      throw CommandError(.failure, error.message, remedy: error.remedy)
    }
    if console.reportsJSON {
      let serials = written.contents.floors.sorted { $0.key < $1.key }
        .map { Document.Serial(key: $0.key.key, serial: $0.value) }
      return try console.print(
        json: Document(path: written.path, records: lines.count, serials: serials))
    }
    console.print(shown(written.path, written.contents, records: lines.count))
  }

  /// What `--json` prints.
  private struct Document: Encodable {
    struct Serial: Encodable {
      let key: String
      let serial: Int
    }

    let path: String
    let records: Int
    let serials: [Serial]
  }

  /// The records, if their chain is whole.
  private func lines(_ console: Console) throws(CommandError) -> [ArraySlice<UInt8>] {
    var parts: [(name: String, bytes: [UInt8])] = []
    for file in files {
      do throws(AuditError) { parts.append((file, try AuditText.read(file))) } catch {
        throw CommandError(error)
      }
    }
    let verdict = AuditVerdict(files: parts)
    for note in verdict.notes { console.warn(note) }
    if let breach = verdict.breach {
      guard takesBroken else {
        throw CommandError(
          .refused, "the audit log is incomplete, so serial numbers may be missing from it",
          details: [breach],
          remedy: "name all of its files, oldest first; --anyway accepts an incomplete log")
      }
      console.warn(breach)
    }
    return parts.flatMap { $0.bytes.split(separator: 0x0a) }.filter { AuditLink(line: $0) != nil }
  }

  private static func contents(of lines: [ArraySlice<UInt8>]) -> FloorCopy.Contents {
    var contents = FloorCopy.Contents()
    for line in lines {
      guard let record = try? JSONDecoder().decode(Record.self, from: Data(line)) else { continue }
      contents.lastSeen = max(contents.lastSeen, UTCDate.seconds(record.time) ?? 0)
      guard record.verdict == "done" else { continue }
      for floor in (record.patches ?? []).compactMap(\.floor) {
        let key = FloorKey(program: floor.program, key: floor.key)
        contents.floors[key] = max(contents.floors[key] ?? 0, floor.serial)
      }
    }
    return contents
  }

  private func shown(_ path: String, _ contents: FloorCopy.Contents, records: Int) -> [String] {
    let count = contents.floors.count
    let head = "\(path): \(counted(count, "serial number")) after \(counted(records, "record"))"
    let lines = contents.floors.sorted { $0.key < $1.key }
      .map { "  serial \($0.value) of \($0.key.key)" }
    return [head] + lines
  }
}
