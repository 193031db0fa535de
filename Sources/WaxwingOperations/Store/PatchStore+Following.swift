// SPDX-License-Identifier: MIT

// Instances of a program that chose no name start with what the first of them keeps. Each has a store of
// its own in that one's folder, `instances/2` and so on: for what its runs leave, and for what is set aside
// because of them.
extension PatchStore {
  /// The largest number of stores of further instances that are used at once.
  private static let furtherLimit = 256

  /// Opens a store that no other instance uses, and locks it.
  /// - Parameters:
  ///   - base: The folder that the program's folder is in.
  ///   - creating: Whether the program's folder is made if it is not there.
  /// - Returns: nil if the program's folder is not there and is not to be made.
  package static func openFurther(
    _ base: String, program: String, creating: Bool
  ) throws(StoreError) -> PatchStore? {
    guard let base = try StoreFolder.at(base, creating: creating, calls: .real),
      let first = try base.folder(program, creating: creating),
      let all = try first.folder("instances", creating: true)
    else { return nil }
    for number in 2...furtherLimit {
      guard let folder = try all.folder("\(number)", creating: true) else { continue }
      do throws(StoreError) { return try open(folder) } catch {
        guard error.code == .locked else { throw error }
      }
    }
    throw StoreError(
      .locked, path: all.path, message: "\(furtherLimit) instances of \(program) are running",
      remedy: "give instances names with WAXWING_INSTANCE")
  }

  /// Takes over what the first instance keeps, without what was set aside here.
  package func follow(_ first: PatchStore) throws(StoreError) {
    var new = state
    let aside = Set(state.quarantine.map(\.patch.hash))
    new.build = first.state.build
    new.lastSeen = max(new.lastSeen, first.state.lastSeen)
    new.floors.merge(first.state.floors, uniquingKeysWith: max)
    new.active = first.state.active.compactMap {
      aside.contains($0.hash) ? state.fallback(for: $0) : $0
    }
    if new.active != state.active { new.crashLoop = nil }
    new.crashLoop = first.state.crashLoop ?? new.crashLoop
    for patch in new.active {
      // One that cannot be read is missed when it is to be started.
      guard let bundle = try? first.bundle(patch.hash) else { continue }
      _ = try put(bundle)
    }
    if new != state { try save(new) }
  }
}
