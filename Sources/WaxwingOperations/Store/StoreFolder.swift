// SPDX-License-Identifier: MIT

internal import Glibc
internal import WaxwingPatches
internal import WaxwingSystem

/// A folder that no other user can have changed, held open: later changes of its path do not
/// matter.
package final class StoreFolder: Sendable {
  package let path: String
  let descriptor: Int32
  let calls: StoreCalls

  private init(path: String, descriptor: Int32, calls: StoreCalls) {
    self.path = path
    self.descriptor = descriptor
    self.calls = calls
  }

  deinit { close(descriptor) }

  /// Opens a folder at a path. Links on the way are followed if they are root's or this user's.
  /// - Parameter creating: Whether to make the folder, and the folders around it, if it does not
  ///   exist.
  /// - Returns: nil if it does not exist and is not to be made.
  static func at(
    _ path: String, creating: Bool, calls: StoreCalls
  ) throws(StoreError) -> StoreFolder? {
    guard path.hasPrefix("/") else {
      throw StoreError(
        .unsafe, path: path, message: "the state folder '\(path)' is not an absolute path",
        remedy: "set WAXWING_STATE_DIR to a path that begins with /")
    }
    if creating { try makeFolders(path, calls) }
    var link = stat()
    if unsafe lstat(path, &link) == 0, link.st_mode & S_IFMT == S_IFLNK {
      guard link.st_uid == 0 || link.st_uid == geteuid() else {
        throw unsafe(path, "is a symbolic link of another user (uid \(link.st_uid))")
      }
    }
    guard let descriptor = try open(AT_FDCWD, path, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    else { return nil }
    let folder = StoreFolder(path: path, descriptor: descriptor, calls: calls)
    try folder.checkOwner(orRoot: true, forbidden: 0o022)
    return folder
  }

  /// Refuses a folder that another user could have changed, and a program's folder in it.
  /// - Parameter program: nil: only the folder itself is looked at.
  /// - Returns: Whether it is there.
  package static func check(_ path: String, program: String?) throws(StoreError) -> Bool {
    guard let folder = try at(path, creating: false, calls: .real) else { return false }
    if let program { _ = try folder.folder(program, creating: false) }
    return true
  }

  /// Opens a folder in this one that is this user's alone.
  func folder(_ name: String, creating: Bool) throws(StoreError) -> StoreFolder? {
    let path = "\(self.path)/\(name)"
    if creating {
      do throws(StoreError) {
        _ = try calls.make(.makeFolder, path) { unsafe mkdirat(descriptor, name, 0o700) }
        try syncFolder()
      } catch { if error.number != EEXIST { throw error } }
    }
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    guard let opened = try Self.open(descriptor, name, path, flags) else { return nil }
    let folder = StoreFolder(path: path, descriptor: opened, calls: calls)
    try folder.checkOwner(orRoot: false, forbidden: 0o077)
    return folder
  }

  private static func open(
    _ folder: Int32, _ name: String, _ path: String, _ flags: Int32
  ) throws(StoreError) -> Int32? {
    switch SystemCall.retrying({ unsafe openat(folder, name, flags) }) {
    case .success(let descriptor): return Int32(descriptor)
    case .failure(let error):
      switch error.value {
      case ENOENT: return nil
      case ELOOP where flags & O_DIRECTORY == 0: throw notOwn(path, "is a symbolic link")
      case ENOTDIR, ELOOP: throw unsafe(path, "is not a folder, or is a symbolic link")
      case EISDIR: throw notOwn(path, "is a folder and not a file")
      case let number: throw opening(path, number)
      }
    }
  }

  private static func makeFolders(_ path: String, _ calls: StoreCalls) throws(StoreError) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      if unsafe access(made, F_OK) == 0 { continue }
      // Root's folder is for the programs of several users, who have folders of their own in it.
      let mode: mode_t = geteuid() == 0 ? 0o755 : 0o700
      do throws(StoreError) {
        _ = try calls.make(.makeFolder, made) { unsafe mkdir(made, mode) }
      } catch { if error.number != EEXIST { throw error } }
    }
  }

  private func checkOwner(orRoot: Bool, forbidden: mode_t) throws(StoreError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Self.opening(path, errno) }
    guard status.st_uid == geteuid() || (orRoot && status.st_uid == 0) else {
      throw Self.unsafe(path, "belongs to another user (uid \(status.st_uid))")
    }
    let isSticky = orRoot && status.st_mode & S_ISVTX != 0
    guard status.st_mode & forbidden == 0 || isSticky else {
      throw Self.unsafe(
        path, orRoot ? "can be written by other users" : "is open to other users",
        remedy: "chmod \(orRoot ? "go-w" : "700") \(path)")
    }
  }

  static func unsafe(_ path: String, _ what: String, remedy: String? = nil) -> StoreError {
    StoreError(
      .unsafe, path: path, message: "the state folder \(path) \(what)",
      remedy: remedy ?? "use a folder of the program's own user, with mode 0700")
  }

  private static func notOwn(_ path: String, _ what: String) -> StoreError {
    StoreError(
      .unsafe, path: path, message: "\(path) \(what)",
      remedy: "move \(path) away: the store makes files of its own")
  }

  /// Whether the folder is where it was: it may have been removed, or another put into its place.
  var isInPlace: Bool {
    var (own, there) = (stat(), stat())
    guard unsafe fstat(descriptor, &own) == 0, unsafe lstat(path, &there) == 0 else { return false }
    return own.st_ino == there.st_ino && own.st_dev == there.st_dev
  }

  private static func opening(_ path: String, _ number: Int32) -> StoreError {
    StoreError(
      number == EACCES || number == EPERM ? .unsafe : .system, step: "open", path: path,
      number: number,
      message: unsafe "the store cannot open \(path): \(String(cString: strerror(number)))",
      remedy: "make it readable and writable for the program's user, or set WAXWING_STATE_DIR")
  }
}

// MARK: - Files

extension StoreFolder {
  /// Opens a file of this user's in the folder.
  /// - Returns: nil if it is not there.
  func openFile(_ name: String, _ flags: Int32) throws(StoreError) -> Int32? {
    let path = "\(self.path)/\(name)"
    guard
      let file = try Self.open(descriptor, name, path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    else { return nil }
    var status = stat()
    let isOwn = unsafe fstat(file, &status) == 0 && status.st_uid == geteuid()
    guard isOwn, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw Self.notOwn(path, "is not a file of this user")
    }
    return file
  }

  /// The first bytes of a file, or fewer; nil if it is not there.
  func head(_ name: String) throws(StoreError) -> [UInt8]? {
    guard let file = try openFile(name, O_RDONLY) else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe pread(file, &bytes, bytes.count, 0)
    guard count >= 0 else { throw Self.opening("\(path)/\(name)", errno) }
    return Array(bytes.prefix(count))
  }

  /// The bytes of a file; nil if it is not there.
  func read(_ name: String, atMost limit: Int) throws(StoreError) -> [UInt8]? {
    guard let file = try openFile(name, O_RDONLY) else { return nil }
    defer { close(file) }
    let path = "\(self.path)/\(name)"
    let bytes: [UInt8]
    do throws(ErrorNumber) {
      bytes = try SystemCall.readAll(file, limit: limit)
    } catch {
      throw Self.opening(path, error.value)
    }
    if bytes.count <= limit { return bytes }
    throw StoreError(
      .damaged, path: path, message: "\(path) has more than \(PatchSizes.text(limit))",
      remedy: "it is not a file of the store: move it away")
  }

  /// Puts bytes in the place of a file. A crash at any moment leaves the old bytes or the new.
  /// - Parameters:
  ///   - previous: What the old file is then called; nil: it goes.
  ///   - undoes: Whether the new bytes go if the disk does not say that they are there to stay.
  func replace(
    _ name: String, with bytes: [UInt8], previous: String? = nil, undoes: Bool = true
  ) throws(StoreError) {
    let temporary = "\(name).tmp.\(getpid())"
    try write(bytes, to: temporary)
    var hasPrevious = false
    do throws(StoreError) {
      if let previous { hasPrevious = try keep(name, as: previous) }
      try rename(temporary, to: name)
    } catch {
      unsafe unlinkat(descriptor, temporary, 0)
      throw error
    }
    do throws(StoreError) { try syncFolder() } catch {
      if !undoes { throw error }
      undo(name, previous: hasPrevious ? previous : nil, wasNew: previous == nil || !hasPrevious)
      throw error
    }
  }

  /// The disk does not say that the rename is there to stay: the old file goes back, as far as that
  /// can be known.
  private func undo(_ name: String, previous: String?, wasNew: Bool) {
    if let previous {
      let temporary = "\(name).tmp.\(getpid())"
      if case .happens = calls.verdict(.rename, "\(path)/\(name)"),
        unsafe linkat(descriptor, previous, descriptor, temporary, 0) == 0
      {
        unsafe renameat(descriptor, temporary, descriptor, name)
      }
    } else if wasNew, case .happens = calls.verdict(.remove, "\(path)/\(name)") {
      unsafe unlinkat(descriptor, name, 0)
    }
  }

  private func write(_ bytes: [UInt8], to name: String) throws(StoreError) {
    let path = "\(self.path)/\(name)"
    // A dead process may have had the same number: in a container always.
    unsafe unlinkat(descriptor, name, 0)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = try calls.make(.create, path) { unsafe openat(descriptor, name, flags, 0o600) }
    defer { close(file) }
    do throws(StoreError) {
      try calls.write(bytes, to: file, path)
      _ = try calls.make(.sync, path) { fdatasync(file) }
    } catch {
      // Never synced again: after an error the kernel may say that all is well and have dropped it.
      if case .happens = calls.verdict(.remove, path) { unsafe unlinkat(descriptor, name, 0) }
      throw error
    }
  }

  /// - Returns: Whether there was such a file.
  private func keep(_ name: String, as previous: String) throws(StoreError) -> Bool {
    let temporary = "\(previous).tmp.\(getpid())"
    unsafe unlinkat(descriptor, temporary, 0)
    do throws(StoreError) {
      _ = try calls.make(.keepPrevious, "\(path)/\(name)") {
        unsafe linkat(descriptor, name, descriptor, temporary, 0)
      }
    } catch {
      if error.number == ENOENT { return false }
      // File systems without hard links.
      guard error.number == EPERM || error.number == EOPNOTSUPP,
        let bytes = try read(name, atMost: StoreSizes.document)
      else { throw error }
      try write(bytes, to: temporary)
    }
    try rename(temporary, to: previous)
    return true
  }

  private func rename(_ old: String, to new: String) throws(StoreError) {
    _ = try calls.make(.rename, "\(path)/\(new)") {
      unsafe renameat(descriptor, old, descriptor, new)
    }
  }

  func syncFolder() throws(StoreError) {
    _ = try calls.make(.syncFolder, path) { fsync(descriptor) }
  }

  /// Removes a file; a no-op if it is not there.
  func remove(_ name: String) throws(StoreError) {
    do throws(StoreError) {
      _ = try calls.make(.remove, "\(path)/\(name)") { unsafe unlinkat(descriptor, name, 0) }
    } catch { if error.number != ENOENT { throw error } }
  }

  func has(_ name: String) -> Bool {
    var status = stat()
    return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
  }

  /// The names in it, sorted.
  func names() -> [String] {
    let copy = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = unsafe fdopendir(copy) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
