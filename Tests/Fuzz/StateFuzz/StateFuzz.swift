// SPDX-License-Identifier: MIT

import SeededRandom
import WaxwingOperations
import WaxwingPatches

/// Damaged documents, boot records, breadcrumbs and patches of the store.
/// The readers must not trap, and what they accept they must write again in the same way: there is one
/// form of each.
@main
enum StateFuzz {
  static func main() {
    let options = FuzzOptions(rounds: 100_000)
    let rounds = options.rounds
    print("state: \(rounds) rounds from seed \(options.seed)")
    var random = SeededGenerator(seed: options.seed)
    var accepted = 0
    for round in 0..<rounds {
      accepted += state(&random) + resealed(&random) + bundle(&random) + record(&random)
      accepted += copy(&random)
      breadcrumbs(&random)
      if round % 20_000 == 19_999 { print("\(round + 1) rounds, \(accepted) accepted") }
    }
    print("StateFuzz: \(rounds) rounds, \(accepted) accepted, no fault")
  }

  private static let whole: StoreState = {
    var state = StoreState()
    let hash = ContentHash(of: [1])
    let patch = KeptPatch(hash: hash, name: "a patch", build: "3f2a", keptAt: 17)
    state.active = [patch]
    state.good = [patch]
    state.strikes = [Strike(hash: hash, name: "a", at: 1)]
    state.quarantine = [QuarantinedPatch(patch: patch, at: 1, reason: "it died")]
    state.crashLoop = CrashLoop(build: "3f2a", generation: 1, at: 1)
    state.floors = [FloorKey(program: "bankd", key: "ssh"): 7]
    return state
  }()

  private static func state(_ random: inout SeededGenerator) -> Int {
    accepts(Mutation.of(whole.bytes, &random))
  }

  /// With a hash that is right: without, hardly anything comes to the parser.
  private static func resealed(_ random: inout SeededGenerator) -> Int {
    let body = Mutation.of(Array(whole.bytes.dropLast(72)), &random)
    return accepts(body + Array("sha256 \(ContentHash(of: body).hex)\n".utf8))
  }

  private static func accepts(_ bytes: [UInt8]) -> Int {
    guard let read = try? StoreState(bytes) else { return 0 }
    precondition(
      (1...StoreState.format).contains { read.bytes(format: $0) == bytes },
      "another form was accepted")
    return 1
  }

  private static let floors = FloorCopy.Contents(
    floors: [FloorKey(program: "bankd", key: "SHA256:a b"): 7], lastSeen: 17
  ).bytes

  private static func copy(_ random: inout SeededGenerator) -> Int {
    let body = Mutation.of(Array(floors.dropLast(72)), &random)
    let bytes = body + Array("sha256 \(ContentHash(of: body).hex)\n".utf8)
    guard let read = try? FloorCopy.Contents(bytes) else { return 0 }
    precondition(read.bytes == bytes, "another form was accepted")
    return 1
  }

  private static let patch = BundleCoder.encode(
    PatchBundle(
      files: [
        PatchFile(name: "fees/main.lua", bytes: Array("return require 'a'".utf8)),
        PatchFile(name: "fees/a.lua", bytes: Array("return 1".utf8)),
      ], signature: PatchFile(name: "SHA256SUMS.sig", bytes: [1, 2, 3])))

  private static func bundle(_ random: inout SeededGenerator) -> Int {
    let bytes = Mutation.of(patch, &random)
    guard let read = try? BundleCoder.decode(bytes) else { return 0 }
    precondition(BundleCoder.encode(read) == bytes, "another form was accepted")
    return 1
  }

  private static let boot = BootRecord(
    run: 1, attempt: 1, generation: 1, build: "3f2a", pid: 1, startedAt: 1
  ).bytes

  private static func record(_ random: inout SeededGenerator) -> Int {
    BootRecord(Mutation.of(boot, &random)) == nil ? 0 : 1
  }

  private static func breadcrumbs(_ random: inout SeededGenerator) {
    var bytes = [UInt8](repeating: 0, count: 8192)
    bytes.replaceSubrange(0..<8, with: "wxcrumb1".utf8)
    for _ in 0..<64 {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
    }
    _ = BreadcrumbReport(bytes)
  }
}
