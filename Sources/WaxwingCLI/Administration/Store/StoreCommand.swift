// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingDeclarations
import WaxwingOperations
import WaxwingPatches
import WaxwingToolKit

/// `waxwing store`: the kept patches of a program that does not run.
struct StoreCommand: Command {
  let name = "store"
  let summary = "checks or clears the kept patches of a program that is not running"
  let usage = [
    "[verify | clear] --program NAME [--folder PATH] [--json]",
    "rebuild [FILE…] --program NAME [--folder PATH] [--anyway] [--json]",
  ]
  let arguments: [Argument] = [
    .word("verify", "read every patch and compare it with its hash (the default)"),
    .word("clear", "forget all kept patches"),
    .word("rebuild", "read the highest serial numbers of signed patches from the audit log"),
    Argument("FILE", "the parts of the log, oldest first", .file),
  ]
  let options = [
    Option("--program", "NAME", "the program's name"),
    Option("--folder", "PATH", "the folder of kept patches, as in WAXWING_STATE_DIR", .folder),
    Option("--anyway", nil, "rebuild from an incomplete log"), .json,
  ]
  let notes = [
    """
    Use this command for a program that does not start. A running program holds the store's lock;
    use `waxwing boot` and `waxwing restore` then.
    """,
    """
    Serial numbers are kept in the store and in PROGRAM.floors beside its folder. If both are lost,
    the daemon rejects signed patches until you rebuild them. It may run meanwhile.
    """,
  ]
  let examples = [
    "waxwing store --program bankd",
    "waxwing store clear --program bankd --folder /var/lib/waxwing",
    "waxwing store rebuild --program bankd bankd.audit.1 bankd.audit",
  ]
  let argumentCount = 0...64

  private struct Document: Encodable {
    let folder: String
    let generation: Int
    let patches: [BootStatus.Patch]
    let quarantined: [BootStatus.Patch]
    let trouble: String?
    let serials: [Serial]
    /// The trouble with the copy of the serial numbers.
    let copyTrouble: String?
  }

  /// A program that has kept nothing yet: its folder is made with the first patch.
  private static func empty(_ folder: String) -> Document {
    Document(
      folder: folder, generation: 0, patches: [], quarantined: [], trouble: nil, serials: [],
      copyTrouble: nil)
  }

  private struct Serial: Encodable {
    let key: String
    let serial: Int
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let word = arguments.positional.first ?? "verify"
    guard firstWords.contains(word) else { throw unknownWord(word) }
    guard let program = arguments["--program"] else {
      throw .usage("'store' needs --program NAME", command: name)
    }
    let places = StoredPlaces(of: program, folder: arguments["--folder"])
    if word == "rebuild" {
      let files = Array(arguments.positional.dropFirst())
      try StoreRebuild(places, files: files, takesBroken: arguments["--anyway"] != nil).run(console)
      return .success
    }
    guard arguments.positional.count <= 1 else {
      throw .usage("'\(word)' takes no file", command: name)
    }
    guard let base = places.folder else {
      throw .usage("there is no state folder", command: name, remedy: "give --folder PATH")
    }
    let opened: PatchStore?
    do throws(StoreError) {
      opened = try PatchStore.open(base, program: program, creating: false)
      if word == "clear", let opened {
        var state = opened.state
        state.forget(nil)
        state.quarantine = []
        try opened.save(state)
      }
    } catch {
      guard error.code != .locked else {
        throw CommandError(
          .conflict, error.message,
          remedy: "the program is running: ask it with `waxwing boot`, `waxwing revert` and "
            + "`waxwing restore`, or end it first")
      }
      throw CommandError(.failure, error.message, remedy: error.remedy)
    }
    guard let store = opened else {
      if arguments.has(.json) {
        try console.print(json: Self.empty("\(base)/\(program)"))
        return .success
      }
      let near = NearestNames.question(for: program, in: FolderListing.names(in: base))
      console.print(
        "nothing is kept: \(base)/\(program) is not there\(near.map { "; \($0)" } ?? "")")
      return .success
    }
    return try show(store, Self.copy(base, program), console)
  }

  private static func copy(_ base: String, _ program: String) -> (FloorCopy.Contents?, String?) {
    do throws(StoreError) {
      return (try FloorCopy(base, program: program, creating: false)?.read(), nil)
    } catch {
      return (nil, error.message)
    }
  }

  private func show(
    _ store: PatchStore, _ copy: (contents: FloorCopy.Contents?, trouble: String?),
    _ console: Console
  ) throws(CommandError) -> ExitCode {
    func shown(_ patch: KeptPatch, reason: String, at: Int) -> BootStatus.Patch {
      var shown = BootStatus.Patch(
        name: patch.name, hash: patch.hash.hex, reason: reason,
        at: Timestamp(secondsSince1970: at))
      let bundle = try? store.bundle(patch.hash)
      (shown.sha256, shown.version) = (bundle?.sha256, bundle?.version)
      return shown
    }
    let patches = store.state.active.map {
      shown($0, reason: damage($0.hash, store), at: $0.keptAt)
    }
    let quarantined = store.state.quarantine.map { shown($0.patch, reason: $0.reason, at: $0.at) }
    let document = Document(
      folder: store.folder.path, generation: store.state.generation, patches: patches,
      quarantined: quarantined, trouble: store.trouble?.message(store.folder.path),
      serials: FloorCopy.Contents(floors: store.state.floors)
        .merged(with: copy.contents ?? FloorCopy.Contents()).floors.sorted { $0.key < $1.key }
        .map { Serial(key: $0.key.key, serial: $0.value) },
      copyTrouble: copy.trouble)
    if console.reportsJSON {
      try console.print(json: document)
    } else {
      console.print(lines(document))
    }
    let isWhole =
      store.trouble == nil && copy.trouble == nil && patches.allSatisfy(\.reason.isEmpty)
    return isWhole ? .success : .partial
  }

  private func damage(_ hash: ContentHash, _ store: PatchStore) -> String {
    do throws(StoreError) {
      _ = try store.bundle(hash)
      return ""
    } catch {
      return error.message
    }
  }

  private func lines(_ document: Document) -> [String] {
    var lines = ["store: \(document.folder), generation \(document.generation)"]
    if let trouble = document.trouble { lines.append("  damaged: \(trouble)") }
    lines += document.patches.map { patch in
      "  kept: \(patch.title)"
        + (patch.reason.isEmpty ? ", whole" : ", \(patch.reason)")
    }
    lines += document.quarantined.map { patch in
      "  quarantined: \(patch.title): \(patch.reason)"
    }
    lines += document.serials.map { "  serial \($0.serial) of \($0.key)" }
    if let trouble = document.copyTrouble { lines.append("  damaged: \(trouble)") }
    if document.patches.isEmpty, document.quarantined.isEmpty { lines.append("  nothing is kept") }
    return lines
  }
}
