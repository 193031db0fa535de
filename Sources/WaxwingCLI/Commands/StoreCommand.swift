// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingPatches

/// `waxwing store`: the kept patches of a program that does not run.
struct StoreCommand: Command {
  let name = "store"
  let summary = "checks or clears the kept patches of a program that is not running"
  let usage = ["[verify | clear] --program NAME [--folder PATH] [--json]"]
  let arguments = [
    HelpEntry("verify", "read every patch and compare it with its hash (if nothing is said)"),
    HelpEntry("clear", "keep nothing any more"),
  ]
  let options = [
    Option("--program", "NAME", "the program's name"),
    Option("--folder", "PATH", "the folder of kept patches, as WAXWING_STATE_DIR has it"), .json,
  ]
  let notes = [
    """
    For a program that does not come up. While it runs it holds the store's lock, and `waxwing boot`
    and `waxwing restore` do the same.
    """
  ]
  let examples = [
    "waxwing store --program bankd",
    "waxwing store clear --program bankd --folder /var/lib/waxwing",
  ]
  let argumentCount = 0...1

  private struct Document: Encodable {
    let folder: String
    let generation: Int
    let patches: [BootStatus.Patch]
    let quarantined: [BootStatus.Patch]
    let trouble: String?
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws(CommandError) -> ExitCode {
    let word = arguments.positional.first ?? "verify"
    guard word == "verify" || word == "clear" else {
      throw .usage("'\(word)' is not verify or clear", command: name)
    }
    guard let program = arguments["--program"] else {
      throw .usage("'store' needs --program NAME", command: name)
    }
    guard let base = arguments["--folder"] ?? Surroundings.current.stateFolder else {
      throw .usage("there is no state folder", command: name, remedy: "give --folder PATH")
    }
    do throws(StoreError) {
      guard let store = try PatchStore.open(base, program: program, creating: false) else {
        console.print("nothing is kept: \(base)/\(program) is not there")
        return .success
      }
      if word == "clear" {
        var state = store.state
        (state.active, state.quarantine, state.crashLoop) = ([], [], nil)
        try store.save(state)
      }
      return show(store, asJSON: arguments.has(.json), console)
    } catch {
      throw CommandError(
        error.code == .locked ? .conflict : .failure, error.message, remedy: error.remedy)
    }
  }

  private func show(_ store: PatchStore, asJSON: Bool, _ console: Console) -> ExitCode {
    let patches = store.state.active.map { patch in
      BootStatus.Patch(
        name: patch.name, hash: patch.hash.hex, reason: damage(patch.hash, store),
        at: Timestamp(secondsSince1970: patch.keptAt))
    }
    let quarantined = store.state.quarantine.map {
      BootStatus.Patch(
        name: $0.patch.name, hash: $0.patch.hash.hex, reason: $0.reason,
        at: Timestamp(secondsSince1970: $0.at))
    }
    let document = Document(
      folder: store.folder.path, generation: store.state.generation, patches: patches,
      quarantined: quarantined, trouble: store.trouble?.message(store.folder.path))
    let json = asJSON ? try? JSONText.of(document) : nil
    console.print(json ?? text(document))
    let isWhole = store.trouble == nil && patches.allSatisfy(\.reason.isEmpty)
    return isWhole ? .success : .partial
  }

  private func damage(_ hash: StoreHash, _ store: PatchStore) -> String {
    do throws(StoreError) {
      _ = try store.bundle(hash)
      return ""
    } catch {
      return error.message
    }
  }

  private func text(_ document: Document) -> String {
    var lines = ["store: \(document.folder), generation \(document.generation)"]
    if let trouble = document.trouble { lines.append("  damaged: \(trouble)") }
    lines += document.patches.map { patch in
      "  kept: \(patch.name) (\(patch.hash.prefix(12)))"
        + (patch.reason.isEmpty ? ", whole" : ", \(patch.reason)")
    }
    lines += document.quarantined.map { patch in
      "  quarantined: \(patch.name) (\(patch.hash.prefix(12))): \(patch.reason)"
    }
    if document.patches.isEmpty, document.quarantined.isEmpty { lines.append("  nothing is kept") }
    return lines.joined(separator: "\n")
  }
}
