// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingOperations
import WaxwingPatches
import WaxwingTestSupport

/// The store on a disk that works, and on one that does not.
@Suite struct PatchStoreTests {
  let fixture = StoreFixture()

  @Test func `nothing is made where nothing is kept`() throws {
    let store = try PatchStore.open(fixture.base, program: "bankd", creating: false)
    #expect(store == nil && !FileManager.default.fileExists(atPath: fixture.base))
  }

  @Test func `what is kept is there when the store is opened again, for its user alone`() throws {
    var patches: [KeptPatch] = []
    do {
      let store = try fixture.open()
      patches = [
        try StoreFixture.keep("fees", in: store), try StoreFixture.keep("limit", in: store),
      ]
    }
    let store = try fixture.open()
    #expect(store.state.active == patches && store.state.generation == 2 && store.trouble == nil)
    #expect(try store.bundle(patches[0].hash) == StoreFixture.bundle("fees"))
    for name in ["", "/blobs", "/state", "/" + fixture.blob(patches[0])] {
      let attributes = try FileManager.default.attributesOfItem(atPath: fixture.path + name)
      let mode = (attributes[.posixPermissions] as? Int) ?? 0
      #expect(mode & 0o077 == 0, "\(name) has mode \(String(mode, radix: 8))")
    }
  }

  @Test func `files go once neither the document nor the one before it names them`() throws {
    let store = try fixture.open()
    let first = try StoreFixture.keep("fees", "return 1", in: store)
    let second = try StoreFixture.keep("fees", "return 2", in: store)
    #expect(try store.bundle(first.hash) == StoreFixture.bundle("fees", "return 1"))
    try StoreFixture.keep("limit", in: store)
    #expect(throws: StoreError.self) { try store.bundle(first.hash) }
    #expect(try store.bundle(second.hash) == StoreFixture.bundle("fees", "return 2"))
  }

  /// Where an apply is when it fails, or the process dies.
  private func applyAgain(_ fault: Fault) throws -> (failed: Bool, old: StoreState, new: StoreState)
  {
    let old: StoreState
    do {
      let store = try fixture.open()
      try StoreFixture.keep("fees", "return 1", in: store)
      old = store.state
    }
    var failed = false
    var state = StoreState()
    do {
      let store = try fixture.open(fault.system)
      do { try StoreFixture.keep("fees", "return 2", in: store) } catch { failed = true }
      state = store.state
    } catch { failed = true }
    #expect(!failed || state == old || state == StoreState())
    return (failed, old, try fixture.open().state)
  }

  /// How many calls change the disk: opening, writing a patch, writing the document.
  private static let calls = 18

  @Test func `the number of calls that the next tests let fail is that of all`() throws {
    let fault = Fault(at: 0)
    let result = try applyAgain(fault)
    #expect(!result.failed && result.new.generation == 2)
    #expect((14...Self.calls).contains(fault.calls), "\(fault.calls)")
  }

  @Test(arguments: 1...calls, [EIO, ENOSPC])
  func `a call that fails leaves the old document or the new, and says so`(
    call: Int, number: Int32
  ) throws {
    let result = try applyAgain(Fault(at: call, number))
    let names = result.new.active.map(\.name)
    #expect(names == ["fees"])
    // What failed is not there; what did not is. A call whose failure does not matter is neither.
    #expect(result.failed == (result.new == result.old), "call \(call)")
    let store = try fixture.open()
    #expect(store.trouble == nil)
    for patch in store.state.active { _ = try store.bundle(patch.hash) }
    // And all is well as soon as the disk is.
    try StoreFixture.keep("fees", "return 3", in: store)
    #expect(try fixtureText(store) == "return 3")
  }

  private func fixtureText(_ store: PatchStore) throws -> String {
    let bundle = try store.bundle(try #require(store.state.active.first).hash)
    return String(decoding: bundle.files[0].bytes, as: UTF8.self)
  }

  @Test(arguments: 1...calls)
  func `a process that dies at any call leaves the old document or the new`(call: Int) throws {
    let result = try applyAgain(Fault(at: call, staysDead: true))
    let store = try fixture.open()
    #expect(store.trouble == nil)
    #expect(["return 1", "return 2"].contains(try fixtureText(store)))
    #expect(result.new == result.old || result.new.generation == result.old.generation + 1)
  }

  @Test(arguments: [StoreStep.create, .write, .sync, .keepPrevious, .rename, .syncFolder, .remove])
  func `a failure names the step, the path, the reason and the remedy`(step: StoreStep) throws {
    do { _ = try fixture.open() }
    do {
      let store = try fixture.open(Fault(at: 1, ENOSPC, staysDead: true, step: step).system)
      try StoreFixture.keep("fees", in: store)
      #expect(step == .remove, "\(step) did not happen")
    } catch let error as StoreError {
      #expect(error.code == .full && error.step == step.rawValue && error.number == ENOSPC)
      #expect(error.message.contains(fixture.path) && error.message.contains("No space left"))
      #expect(error.remedy.contains("make room"))
    }
  }

  @Test func `a limit on file sizes is a failure, and leaves nothing behind`() throws {
    let store = try fixture.open(Fault(at: 1, EFBIG, step: .write).system)
    #expect(throws: StoreError.self) { try StoreFixture.keep("fees", in: store) }
    let left = try FileManager.default.contentsOfDirectory(atPath: fixture.path + "/blobs")
    #expect(left.isEmpty)
  }

  @Test func `a damaged patch is refused, the others are not, and it can be put again`()
    throws
  {
    let store = try fixture.open()
    let fees = try StoreFixture.keep("fees", in: store)
    let limit = try StoreFixture.keep("limit", in: store)
    var bytes = try fixture.bytes(fixture.blob(fees))
    bytes[bytes.count - 1] ^= 1
    try fixture.write(bytes, fixture.blob(fees))
    let error = #expect(throws: StoreError.self) { try store.bundle(fees.hash) }
    #expect(error?.code == .damaged && error?.message.contains(fees.hash.hex) == true)
    try fixture.write(Array(bytes.dropLast(3)), fixture.blob(fees))
    #expect(throws: StoreError.self) { try store.bundle(fees.hash) }
    #expect(try store.bundle(limit.hash) == StoreFixture.bundle("limit"))
    #expect(try store.put(StoreFixture.bundle("fees")) == fees.hash)
    #expect(try store.bundle(fees.hash) == StoreFixture.bundle("fees"))
  }

  @Test func `a damaged document is answered by the one before, which is not lost`() throws {
    do {
      let store = try fixture.open()
      try StoreFixture.keep("fees", in: store)
      try StoreFixture.keep("limit", in: store)
    }
    try fixture.write(Array("waxwing-state 1\ngenerat".utf8), "state")
    do {
      let store = try fixture.open()
      guard case .previousUsed = store.trouble else {
        Issue.record("\(String(describing: store.trouble))")
        return
      }
      #expect(store.state.active.map(\.name) == ["fees"])
      try StoreFixture.keep("rates", in: store)
      #expect(store.trouble == nil)
    }
    try fixture.write([], "state")
    #expect(try fixture.open().state.active.map(\.name) == ["fees"])
  }

  @Test func `a document that is gone, or far too long, is answered by the one before`() throws {
    do {
      let store = try fixture.open()
      try StoreFixture.keep("fees", in: store)
      try StoreFixture.keep("limit", in: store)
    }
    #expect(unlink("\(fixture.path)/state") == 0)
    do {
      let store = try fixture.open()
      #expect(store.trouble == .previousUsed("it is not there"))
      #expect(store.state.active.map(\.name) == ["fees"])
    }
    try fixture.write([UInt8](repeating: 0, count: 2 << 20), "state")
    do {
      let store = try fixture.open()
      #expect(store.trouble == .previousUsed("it is too long"))
      try StoreFixture.keep("rates", in: store)
    }
    #expect(try fixture.open().state.active.map(\.name) == ["fees", "rates"])
  }

  @Test func `what a newer engine wrote may be longer than ours, and is not overwritten`()
    throws
  {
    do { _ = try fixture.open() }
    let newer = Array("waxwing-state 9\n".utf8) + [UInt8](repeating: 0, count: 2 << 20)
    try fixture.write(newer, "state")
    let store = try fixture.open()
    #expect(store.trouble == .newer(9))
    #expect(throws: StoreError.self) { try StoreFixture.keep("fees", in: store) }
  }

  @Test func `with both documents damaged nothing is kept, and that is said`() throws {
    do {
      let store = try fixture.open()
      try StoreFixture.keep("fees", in: store)
      try StoreFixture.keep("limit", in: store)
    }
    try fixture.write([0], "state")
    try fixture.write([0], "state.prev")
    let store = try fixture.open()
    guard case .lost = store.trouble else {
      Issue.record("\(String(describing: store.trouble))")
      return
    }
    #expect(store.state == StoreState())
    try StoreFixture.keep("fees", in: store)
    #expect(store.trouble == nil)
  }

  @Test func `what a newer engine wrote is not used, and not overwritten`() throws {
    do { try StoreFixture.keep("fees", in: try fixture.open()) }
    let newer = Array("waxwing-state 99\nsomething\n".utf8)
    try fixture.write(newer, "state")
    let store = try fixture.open()
    #expect(store.trouble == .newer(99) && store.state.active.isEmpty)
    let error = #expect(throws: StoreError.self) { try StoreFixture.keep("limit", in: store) }
    #expect(error?.code == .newer)
    #expect(try fixture.bytes("state") == newer)
  }

  @Test func `a second process, or a second opening, gets no store`() throws {
    let store = try fixture.open()
    let error = #expect(throws: StoreError.self) { try fixture.open() }
    #expect(error?.code == .locked && error?.message.contains("this process uses") == true)
    withExtendedLifetime(store) {}
  }

  @Test func `folders that are links, or that others can reach, are refused`() throws {
    do { _ = try fixture.open() }
    #expect(chmod(fixture.path, 0o750) == 0)
    let open = #expect(throws: StoreError.self) { try fixture.open() }
    #expect(open?.remedy == "chmod 700 \(fixture.path)")
    #expect(chmod(fixture.path, 0o700) == 0 && chmod(fixture.base, 0o777) == 0)
    #expect(throws: StoreError.self) { try fixture.open() }
    #expect(chmod(fixture.base, 0o755) == 0)
    #expect(rename(fixture.path, fixture.base + "/other") == 0)
    #expect(symlink(fixture.base + "/other", fixture.path) == 0)
    let link = #expect(throws: StoreError.self) { try fixture.open() }
    #expect(link?.code == .unsafe && link?.message.contains("link") == true)
  }

  @Test func `files that are links or pipes are not opened`() throws {
    do { try StoreFixture.keep("fees", in: try fixture.open()) }
    #expect(unlink(fixture.path + "/state") == 0)
    #expect(symlink("/etc/passwd", fixture.path + "/state") == 0)
    #expect(try fixture.open().trouble != nil)
    #expect(unlink(fixture.path + "/state") == 0)
    #expect(mkfifo(fixture.path + "/state", 0o600) == 0)
    let store = try fixture.open()
    #expect(store.trouble != nil)
    #expect(throws: StoreError.self) { try StoreFixture.keep("limit", in: store) }
  }

  @Test(.enabled(if: geteuid() == 0))
  func `a folder of another user is refused`() throws {
    do { _ = try fixture.open() }
    #expect(chown(fixture.path, 65534, 65534) == 0)
    let error = #expect(throws: StoreError.self) { try fixture.open() }
    #expect(error?.message.contains("another user (uid 65534)") == true)
  }

  @Test func `what dead processes left is cleared away`() throws {
    do { try StoreFixture.keep("fees", in: try fixture.open()) }
    // In a container the number of a process may always be the same.
    try fixture.write([1], "state.tmp.\(getpid())")
    try fixture.write([1], "blobs/\(String(repeating: "0", count: 64)).patch.tmp.1")
    let store = try fixture.open()
    try StoreFixture.keep("limit", in: store)
    let left = try FileManager.default.subpathsOfDirectory(atPath: fixture.path)
    #expect(left.filter { $0.contains(".tmp.") } == [])
  }

  @Test func `a store of the first format is read, and stays beside what is written for it`()
    throws
  {
    let text = """
      waxwing-state 1
      generation 4
      build b1
      last-seen 5
      floor 42 bankd ssh-ed25519%20AAAA

      """
    let old = Array("\(text)sha256 \(ContentHash(of: Array(text.utf8)).hex)\n".utf8)
    do { _ = try fixture.open() }
    try fixture.write(old, "state")
    let store = try fixture.open()
    #expect(store.trouble == nil && store.state.generation == 4)
    try StoreFixture.keep("fees", in: store)
    let new = try String(contentsOfFile: "\(fixture.path)/state", encoding: .utf8)
    #expect(new.hasPrefix("waxwing-state 2\ngeneration 5\n"))
    #expect(new.contains("\nfloor 42 bankd ssh-ed25519%20AAAA\n"))
    let kept = try Data(contentsOf: URL(fileURLWithPath: "\(fixture.path)/state.prev"))
    #expect(Array(kept) == old)
  }

  @Test func `a document that would be too large to be read again is not written`() throws {
    let store = try fixture.open()
    try StoreFixture.keep("fees", in: store)
    var state = store.state
    for number in 0..<6000 {
      state.floors[
        FloorKey(program: "bankd", key: "\(number)\(String(repeating: "k", count: 200))")] =
        1
    }
    #expect {
      try store.save(state)
    } throws: { error in
      (error as? StoreError)?.code == .full
    }
    #expect(store.state.floors.isEmpty && store.state.active.map(\.name) == ["fees"])
  }

  @Test func `a clock that is set back does not turn time back, and a leap is not believed`() {
    var state = StoreState()
    #expect(state.trustedTime(100) == 100)
    state.lastSeen = 1_700_000_000
    #expect(state.trustedTime(0) == 1_700_000_000)
    #expect(state.trustedTime(1_700_000_060) == 1_700_000_060)
    #expect(state.trustedTime(1_700_000_000 + 20 * 366 * 86_400) == 1_700_000_000)
  }
}
