// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Testing
import WaxwingControl
import WaxwingCore
import WaxwingOperations
import WaxwingPatches
import WaxwingSelfCheck

@testable import Waxwing

extension EngineSuite {
  /// A program whose Swift is another than the engine knows.
  @Suite struct SelfCheckTests {
    private static let found = "the instance size, at offset 24, is 0 instead of 56"

    /// An engine beside the process's own, which overrides nothing.
    private static func operations() -> Operations {
      Operations(Engine(Patchability(ABICheck(canaries: [.init("class metadata") { found }]))))
    }

    private static let patch = """
      local A = class "Bank.Account"
      function A:describe() return "patched" end
      """

    private func source() throws -> PatchSource {
      try PatchSource(files: [PatchFile(name: "strange.lua", bytes: Array(Self.patch.utf8))])
    }

    private let peer = ControlPeer(pid: 1, uid: 0, gid: 0)

    @Test func `apply is refused with the reason and the remedy, and the program runs on`()
      throws
    {
      let account = Account(id: 1, owner: "Ada")
      let before = account.describe()
      let operations = Self.operations()
      let source = try source()
      let error = #expect(throws: WaxwingError.self) {
        try operations.patches.apply([source], ApplyOptions(.sameName, waitAtMost: .zero))
      }
      expectEqual(error?.code, .unsupported)
      #expect(
        error?.message.hasPrefix(
          "this program's Swift has an ABI that Waxwing does not know: class metadata: "
            + "\(Self.found) (compiler 6.") == true)
      #expect(error?.remedy.hasPrefix("build the program with Swift 6.") == true)
      #expect(try operations.queries.list().isEmpty)
      expectEqual(account.describe(), before)
    }

    @Test func `status says that nothing can be patched, and why`() throws {
      let frame = try WireCoder.frame(of: StatusRequest())
      let request = try WireCoder.request(
        Array(frame.dropFirst(4)), for: ControlHandler(Self.operations()).answers)
      guard case .success(let answer, _) = request.answer(peer),
        let status = answer as? DaemonStatus
      else {
        Issue.record("no status")
        return
      }
      #expect(status.unsupported?.contains(Self.found) == true)
      #expect(status.unsupported?.contains("; build the program with Swift 6.") == true)
      #expect(status.swiftWarning == nil)
      expectEqual(status.condition, .baseline)
    }

    @Test func `the start says it, and does not fail`() async throws {
      let engine = Self.operations().engine
      let (events, more) = AsyncStream.makeStream(of: String.self)
      engine.log.setHandler { more.yield($0.line) }
      engine.patchability.report(to: engine.log, writesCode: false)
      let line = await events.first { _ in true }
      #expect(line?.contains("patching.impossible") == true)
      #expect(line?.contains(Self.found) == true)
    }

    @Test func `what reads types and functions of the program is refused too`() throws {
      let queries = Self.operations().queries
      #expect(throws: WaxwingError.self) { try queries.points(matching: "account", from: 0) }
      #expect(throws: WaxwingError.self) { try queries.explain("Bank.Account.describe()") }
    }

    @Test func `restore works`() throws {
      let patches = Self.operations().patches
      #expect(try patches.restore(waitAtMost: .zero, by: .program).isComplete)
    }

    @Test func `this program's Swift is one that was tested`() throws {
      #expect(WaxwingEngine.unsupportedReason == nil)
      #expect(Engine.shared.patchability.warning == nil)
      try withPatch(Self.patch) { expectEqual(Account(id: 1, owner: "Ada").describe(), "patched") }
    }
  }
}
