// SPDX-License-Identifier: MIT

internal import Glibc
package import WaxwingPatches

/// The kept patches of one program, on disk.
///
///     blobs/HASH.patch   a patch; its name is its SHA-256, so it is written once and never changed
///     state              the one document that says which of them are kept
///     state.prev         the document before
///     boot               what this run says about itself before it starts a patch
///     clean              the run has ended in an orderly way
///     breadcrumbs             which patch each thread is in
///     lock               held by the running program
///     instances/N        the same for further instances, which follow this one
///
/// Unchecked: used by one thread at a time.
package final class PatchStore: @unchecked Sendable {
  /// Why the document cannot be relied on.
  package enum Trouble: Hashable, Sendable {
    /// The document was damaged; the previous one is used.
    case previousUsed(String)
    /// The document and the previous one were damaged: nothing is kept.
    case lost(String)
    /// A newer engine wrote it: nothing is started, and nothing is written.
    case newer(Int)
    /// The document cannot be read.
    case unreadable(StoreError)
  }

  package let folder: StoreFolder
  private let blobs: StoreFolder
  // nil: only looked into.
  private let lock: StoreLock?
  /// The document as it is on disk.
  package private(set) var state = StoreState()
  package private(set) var trouble: Trouble?
  private var currentIsDamaged = false

  private init(_ folder: StoreFolder, _ blobs: StoreFolder, _ lock: StoreLock?) {
    self.folder = folder
    self.blobs = blobs
    self.lock = lock
    load()
  }

  /// Opens the store of a program, and locks it.
  /// - Parameters:
  ///   - base: The folder that the program's folder is in.
  ///   - creating: Whether it is made if it is not there.
  /// - Returns: nil if it is not there and is not to be made.
  package static func open(
    _ base: String, program: String, creating: Bool, calls: StoreCalls = .real
  ) throws(StoreError) -> PatchStore? {
    guard !program.isEmpty, !program.contains("/"), !program.hasPrefix(".") else {
      throw StoreError(
        .unsafe, path: base, message: "'\(program)' is not a valid name of a folder",
        remedy: "start the program from a file with a plain name")
    }
    guard let base = try StoreFolder.at(base, creating: creating, calls: calls),
      let folder = try base.folder(program, creating: creating)
    else { return nil }
    return try open(folder)
  }

  /// Opens the store in a folder, and locks it.
  static func open(_ folder: StoreFolder) throws(StoreError) -> PatchStore? {
    let lock = try StoreLock(folder)
    guard let blobs = try folder.folder("blobs", creating: true) else { return nil }
    return PatchStore(folder, blobs, lock)
  }

  /// Looks into the store of a program that may be running: its document and its patches are only ever
  /// replaced as a whole.
  /// - Returns: nil if it is not there.
  package static func look(
    into base: String, program: String
  ) throws(StoreError) -> PatchStore? {
    guard let base = try StoreFolder.at(base, creating: false, calls: .real),
      let folder = try base.folder(program, creating: false),
      let blobs = try folder.folder("blobs", creating: false)
    else { return nil }
    return PatchStore(folder, blobs, nil)
  }

  // MARK: The document

  private enum Found {
    case nothing
    case whole(StoreState)
    case damaged(String)
    case newer(Int)
  }

  private func load() {
    do throws(StoreError) {
      switch try look(at: "state") {
      case .nothing: if folder.has("state.prev") { try loadPrevious("it is not there") }
      case .whole(let found): state = found
      case .damaged(let reason): try loadPrevious(reason)
      case .newer(let format): trouble = .newer(format)
      }
    } catch {
      trouble = .unreadable(error)
    }
  }

  private func loadPrevious(_ reason: String) throws(StoreError) {
    currentIsDamaged = true
    trouble = .lost(reason)
    switch try look(at: "state.prev") {
    case .nothing, .damaged: break
    case .whole(let found): (state, trouble) = (found, .previousUsed(reason))
    case .newer(let format): trouble = .newer(format)
    }
  }

  private func look(at name: String) throws(StoreError) -> Found {
    let bytes: [UInt8]
    do throws(StoreError) {
      guard let read = try folder.read(name, atMost: StoreSizes.document) else { return .nothing }
      bytes = read
    } catch {
      guard error.code == .damaged else { throw error }
      // One of a newer engine may be longer.
      let head = try folder.head(name) ?? []
      return StoreState.newerFormat(head).map { .newer($0) } ?? .damaged("it is too long")
    }
    do throws(StoreState.ReadError) { return .whole(try StoreState(bytes)) } catch {
      switch error {
      case .newer(let format): return .newer(format)
      case .damaged(let reason): return .damaged("line \(reason.line): \(reason.message)")
      }
    }
  }

  /// Whether the folder is where it was when the store was opened. If it was removed, files that
  /// are written into it are lost.
  package var isInPlace: Bool { folder.isInPlace }

  /// Puts a document in the place of the old one. If it throws, the old one is there.
  package func save(_ new: StoreState) throws(StoreError) {
    try checkMayWrite()
    var new = new
    new.generation = state.generation + 1
    let bytes = new.bytes
    // A larger one would not be read again.
    guard bytes.count <= StoreSizes.document else { throw .tooLarge(folder.path) }
    // A damaged one must not take the place of the last that is whole.
    try folder.replace("state", with: bytes, previous: currentIsDamaged ? nil : "state.prev")
    currentIsDamaged = false
    trouble = nil
    let old = state
    state = new
    // Those of the document before stay: it may be needed.
    prune(keeping: old.hashes.union(new.hashes))
  }

  /// - Throws: If the document is one that must not be overwritten.
  func checkMayWrite() throws(StoreError) {
    guard lock != nil else {
      throw StoreError(
        .locked, path: folder.path, message: "the store \(folder.path) belongs to another process",
        remedy: "ask that process")
    }
    switch trouble {
    case nil, .previousUsed, .lost: return
    case .unreadable(let error): throw error
    case .newer(let format):
      throw StoreError(
        .newer, path: "\(folder.path)/state",
        message:
          "\(folder.path)/state has format \(format); this engine knows \(StoreState.format)",
        remedy: "run the newer program again, or move the folder away: it starts with nothing kept")
    }
  }

  // MARK: Patches

  private func name(of hash: ContentHash) -> String { "\(hash.hex).patch" }

  /// Writes a patch. Nothing refers to it before a document does.
  package func put(_ bundle: PatchBundle) throws(StoreError) -> ContentHash {
    try checkMayWrite()
    let bytes = BundleCoder.encode(bundle)
    let hash = ContentHash(of: bytes)
    guard bytes.count <= StoreSizes.blob else {
      throw StoreError(
        .full, path: blobs.path, message: "the patch has \(PatchSizes.text(bytes.count))",
        remedy: "make it smaller")
    }
    // One that is damaged is written again.
    if (try? blobs.read(name(of: hash), atMost: StoreSizes.blob)) == bytes { return hash }
    try blobs.replace(name(of: hash), with: bytes)
    return hash
  }

  /// Reads a patch.
  /// - Throws: If it is not there, or is not what was written.
  package func bundle(_ hash: ContentHash) throws(StoreError) -> PatchBundle {
    let path = "\(blobs.path)/\(name(of: hash))"
    guard let bytes = try blobs.read(name(of: hash), atMost: StoreSizes.blob) else {
      throw StoreError(
        .damaged, path: path, message: "\(path) is not there", remedy: "apply the patch again")
    }
    guard ContentHash(of: bytes) == hash else {
      throw StoreError(
        .damaged, path: path, message: "\(path) is damaged: its hash does not match",
        remedy: "check the disk, and apply the patch again")
    }
    do throws(StoreTextError) { return try BundleCoder.decode(bytes) } catch {
      throw StoreError(
        .damaged, path: path, message: "\(path):\(error.line): \(error.message)",
        remedy: "apply the patch again")
    }
  }

  /// Removes the files that no document names, and what dead processes have left.
  private func prune(keeping hashes: Set<ContentHash>) {
    for file in blobs.names() {
      let hash = file.hasSuffix(".patch") ? ContentHash(file.dropLast(6)) : nil
      if let hash, hashes.contains(hash) { continue }
      // What is not the store's is left alone; what is, and stays, costs only room.
      if hash != nil || file.contains(".patch.tmp.") { try? blobs.remove(file) }
    }
    for file in folder.names() where file.hasPrefix("state") && file.contains(".tmp.") {
      try? folder.remove(file)
    }
  }
}
