// SPDX-License-Identifier: MIT

import Glibc
import WaxwingPatches
import WaxwingSystem

/// One file of a folder, as a look at the folder shows it.
struct FolderFile: Hashable, Sendable {
  let key: String
  let path: String
  /// The inode of the file, which differs after each change.
  let inode: UInt64
  let nanoseconds: Int
  let size: Int
}

/// The files of a folder of documents.
struct FolderTree: Sendable {
  private static let sizeLimit = 4 << 20

  let path: String

  init(path: String) throws(FleetError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw FleetError(
        .invalid, "there is no folder \(path)",
        remedy: "create it, or name another one with --folder")
    }
    self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The documents whose keys begin with a text, by key.
  func contents(_ prefix: String) throws(FleetError) -> FolderBackend.Contents {
    let folder = String(prefix[...(prefix.lastIndex(of: "/") ?? prefix.startIndex)])
    var contents: FolderBackend.Contents = [:]
    collect(folder, &contents)
    return contents.filter { $0.key.hasPrefix(prefix) }
  }

  private func collect(_ folder: String, _ contents: inout FolderBackend.Contents) {
    guard let listing = unsafe opendir(path + folder) else { return }
    defer { unsafe closedir(listing) }
    while let entry = unsafe readdir(listing) {
      let name = unsafe withUnsafePointer(to: entry.pointee.d_name) {
        unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name.hasPrefix(".") { continue }
      let place = path + folder + name
      var status = stat()
      guard unsafe stat(place, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        collect(folder + name + "/", &contents)
      } else if let key = key(folder, name) {
        contents[key] = FolderFile(
          key: key, path: place, inode: UInt64(status.st_ino),
          nanoseconds: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec,
          size: Int(status.st_size))
      }
    }
  }

  /// The key of a file; nil: its lease has ended.
  private func key(_ folder: String, _ name: String) -> String? {
    let parts = name.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return folder + name }
    guard let lease = Int(parts[1]), isAlive(lease) else { return nil }
    return folder + parts[0]
  }

  /// The document in a file; nil if the file is gone.
  func entry(_ file: FolderFile) throws(FleetError) -> FleetEntry? {
    let descriptor = unsafe open(file.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("read", file.path, errno)
    }
    defer { close(descriptor) }
    do throws(ErrorNumber) {
      let bytes = try SystemCall.readAll(descriptor, limit: Self.sizeLimit)
      // What nobody has changed has the same one.
      let revision = Int(ContentHash(of: bytes).prefix >> 2) | 1
      return FleetEntry(
        key: file.key, value: bytes, revision: revision, isLeased: !file.path.hasSuffix(file.key))
    } catch {
      throw failure("read", file.path, error.value)
    }
  }

  /// Writes a document whole or not at all. Only under the lock.
  func write(_ key: String, _ value: [UInt8], lease: FleetLease?) throws(FleetError) {
    let place = try place(of: key)
    try makeFolders(of: place)
    let name = place + (lease.map { "~\($0.id)" } ?? "")
    try write(value, to: name)
    for other in others(of: place) where other != name { unsafe unlink(other) }
  }

  /// Removes a document. Only under the lock.
  func remove(_ key: String) throws(FleetError) {
    for file in others(of: try place(of: key)) where unsafe unlink(file) != 0 && errno != ENOENT {
      throw failure("remove", file, errno)
    }
  }

  /// All files that are, or were, one document.
  private func others(of place: String) -> [String] {
    guard let slash = place.lastIndex(of: "/") else { return [] }
    let (folder, name) = (String(place[...slash]), place[place.index(after: slash)...])
    guard let listing = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(listing) }
    var found: [String] = []
    while let entry = unsafe readdir(listing) {
      let other = unsafe withUnsafePointer(to: entry.pointee.d_name) {
        unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if other == name || other.hasPrefix(name + "~") { found.append(folder + other) }
    }
    return found
  }

  private func place(of key: String) throws(FleetError) -> String {
    let parts = key.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard key.hasPrefix("/"),
      parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("~") })
    else {
      throw FleetError(
        .invalid, "'\(key)' is not the key of a document",
        remedy: "use letters, digits, - and _ in names")
    }
    return path + key
  }

  private func write(_ bytes: [UInt8], to file: String) throws(FleetError) {
    let draft = "\(path)/.new-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure("write", draft, errno) }
    do throws(ErrorNumber) {
      try SystemCall.writeAll(bytes[...], to: descriptor)
    } catch {
      close(descriptor)
      unsafe unlink(draft)
      throw failure("write", draft, error.value)
    }
    guard close(descriptor) == 0, unsafe rename(draft, file) == 0 else {
      let number = errno
      unsafe unlink(draft)
      throw failure("write", file, number)
    }
  }

  private func makeFolders(of place: String) throws(FleetError) {
    var folder = path
    for part in place.dropFirst(path.count).split(separator: "/").dropLast() {
      folder += "/" + part
      guard unsafe mkdir(folder, 0o755) != 0, errno != EEXIST else { continue }
      throw failure("create", folder, errno)
    }
  }

  private func failure(_ verb: String, _ file: String, _ number: Int32) -> FleetError {
    FleetError(
      number == EACCES || number == EPERM ? .denied : .unavailable,
      "cannot \(verb) \(file): \(ErrorNumber(value: number).text)",
      remedy:
        "check that it is the fleet's folder, that its disk has room, and that you may write to it")
  }
}

extension FolderTree {
  /// Changes the folder under its lock, so that no other process does at the same time.
  func locked<Result>(
    _ body: () throws(FleetError) -> Result
  ) throws(FleetError) -> Result {
    let file = path + "/.lock"
    let descriptor = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure("open", file, errno) }
    defer { close(descriptor) }
    if case .failure(let error) = SystemCall.retrying({ flock(descriptor, LOCK_EX) }) {
      throw failure("lock", file, error.value)
    }
    return try body()
  }

  private func leasePath(_ id: Int) -> String { "\(path)/.leases/\(id)" }

  /// Begins a lease's time anew.
  func writeLease(_ lease: FleetLease) throws(FleetError) {
    try makeFolders(of: leasePath(lease.id))
    try write(Array("\(lease.seconds)\n".utf8), to: leasePath(lease.id))
  }

  func removeLease(_ id: Int) { unsafe unlink(leasePath(id)) }

  /// Whether a lease's time is not over, by the clock that files have.
  func isAlive(_ id: Int) -> Bool {
    var status = stat()
    let file = leasePath(id)
    guard unsafe stat(file, &status) == 0 else { return false }
    let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = (try? SystemCall.readAll(descriptor, limit: 64)) ?? []
    let text = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    guard let seconds = Int(text) else { return false }
    return SystemTime.milliseconds < (status.st_mtim.tv_sec + seconds) * 1000 + 1000
  }
}
