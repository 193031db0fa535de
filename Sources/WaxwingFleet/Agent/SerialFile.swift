// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// What an agent must not go behind, in a file: the highest serial number of a rollout that it has acted on, so
/// that nobody can show it an older one again, and a time at which one had expired.
struct SerialFile: Sendable {
  private let path: String?
  private(set) var serial = 0
  /// Seconds since 1970; 0: none is known.
  private(set) var time = 0

  /// - Throws: ``FleetError`` if the file is there and cannot be read: then it is not known what is old.
  init(_ path: String?) throws(FleetError) {
    self.path = path
    guard let path else { return }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return }
      throw Self.failure("read", path, ErrorNumber(value: errno).text)
    }
    defer { close(descriptor) }
    let bytes = (try? SystemCall.readAll(descriptor, limit: 64)) ?? []
    let lines = bytes.split(separator: 10).map { Int(String(decoding: $0, as: UTF8.self)) }
    guard let number = lines.first ?? nil else {
      throw Self.failure("read", path, "it holds no number")
    }
    serial = number
    time = lines.dropFirst().first.flatMap { $0 } ?? 0
  }

  /// Remembers a number before anything is done because of it.
  mutating func raise(to number: Int) throws(FleetError) {
    guard number > serial else { return }
    try write(number, time)
    serial = number
  }

  /// Remembers that a rollout that has expired was not followed any more.
  mutating func raise(toTime new: Int) throws(FleetError) {
    guard new > time else { return }
    try write(serial, new)
    time = new
  }

  private func write(_ serial: Int, _ time: Int) throws(FleetError) {
    guard let path else { return }
    let draft = path + ".new"
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Self.failure("write", path, ErrorNumber(value: errno).text)
    }
    let bytes = Array("\(serial)\n\(time)\n".utf8)
    let isWritten = (try? SystemCall.writeAll(bytes[...], to: descriptor)) != nil
    let isSynced = fsync(descriptor) == 0
    guard close(descriptor) == 0, isWritten, isSynced, unsafe rename(draft, path) == 0 else {
      throw Self.failure("write", path, ErrorNumber(value: errno).text)
    }
  }

  private static func failure(_ verb: String, _ path: String, _ why: String) -> FleetError {
    FleetError(
      .invalid, "cannot \(verb) \(path), the file of the last rollout's number: \(why)",
      remedy: "mend or remove it, and give its folder to the agent's user")
  }
}
