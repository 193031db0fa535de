// SPDX-License-Identifier: MIT

import Foundation
import Testing
import WaxwingOperations

/// The serial numbers' second place.
@Suite struct FloorCopyTests {
  let fixture = StoreFixture()

  private static let contents = FloorCopy.Contents(
    floors: [
      FloorKey(program: "bankd", key: "SHA256:a b"): 42, FloorKey(program: "bankd", key: ""): .max,
    ], lastSeen: 1_700_000_000)

  private func copy(_ calls: StoreCalls = .real) throws -> FloorCopy {
    try #require(try FloorCopy(fixture.base, program: "bankd", creating: true, calls: calls))
  }

  @Test func `the copy is beside the program's folder, for its user alone`() throws {
    #expect(try FloorCopy(fixture.base, program: "bankd", creating: false) == nil)
    let copy = try copy()
    #expect(try copy.read() == nil)
    try copy.write(Self.contents)
    #expect(try copy.read() == Self.contents && copy.path == "\(fixture.base)/bankd.floors")
    let attributes = try FileManager.default.attributesOfItem(atPath: copy.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    // It outlives the store.
    do { try StoreFixture.keep("fees", in: try fixture.open()) }
    try FileManager.default.removeItem(atPath: fixture.path)
    #expect(try copy.read() == Self.contents)
  }

  @Test func `a copy with any bit flipped, or cut, is refused`() throws {
    let copy = try copy()
    try copy.write(Self.contents)
    let whole = try Data(contentsOf: URL(fileURLWithPath: copy.path))
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 2
      try changed.write(to: URL(fileURLWithPath: copy.path))
      #expect(throws: StoreError.self) { try copy.read() }
      try whole.prefix(index).write(to: URL(fileURLWithPath: copy.path))
      #expect(throws: StoreError.self) { try copy.read() }
    }
  }

  @Test func `a copy of a newer engine is known as one`() throws {
    let copy = try copy()
    try Data("waxwing-floors 2\nall else\n".utf8).write(to: URL(fileURLWithPath: copy.path))
    #expect {
      try copy.read()
    } throws: { error in
      (error as? StoreError)?.code == .newer
    }
  }

  @Test(arguments: 1...8, [EIO, ENOSPC])
  func `a call that fails leaves the old copy or the new`(call: Int, number: Int32) throws {
    try copy().write(Self.contents)
    let fault = Fault(at: call, number)
    var new = Self.contents
    new.lastSeen += 1
    let faulty = try copy(fault.system)
    let failed = (try? faulty.write(new)) == nil
    // Making, writing, syncing and renaming the file; then the folder, after which the new one stays.
    #expect(failed == (call <= 5))
    #expect(try copy().read() == (call <= 4 ? Self.contents : new))
  }

  @Test func `of two copies each number is the higher one`() {
    let key = FloorKey(program: "bankd", key: "k")
    let merged = FloorCopy.Contents(floors: [key: 4], lastSeen: 9)
      .merged(with: FloorCopy.Contents(floors: [key: 3], lastSeen: 10))
    #expect(merged == FloorCopy.Contents(floors: [key: 4], lastSeen: 10))
  }
}
