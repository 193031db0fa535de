// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import Testing

@testable import WaxwingSelfCheck

/// The self-check of Swift's ABI.
@Suite struct ABICheckTests {
  /// What a canary has compared, and which of it is to be something else.
  private final class Observations: Sendable {
    private let state = Mutex((count: 0, wrong: -1))

    init(wrong: Int = -1) {
      state.withLock { $0.wrong = wrong }
    }

    var count: Int { state.withLock { $0.count } }

    var view: ABIView {
      ABIView { [self] number in
        state.withLock { state in
          state.count += 1
          return state.count - 1 == state.wrong ? ~number : number
        }
      }
    }
  }

  private static func failure(_ canary: ABICheck.Canary, _ view: ABIView) -> String? {
    do throws(ABIMismatch) {
      try canary.check(view)
      return nil
    } catch {
      return error.found
    }
  }

  @Test func `every canary lives with this toolchain`() {
    #expect(ABICheck.canaries.count >= 12)
    for canary in ABICheck.canaries {
      #expect(Self.failure(canary, ABIView()) == nil, "\(canary.name)")
    }
    #expect(ABICheck().failure() == nil)
  }

  @Test func `every canary has a name of its own`() {
    #expect(Set(ABICheck.canaries.map(\.name)).count == ABICheck.canaries.count)
  }

  @Test func `every canary is in the documentation, and no other`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("docs/abi.md"), encoding: .utf8)
    let lists = text.matches(of: #/canar(?:y|ies) (`[a-z ]+`(?:, `[a-z ]+`)*)/#).map(\.1)
    let named = lists.flatMap { $0.matches(of: #/`([a-z ]+)`/#).map { String($0.1) } }
    #expect(Set(named) == Set(ABICheck.canaries.map(\.name)))
    for version in Toolchain.tested { #expect(text.contains("Tested with Swift \(version)")) }
  }

  @Test func `a canary fails if any one thing that it compares is another`() {
    for canary in ABICheck.canaries {
      let observations = Observations()
      #expect(Self.failure(canary, observations.view) == nil)
      #expect(observations.count > 0, "\(canary.name)")
      for index in 0..<observations.count {
        let found = Self.failure(canary, Observations(wrong: index).view)
        #expect(found?.isEmpty == false, "\(canary.name), number \(index)")
      }
    }
  }

  private static var nowhere: UnsafeRawPointer {
    UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
  }

  @Test func `what is read where no memory is fails`() {
    let canaries = [
      ABICheck.Canary(view: "a word") { view throws(ABIMismatch) in
        try view.expect("it", at: Self.nowhere, 8, is: 0)
      },
      ABICheck.Canary(view: "a pointer") { view throws(ABIMismatch) in
        _ = try view.pointer("it", Self.nowhere, 8)
      },
    ]
    for canary in canaries {
      let found = Self.failure(canary, ABIView())
      #expect(found == "it, at offset 8, is where there is no memory")
    }
  }

  @Test func `the first canary that fails is told, and those behind it are not asked`() {
    let asked = Atomic(0)
    let check = ABICheck(canaries: [
      .init("one") { nil }, .init("two") { "something else" },
      .init("three") {
        asked.add(1, ordering: .relaxed)
        return nil
      },
    ])
    #expect(check.failure() == .init(canary: "two", found: "something else"))
    #expect(asked.load(ordering: .relaxed) == 0)
  }

  @Test func `what is another is told with what was expected`() {
    let canary = ABICheck.Canary(view: "a size") { view throws(ABIMismatch) in
      try view.expect("the size", is: 16, 4096)
    }
    #expect(Self.failure(canary, ABIView()) == "the size is 0x1000 instead of 16")
  }

  @Test func `a Swift that was tested gives no warning, others do`() {
    #expect(Toolchain(compiler: "6.3.1", library: "6.3.0").warning == nil)
    let other = Toolchain(compiler: "6.3.1", library: "6.4.0").warning
    #expect(other?.contains("this is Swift 6.3.1 with the standard library of 6.4.") == true)
    #expect(Toolchain(compiler: "6.4 or newer", library: "6.4.0").warning != nil)
  }

  @Test func `the toolchain of the tests is a tested one`() {
    #expect(Toolchain.current.warning == nil, "\(Toolchain.current)")
  }

  /// Said, not demanded: machines are as fast as they are.
  @Test func `the self-check says how long it takes`() {
    let check = ABICheck()
    let first = ContinuousClock().measure { _ = check.failure() }
    let rounds = 100
    let others = ContinuousClock().measure { for _ in 0..<rounds { _ = check.failure() } }
    print("ABI self-check: \(first), then \(others / rounds)")
  }
}
