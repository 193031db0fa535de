// SPDX-License-Identifier: MIT

internal import Glibc
internal import WaxwingSystem

/// Reads from an audit log facts about a time of which no other record exists.
package enum AuditHistory {
  /// The bytes by which a record of a signed patch is recognised. In quoted text a quotation mark
  /// has a backslash before it, so these bytes are a member of the record.
  private static let member = Array(#""floor":{"#.utf8)

  /// Why signed patches may have been applied before, by the audit log and its older parts beside it; nil:
  /// the log begins at the beginning, and none was.
  package static func signedPatches(_ path: String) -> String? {
    for file in parts(path) where has(member, file) {
      return "\(file) has records of signed patches"
    }
    guard let first = firstNumber(path), first > 1 else { return nil }
    return "\(path) begins with record \(first), and the ones before it are missing"
  }

  /// The log and what logrotate has made of it, which has its name and more.
  private static func parts(_ path: String) -> [String] {
    guard let slash = path.lastIndex(of: "/") else { return [path] }
    let (folder, name) = (String(path[..<slash]), String(path[path.index(after: slash)...]))
    guard let stream = unsafe opendir(folder.isEmpty ? "/" : folder) else { return [path] }
    defer { unsafe closedir(stream) }
    var parts = [path]
    while let entry = unsafe readdir(stream) {
      let found = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if found.hasPrefix(name), found != name { parts.append("\(folder)/\(found)") }
    }
    return parts
  }

  private static func has(_ member: [UInt8], _ path: String) -> Bool {
    var rest: [UInt8] = []
    var isFound = false
    read(path) { piece in
      rest += piece
      isFound = contains(rest, member)
      rest = Array(rest.suffix(member.count - 1))
      return !isFound
    }
    return isFound
  }

  private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe part.withUnsafeBytes { part in
        guard let wanted = part.baseAddress, bytes.count >= part.count else { return false }
        var rest = unsafe bytes[...]
        while unsafe rest.count >= part.count,
          let start = unsafe UnsafeRawBufferPointer(rebasing: rest).baseAddress,
          let found = unsafe memchr(start, Int32(part[0]), rest.count - part.count + 1)
        {
          if unsafe memcmp(found, wanted, part.count) == 0 { return true }
          unsafe rest = unsafe rest.dropFirst(start.distance(to: UnsafeRawPointer(found)) + 1)
        }
        return false
      }
    }
  }

  private static func firstNumber(_ path: String) -> Int? {
    var first: [UInt8] = []
    read(path) { piece in
      first += piece.prefix(64)
      return false
    }
    return AuditLink.number(first)
  }

  private static func read(_ path: String, _ body: (ArraySlice<UInt8>) -> Bool) {
    let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    while true {
      let read = SystemCall.retrying { unsafe Glibc.read(file, &buffer, buffer.count) }
      guard case .success(let count) = read, count > 0, body(buffer[..<count]) else { return }
    }
  }
}
