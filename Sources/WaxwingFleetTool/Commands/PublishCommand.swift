// SPDX-License-Identifier: MIT

import WaxwingControl
import WaxwingFleet
import WaxwingPatches
import WaxwingToolKit

/// `waxwing-fleet publish`: writes a signed set of signed patches into the store.
struct PublishCommand: FleetCommand {
  let name = "publish"
  let summary = "publishes signed patches as a signed set, which never changes"
  let usage = ["PATCH… [--note TEXT] [--expires TIME] [--key FILE] [--json]"]
  let arguments = [Argument("PATCH", "a patch, with its signature beside it", .patchFile)]
  let options = [
    Option("--note", "TEXT", "what the set is for"),
    Option(
      "--expires", "TIME", "after how long it is not rolled out any more, as in 30d (never)"),
    DocumentSigner.option, .json,
  ]
  let notes = [
    """
    A set contains all patches that are live in a program at this set. Each patch needs its
    signature beside it (`waxwing sign`), and the daemons verify it themselves. The set is signed as
    well, with a key that the list of signers allows for the namespace waxwing-fleet. The same
    patches, published again with the same note and times, are the same set.
    """
  ]
  let examples = ["waxwing-fleet publish fees.lua --note 'fees are rounded'"]
  let argumentCount = 1...FleetSet.patchLimit

  private struct Document: Encodable {
    let set: String
    let description: FleetSet
  }

  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let fleet = try FleetAccess(arguments)
    var patches: [PublishedPatch] = []
    for path in arguments.positional {
      patches.append(try PublishedPatch(path: path, fleet.store.verifier))
    }
    let programs = Set(patches.map(\.program))
    guard let program = programs.first, programs.count == 1 else {
      throw FleetError(
        .invalid,
        "the patches are for different programs: \(programs.sorted().joined(separator: ", "))",
        remedy: "publish a set for each program, in a fleet of its own")
    }
    guard Set(patches.map(\.manifest.name)).count == patches.count else {
      throw FleetError(
        .invalid, "two of the patches have the same name",
        remedy: "publish one of them, or rename one in its manifest")
    }
    let lifetime = try arguments.wholeSeconds("--expires", days: 3650)
    let now = Timestamp.now()
    let set = FleetSet(
      program: program, builds: try builds(of: patches), patches: patches.map(\.entry),
      expires: lifetime.map { Timestamp(secondsSince1970: now.secondsSince1970 + $0) },
      publishedAt: now, note: arguments["--note"] ?? "")
    let signer = try DocumentSigner(arguments)
    let document = try signer.signed(DocumentCoder.encode(set), fleet.store.verifier)
    for patch in patches { try create(.blob(patch.hash), patch.bytes, fleet) }
    try create(.set(document.id), DocumentCoder.encode(document), fleet)
    try fleet.log.append(
      FleetLogEntry("published", by: Operator.name, set: document.id, why: set.note))
    if arguments.has(.json) {
      try console.print(json: Document(set: document.id, description: set))
    } else {
      console.print(["published set \(document.id) for \(program)"] + set.patches.map(\.line))
    }
    return .success
  }

  /// The builds that all patches are for; none: all.
  private func builds(of patches: [PublishedPatch]) throws(FleetError) -> [String] {
    let lists = patches.map(\.manifest.builds).filter { !$0.isEmpty }
    guard var common = lists.first.map(Set.init) else { return [] }
    for list in lists { common.formIntersection(list) }
    guard !common.isEmpty else {
      throw FleetError(
        .invalid, "there is no build that all of the patches are for",
        remedy: "publish a set for each build")
    }
    return common.sorted()
  }

  /// Writes a document that may be there already, but not another one of its name.
  private func create(_ key: FleetKey, _ bytes: [UInt8], _ fleet: FleetAccess) throws(FleetError) {
    let name = fleet.store.keys.key(key)
    if try fleet.store.backend.create(name, bytes) { return }
    guard case .blob = key, try fleet.store.backend.get(name)?.value != bytes else { return }
    throw FleetError(
      .untrusted, "\(name) exists with other content",
      remedy: "an unauthorised user has written to the store: find out who, and remove the document"
    )
  }
}

extension FleetSet.Patch {
  /// The patch's line in lists.
  var line: String { "  \(name) version \(version), serial \(serial) (\(blob.prefix(12)))" }
}
