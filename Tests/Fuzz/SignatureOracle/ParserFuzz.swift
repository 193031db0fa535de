// SPDX-License-Identifier: MIT

import Foundation
import SeededRandom
import WaxwingPatches
import WaxwingTestSupport

/// Feeds damaged files to all that reads foreign bytes of patches: manifests, signatures, key lists.
///
/// Nothing is to trap, and no input may take longer than ten seconds. What is read twice is the same
/// twice.
package struct ParserFuzz {
  /// How a run went.
  package struct Outcome {
    /// Inputs that were read without complaint: else the damage is too great to tell anything.
    package var accepted = 0
    package var refused = 0
    /// What is wrong, in words.
    package var mistakes: [String] = []
  }

  private enum Kind: String, CaseIterable {
    case manifest, ssh, minisign, lists
  }

  private let corpora: [Kind: [[UInt8]]]

  /// Reads the corpora, which lie beside the source.
  package init() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Corpora").standardizedFileURL
    var corpora: [Kind: [[UInt8]]] = [:]
    for kind in Kind.allCases {
      let files = try FileManager.default.contentsOfDirectory(
        at: folder.appendingPathComponent(kind.rawValue), includingPropertiesForKeys: nil)
      corpora[kind] = try files.sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
    }
    self.corpora = corpora
  }

  package func run(rounds: Int, seed: UInt64) -> Outcome {
    var random = SeededGenerator(seed: seed)
    var outcome = Outcome()
    let clock = ContinuousClock()
    for round in 0..<rounds {
      let kind = Kind.allCases[round % Kind.allCases.count]
      var input = corpora[kind]?.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let mutation = kind == .lists && Bool.random(using: &random) ? Mutation.list : .binary
        input = mutation.apply(to: input, &random)
      }
      let start = clock.now
      let (first, second) = (read(input, kind), read(input, kind))
      if first != second { outcome.mistakes.append("round \(round): \(first), then \(second)") }
      if clock.now - start > .seconds(10) { outcome.mistakes.append("round \(round) is slow") }
      if first == "accepted" { outcome.accepted += 1 } else { outcome.refused += 1 }
    }
    return outcome
  }

  private func read(_ input: [UInt8], _ kind: Kind) -> String {
    do throws(PatchError) {
      switch kind {
      case .manifest:
        let source = try PatchSource(files: [PatchFile(name: "x.lua", bytes: input)])
        let manifest = try PatchManifest(of: source)
        if let expires = manifest.expires { _ = Moment.seconds(Moment.text(expires)) }
      case .ssh: try verify(input, suffix: "sig", lists: corpora[.lists]?.first ?? [])
      case .minisign: try verify(input, suffix: "minisig", lists: corpora[.lists]?.first ?? [])
      case .lists:
        _ = try SignerLists(allowed: [], revoked: input)
        try verify(corpora[.ssh]?.last ?? [], suffix: "sig", lists: input)
      }
      return "accepted"
    } catch {
      return error.description
    }
  }

  private func verify(
    _ signature: [UInt8], suffix: String, lists: [UInt8]
  ) throws(PatchError) {
    let bundle = PatchBundle(
      files: [PatchFile(name: "x.lua", bytes: Array("return 1\n".utf8))],
      signature: PatchFile(name: "x.lua.\(suffix)", bytes: signature))
    _ = try SignerLists(allowed: lists, revoked: []).verify(bundle, at: 1_790_000_000)
  }
}
