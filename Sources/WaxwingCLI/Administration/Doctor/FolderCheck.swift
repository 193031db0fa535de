// SPDX-License-Identifier: MIT

import Glibc
import WaxwingOperations

/// The folders of kept patches and of the audit log: rights and space.
struct FolderCheck {
  /// The free space below which patches can hardly be kept.
  private static let leastSpace = 4 << 20
  /// The free space below which the disk will soon be full.
  private static let wantedSpace = 256 << 20

  private let places: StoredPlaces
  /// The program that the user named; nil if there is none, so that only the folders of all
  /// programs are examined.
  private let program: String?

  init(_ places: StoredPlaces, program: String?) {
    self.places = places
    self.program = program
  }

  var diagnoses: [Diagnosis] { state + log }

  private var state: [Diagnosis] {
    guard let folder = places.folder else {
      return [
        .warning(
          .state, "there is no place for kept patches", remedy: "set WAXWING_STATE_DIR or HOME")
      ]
    }
    do throws(StoreError) {
      let isThere = try StoreFolder.check(folder, program: program)
      return [rights(.state, folder, isThere: isThere), space(.state, folder)].compactMap(\.self)
    } catch {
      return [.failure(.state, error.message, remedy: error.remedy)]
    }
  }

  private var log: [Diagnosis] {
    guard let path = places.auditLog, let slash = path.lastIndex(of: "/") else {
      return [
        .warning(
          .log, "no audit log is kept",
          remedy: "name a file with `audit` in the configuration, or unset WAXWING_LOG_DIR=off")
      ]
    }
    // Without a program's name the folder of programs is meant.
    let folder = String(path[..<slash].reversed().drop { $0 == "/" }.reversed())
    var status = stat()
    guard unsafe lstat(folder, &status) == 0 else {
      return [rights(.log, folder, isThere: false), space(.log, folder)].compactMap(\.self)
    }
    guard status.st_mode & S_IFMT == S_IFDIR || status.st_mode & S_IFMT == S_IFLNK else {
      return [.failure(.log, "\(folder) is not a folder", remedy: "move it away")]
    }
    if status.st_mode & S_IFMT == S_IFDIR, status.st_mode & 0o022 != 0,
      status.st_mode & S_ISVTX == 0
    {
      return [
        .failure(.log, "\(folder) can be written by other users", remedy: "chmod go-w \(folder)")
      ]
    }
    return [rights(.log, folder, isThere: true), space(.log, folder)].compactMap(\.self)
  }

  private func rights(_ area: Diagnosis.Area, _ folder: String, isThere: Bool) -> Diagnosis {
    let place = Self.existing(folder)
    guard unsafe access(place, W_OK | X_OK) == 0 else {
      return .failure(
        area, "\(folder) cannot be \(isThere ? "written" : "made") by this user",
        remedy: "run as the program's user, or give it the folder: chown USER \(folder)")
    }
    return .ok(
      area,
      isThere ? "\(folder) is there, and can be written" : "\(folder) will be made when needed")
  }

  private func space(_ area: Diagnosis.Area, _ folder: String) -> Diagnosis? {
    var disk = statvfs()
    guard unsafe statvfs(Self.existing(folder), &disk) == 0 else { return nil }
    let free = Int(disk.f_bavail) * Int(disk.f_frsize)
    let text = "\(folder): \(free >> 20) MiB are free"
    // File systems that make inodes as they need them say that they have none.
    let hasNoFiles = disk.f_files > 0 && disk.f_favail == 0
    if free < Self.leastSpace || hasNoFiles {
      return .failure(
        area, hasNoFiles ? "\(folder): there is no inode left" : text,
        remedy: "make room: patches cannot be kept, and nothing is recorded")
    }
    guard free >= Self.wantedSpace else {
      return .warning(area, text, remedy: "make room before the disk is full")
    }
    return .ok(area, text)
  }

  /// The nearest folder on the way that is there.
  private static func existing(_ folder: String) -> String {
    var path = folder
    while unsafe access(path, F_OK) != 0, let slash = path.lastIndex(of: "/"),
      slash != path.startIndex
    {
      path = String(path[..<slash])
    }
    return unsafe access(path, F_OK) == 0 ? path : "/"
  }
}
