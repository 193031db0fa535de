// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// The highest serial number of a rollout that an agent has acted on, in a file, so that nobody can show it an
/// older rollout again.
struct SerialFile: Sendable {
  private let path: String?
  private(set) var serial = 0

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
    guard let number = Int(String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)) else {
      throw Self.failure("read", path, "it holds no number")
    }
    serial = number
  }

  /// Remembers a number before anything is done because of it.
  mutating func raise(to number: Int) throws(FleetError) {
    guard number > serial else { return }
    if let path {
      let draft = path + ".new"
      let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw Self.failure("write", path, ErrorNumber(value: errno).text)
      }
      let bytes = Array("\(number)\n".utf8)
      let isWritten = (try? SystemCall.writeAll(bytes[...], to: descriptor)) != nil
      let isSynced = fsync(descriptor) == 0
      guard close(descriptor) == 0, isWritten, isSynced, unsafe rename(draft, path) == 0 else {
        throw Self.failure("write", path, ErrorNumber(value: errno).text)
      }
    }
    serial = number
  }

  private static func failure(_ verb: String, _ path: String, _ why: String) -> FleetError {
    FleetError(
      .invalid, "cannot \(verb) \(path), the file of the last rollout's number: \(why)",
      remedy: "mend or remove it, and give its folder to the agent's user")
  }
}
