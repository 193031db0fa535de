// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// A file that decides about rights: only root and this process's user can have written it.
///
/// Each folder on the way to it, and each folder that a symbolic link on the way is in, belongs to one
/// of the two and cannot be written by others (or is sticky, like /tmp, and what is taken from it
/// belongs to one of the two); the folder that the file is in cannot be written by others at all.
package enum TrustedFile {
  /// Why a file is not read.
  package enum Problem: Error, Hashable, Sendable {
    /// The file does not exist.
    case missing
    /// Others could have written it: the rest of a sentence that begins with the file.
    case unsafe(String)
    /// The file cannot be read.
    case unreadable(String)
  }

  private static let linkLimit = 40

  /// Reads the whole file.
  package static func read(_ path: String, limit: Int) throws(Problem) -> [UInt8] {
    let place = try resolved(path)
    let descriptor = unsafe open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .unreadable(text(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .unreadable(text(errno)) }
    try check(status, place)
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable("it is not a file") }
    let bytes: [UInt8]
    do throws(ErrorNumber) {
      bytes = try SystemCall.readAll(descriptor, limit: limit)
    } catch {
      throw .unreadable(error.text)
    }
    guard bytes.count <= limit else {
      throw .unreadable("it has more than \(PatchSizes.text(limit))")
    }
    return bytes
  }

  /// The path without symbolic links, each step of it checked.
  private static func resolved(_ path: String) throws(Problem) -> String {
    var steps = Array(try absolute(path).split(separator: "/").map(String.init).reversed())
    var place: [String] = []
    var links = 0
    try checkFolder("/", isLast: steps.count == 1)
    while let step = steps.popLast() {
      if step == "." { continue }
      if step == ".." {
        _ = place.popLast()
        continue
      }
      let next = "/" + (place + [step]).joined(separator: "/")
      var status = stat()
      guard unsafe lstat(next, &status) == 0 else {
        throw errno == ENOENT ? .missing : .unreadable(text(errno))
      }
      try checkOwner(status, next)
      if status.st_mode & S_IFMT == S_IFLNK {
        links += 1
        guard links <= linkLimit else {
          throw .unreadable("there are too many symbolic links on the way to it")
        }
        let target = try link(next)
        if target.hasPrefix("/") { place = [] }
        steps += target.split(separator: "/").map(String.init).reversed()
      } else if steps.isEmpty {
        try checkFolder("/" + place.joined(separator: "/"), isLast: true)
        return next
      } else {
        try checkFolder(next, isLast: false)
        place.append(step)
      }
    }
    throw .unreadable("it is a folder")
  }

  private static func absolute(_ path: String) throws(Problem) -> String {
    guard !path.hasPrefix("/") else { return path }
    guard let folder = unsafe getcwd(nil, 0) else { throw .unreadable(text(errno)) }
    defer { unsafe free(folder) }
    return unsafe String(cString: folder) + "/" + path
  }

  private static func link(_ path: String) throws(Problem) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count >= 0 else { throw .unreadable(text(errno)) }
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func checkFolder(_ path: String, isLast: Bool) throws(Problem) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw .unreadable(text(errno)) }
    try checkOwner(status, path)
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .missing }
    let isSticky = status.st_mode & S_ISVTX != 0
    guard status.st_mode & 0o022 == 0 || (isSticky && !isLast) else {
      throw .unsafe("its folder \(path) can be written by other users")
    }
  }

  private static func check(_ status: stat, _ path: String) throws(Problem) {
    try checkOwner(status, path)
    guard status.st_mode & 0o022 == 0 else { throw .unsafe("it can be written by other users") }
  }

  private static func checkOwner(_ status: stat, _ path: String) throws(Problem) {
    guard status.st_uid == 0 || status.st_uid == geteuid() else {
      throw .unsafe("\(path) belongs to another user (uid \(status.st_uid))")
    }
  }

  private static func text(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }
}
