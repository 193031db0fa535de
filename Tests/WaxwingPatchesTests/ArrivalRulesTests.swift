// SPDX-License-Identifier: MIT

import Testing
import WaxwingPatches

/// Serial numbers and the time.
@Suite struct ArrivalRulesTests {
  private let alice = Signer(identity: "alice@ops", key: "SHA256:a", format: .ssh)
  private let floors = FloorsInMemory()
  private let rules = ArrivalRules(serialJump: 1000)

  /// Nil if a serial number is let in, and the floor is raised then.
  private func refusal(
    _ serial: Int, key: String = "SHA256:a", program: String = "bankd"
  ) -> PatchError? {
    var manifest = PatchManifest(name: "p")
    manifest.serial = serial
    let signer = Signer(identity: "alice@ops", key: key, format: .ssh)
    do throws(PatchError) {
      let floor = try rules.floor(
        of: manifest, in: "p.lua", signer: signer, program: program, floors)
      floors.raise([floor].compactMap(\.self))
      return nil
    } catch {
      return error
    }
  }

  @Test func `an older serial is refused, per program and per key, and the floor is named`() {
    #expect(refusal(5) == nil && refusal(5) == nil && refusal(6) == nil)
    let error = refusal(5)
    #expect(
      error?.located == "p.lua: its serial 5 is below 6, the last that alice@ops has signed for "
        + "`bankd` with this key")
    #expect(error?.remedy == "if you still want it, sign it again with a serial of 7 or more")
    #expect(refusal(1, key: "SHA256:b") == nil && refusal(1, program: "shopd") == nil)
    #expect(refusal(5) != nil)
  }

  @Test func `a serial far ahead is refused, and a new key begins anew`() {
    #expect(refusal(1000) == nil && refusal(2000) == nil)
    #expect(refusal(.max)?.message.contains("more than 1000 above 2000") == true)
    #expect(refusal(3001)?.code == .policy)
    #expect(refusal(3000) == nil)
    #expect(refusal(1, key: "SHA256:new") == nil)
    #expect(refusal(1001, key: "SHA256:other") != nil)
  }

  @Test func `a floor is never lowered`() {
    floors.raise([SerialFloor(program: "bankd", key: alice.key, serial: 9)])
    floors.raise([SerialFloor(program: "bankd", key: alice.key, serial: 3)])
    #expect(floors.floor(program: "bankd", key: alice.key)?.serial == 9)
  }

  @Test func `a clock that goes back brings nothing back`() {
    #expect(TrustedTime(now: 1000, lastSeen: nil) == TrustedTime(now: 10, lastSeen: 1000))
    #expect(TrustedTime(now: 2000, lastSeen: 1000).seconds == 2000)
    let now = 1_790_000_000
    _ = TrustedTime(now: now, floors)
    #expect(floors.lastSeen == now)
    #expect(TrustedTime(now: 0, floors).seconds == now && floors.lastSeen == now)
  }

  @Test(arguments: [1_790_000_000 + TrustedTime.insaneJump + 1, .max])
  func `a clock that leaps ten years is not believed`(leap: Int) {
    let now = 1_790_000_000
    floors.see(now)
    let time = TrustedTime(now: leap, floors)
    #expect(time.isClockInsane && time.seconds == now && floors.lastSeen == now)
    #expect(!TrustedTime(now: now + TrustedTime.insaneJump, floors).isClockInsane)
    #expect(TrustedTime(now: .max, lastSeen: .min).isClockInsane)
    #expect(TrustedTime(now: .min, lastSeen: .max).seconds == .max)
  }

  @Test func `a patch expires at its moment`() throws {
    var manifest = PatchManifest(name: "p")
    manifest.expires = 1_790_000_000
    func check(_ now: Int) throws(PatchError) {
      try ArrivalRules.checkExpiry(
        of: manifest, in: "p.lua", at: TrustedTime(now: now, lastSeen: nil))
    }
    try check(1_789_999_999)
    let error = #expect(throws: PatchError.self) { try check(1_790_000_000) }
    #expect(
      error?.located
        == "p.lua: the patch expired 2026-09-21T14:13:20Z; it is 2026-09-21T14:13:20Z now")
  }
}
