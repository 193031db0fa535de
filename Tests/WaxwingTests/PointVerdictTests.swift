// SPDX-License-Identifier: MIT

import Bank
import EngineTestSupport
import Expectations
import Synchronization
import Testing
import WaxwingControl

@testable import Waxwing

extension EngineSuite {
  /// What is said of patch points before anybody overrides them.
  @Suite struct PointVerdictTests {
    @Test func `what is marked is refused with that reason, and nothing else is`() throws {
      let all = try points("Bank.")
      let odd = all.filter { $0.owner == "Bank.Unsupported" }
      #expect(odd.count > 3)
      let sample = odd + stride(from: 0, to: all.count, by: 17).map { all[$0] }
      for point in sample where point.kind != .other {
        let accessor =
          switch point.kind {
          case .getter: ".get"
          case .setter: ".set"
          case .willSet: ".willSet"
          case .didSet: ".didSet"
          default: ""
          }
        let text = """
          local owner = \(point.isMember ? "patching" : "module") "\(point.owner)"
          local parts = \(point.isStatic ? "patching(owner.static)" : "owner")
          parts\(accessor)[ [==[\(point.member)]==] ] =
            function(...) return original(...) end
          """
        guard let reason = point.refusal else {
          try withPatch(text) {}
          continue
        }
        let refused = refusal(text)
        #expect(refused.hasSuffix(reason), "\(point.selector): \(refused)")
      }
    }

    @Test func `points come in pages, by part of their names`() throws {
      let first = try Operations.shared.queries.points(matching: nil, from: 0)
      let next = try #require(first.next)
      let second = try Operations.shared.queries.points(matching: nil, from: next)
      expectEqual(first.points.count, next)
      #expect(second.points.first.map { !first.points.contains($0) } == true)
      #expect(try Operations.shared.queries.points(matching: nil, from: .max).points.isEmpty)
      try expectEqual(points("bank.branch.DESCRIBE").map(\.selector), ["Bank.Branch.describe()"])
    }

    @Test func `what is opaque is said, with the reason`() throws {
      let notes = Dictionary(
        try points("PassThrough.").compactMap { point in point.opaque.map { (point.selector, $0) } }
      ) { first, _ in first }
      #expect(notes["PassThrough.inspect(_:)"]?.hasPrefix("argument 1; ") == true)
      #expect(notes["PassThrough.open(_:)"]?.hasPrefix("the result; ") == true)
      #expect(notes["PassThrough.Ticket.number()"]?.hasPrefix("`self`; ") == true)
      #expect(notes["PassThrough.Shape.area()"] == nil)
      #expect(notes.values.allSatisfy { !$0.hasSuffix("; ") }, "\(notes)")
    }

    @Test func `what the host protects is marked`() throws {
      let old = WaxwingEngine.policy
      defer { WaxwingEngine.policy = old }
      var policy = old
      policy.protectedSelectors = ["Bank.Branch.describe"]
      WaxwingEngine.policy = policy
      let point = try #require(try points("Bank.Branch.describe").first)
      #expect(point.refusal?.contains("the host protects `Bank.Branch.describe`") == true)
    }

    @Test func `no operation waits while the names of all functions are looked at`() throws {
      let queries = Operations.shared.queries
      let hasBegun = Mutex(false)
      let listing = StartedThread {
        hasBegun.withLock { $0 = true }
        _ = try? queries.points(matching: nil, from: 0)
      }
      expectEventually(hasBegun.withLock(\.self), true)
      var answers = 0
      while !listing.join(seconds: 0) {
        _ = try queries.list()
        answers += 1
      }
      #expect(answers > 20)
    }

    private func points(_ pattern: String) throws -> [PointEntry] {
      var found: [PointEntry] = []
      var first: Int? = 0
      while let from = first {
        let page = try Operations.shared.queries.points(matching: pattern, from: from)
        found += page.points
        first = page.next
      }
      return found
    }
  }
}
