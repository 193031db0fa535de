// SPDX-License-Identifier: MIT

import SeededRandom
import Testing
import WaxwingOperations
import WaxwingPatches

/// The state document and the patches' files as bytes.
@Suite struct StoreStateTests {
  static let full: StoreState = {
    var state = StoreState()
    let hash = ContentHash(of: [1, 2, 3])
    let patch = KeptPatch(hash: hash, name: "über flüssig", build: "3f2a", keptAt: 1_700_000_000)
    state.generation = 7
    state.build = "3f2a"
    state.lastSeen = 1_700_000_100
    state.active = [patch, KeptPatch(hash: ContentHash(of: []), name: "", build: "", keptAt: 0)]
    state.good = [patch]
    state.strikes = [Strike(hash: hash, name: "a%b", at: 3)]
    state.quarantine = [QuarantinedPatch(patch: patch, at: 5, reason: "it\ndied\u{7f}")]
    state.crashLoop = CrashLoop(build: "3f2a", generation: 6, at: 9)
    state.floors = [
      FloorKey(program: "bankd", key: "k 1"): 42, FloorKey(program: "bankd", key: "a"): .max,
    ]
    return state
  }()

  @Test func `a document is read as it was written`() throws {
    #expect(try StoreState(Self.full.bytes) == Self.full)
    #expect(try StoreState(StoreState().bytes) == StoreState())
  }

  @Test func `a document that the first version has written is read`() throws {
    let text = """
      waxwing-state 1
      generation 1
      build 36c6d7ec
      last-seen 1795314623
      active b4716f3108acb2ff2758a9356f50fc8e42e518cd342a91235405bc3f0bb61ed0 1795314623 36c6d7ec fees
      floor 42 bankd ssh-ed25519%20AAAA

      """
    let sealed = text + "sha256 \(ContentHash(of: Array(text.utf8)).hex)\n"
    let state = try StoreState(Array(sealed.utf8))
    #expect(state.active.map(\.name) == ["fees"] && state.generation == 1)
    #expect(state.floors[FloorKey(program: "bankd", key: "ssh-ed25519 AAAA")] == 42)
    // What it did not know is no line of it.
    let mixed = text + "good \(ContentHash(of: []).hex) 1 b n\n"
    let resealed = mixed + "sha256 \(ContentHash(of: Array(mixed.utf8)).hex)\n"
    #expect(throws: StoreState.ReadError.self) { try StoreState(Array(resealed.utf8)) }
  }

  @Test func `a document of a newer format is known as one, whatever else it has`() {
    let newer = Array("waxwing-state 3\neverything else\n".utf8)
    #expect(throws: StoreState.ReadError.newer(3)) { try StoreState(newer) }
  }

  @Test func `a document with any bit flipped is refused`() {
    let bytes = Self.full.bytes
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << bit
        #expect(throws: StoreState.ReadError.self) { try StoreState(changed) }
      }
    }
  }

  @Test func `a document that is cut anywhere is refused`() {
    let bytes = Self.full.bytes
    for count in 0..<bytes.count {
      #expect(throws: StoreState.ReadError.self) { try StoreState(Array(bytes.prefix(count))) }
    }
  }

  @Test(arguments: [
    "active zz 1 b n", "active", "generation -1", "generation 01", "generation 1 1",
    "generation +1",
    "waxwing-state 1", "floor 99999999999999999999 a b", "nonsense 1", "build a%2", "build a%41",
    "",
    "crash-loop 1 2", "generation 1",
  ])
  func `lines that are not what is written are refused, though the hash is right`(line: String) {
    let text = "waxwing-state 1\ngeneration 1\nbuild x\nlast-seen 0\n\(line)\n"
    let sealed = text + "sha256 \(ContentHash(of: Array(text.utf8)).hex)\n"
    #expect(throws: StoreState.ReadError.self) { try StoreState(Array(sealed.utf8)) }
  }

  @Test func `a patch is read as it was written, with its signature`() throws {
    let bundle = PatchBundle(
      files: [
        PatchFile(name: "fees/main.lua", bytes: Array("file 3 x\n\nreturn 1".utf8)),
        PatchFile(name: "fees/größe %.lua", bytes: []),
      ], signature: PatchFile(name: "SHA256SUMS.sig", bytes: [0, 10, 255, 10]))
    #expect(try BundleCoder.decode(BundleCoder.encode(bundle)) == bundle)
  }

  @Test func `the boot record has one size, and is nothing when a bit is flipped`() {
    var record = BootRecord(
      run: .max, attempt: 3, generation: .max, build: String(repeating: " ", count: 300), pid: .max,
      startedAt: .max)
    record.isHealthy = true
    #expect(record.bytes.count == 512)
    #expect(BootRecord(record.bytes)?.run == .max && BootRecord(record.bytes)?.isHealthy == true)
    for index in record.bytes.indices {
      var changed = record.bytes
      changed[index] ^= 4
      #expect(BootRecord(changed) == nil)
    }
  }

  /// Whether one of the formats has these bytes for the document.
  private static func writes(_ state: StoreState, _ bytes: [UInt8]) -> Bool {
    (1...StoreState.format).contains { state.bytes(format: $0) == bytes }
  }

  @Test(arguments: TestSeed.each(1...8))
  func `changed bytes never trap, and never pass for another document`(seed: TestSeed) {
    var random = seed.generator
    let bundle = PatchBundle(
      files: [PatchFile(name: "a.lua", bytes: Array("return 1".utf8))],
      signature: PatchFile(name: "a.lua.sig", bytes: [1, 2, 3]))
    for _ in 0..<400 {
      let state = Mutation.of(Self.full.bytes, &random)
      if let read = try? StoreState(state) { #expect(Self.writes(read, state)) }
      // The seal would hide the parser from most changes.
      let resealed = Resealed.of(Self.full.bytes, &random)
      if let read = try? StoreState(resealed) { #expect(Self.writes(read, resealed)) }
      let blob = Mutation.of(BundleCoder.encode(bundle), &random)
      if let read = try? BundleCoder.decode(blob) { #expect(BundleCoder.encode(read) == blob) }
    }
  }
}

enum Resealed {
  /// Changed, with a hash that is right again.
  static func of(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    let body = Mutation.of(Array(bytes.dropLast(72)), &random)
    return body + Array("sha256 \(ContentHash(of: body).hex)\n".utf8)
  }
}
