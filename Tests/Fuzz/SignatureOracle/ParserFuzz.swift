// SPDX-License-Identifier: MIT

import Foundation
import SeededRandom
import WaxwingPatches
import WaxwingSystem
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
      for _ in 0..<Int.random(in: 0...3, using: &random) { input = damaged(input, kind, &random) }
      let start = clock.now
      let (first, second) = (read(input, kind), read(input, kind))
      if first != second { outcome.mistakes.append("round \(round): \(first), then \(second)") }
      if clock.now - start > .seconds(10) { outcome.mistakes.append("round \(round) is slow") }
      if first == "accepted" { outcome.accepted += 1 } else { outcome.refused += 1 }
    }
    return outcome
  }

  /// Damage at random, or of what the file is made of: else few would get past the first check.
  private func damaged(
    _ input: [UInt8], _ kind: Kind, _ random: inout SeededGenerator
  ) -> [UInt8] {
    guard Int.random(in: 0..<4, using: &random) > 0 else {
      return Mutation.binary.apply(to: input, &random)
    }
    return switch kind {
    case .manifest: Self.lua.of(input, &random)
    case .ssh: Armour.ssh(input, &random)
    case .minisign: Armour.minisign(input, &random)
    case .lists: Mutation.list.apply(to: input, &random)
    }
  }

  private static let lua = WordMutation(words: [
    "{", "}", "(", ")", "[", "]", "=", ",", ";", ".", "..", "-", "--", "--[[", "]]", "--[==[",
    "[==[",
    "]==]", "\"", "'", "\\", "\\z\n", "\\u{7FFFFFFF}", "\\x", "\\255", "\\256", "\r", "\n\r", "\0",
    "\u{202e}", "\u{feff}", "nil", "true", "false", "not", "function", "end", "return", "patch",
    "0x",
    "0x1p9999", "1e", "1e309", "-1", "9223372036854775807", "9223372036854775808",
    "0x7fffffffffffffff",
    "00", "1e6", "name", "program", "serial", "expires", "build", "limits", "capabilities",
    "overrides",
    "parallel", "on_error", "memory", "instructions", "milliseconds", "version", "\"8M\"",
    "\"64k\"",
    "\"99999999999999999999G\"", "\"2027-02-30T00:00:00Z\"", "\"9999-12-31T23:59:60Z\"",
    "\"-1-01-01T00:00:00Z\"", "\"2027-01-31T00:00:00+99:99\"",
    String(repeating: "{", count: 300), String(repeating: "[", count: 300),
  ])

  private func read(_ input: [UInt8], _ kind: Kind) -> String {
    do throws(PatchError) {
      switch kind {
      case .manifest:
        let source = try PatchSource(files: [PatchFile(name: "x.lua", bytes: input)])
        let manifest = try PatchManifest(of: source)
        if let expires = manifest.expires { _ = UTCDate.seconds(UTCDate.text(expires)) }
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
