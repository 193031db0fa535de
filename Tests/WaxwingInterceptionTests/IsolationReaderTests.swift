// SPDX-License-Identifier: MIT

import ClobberProbe
import Glibc
import InterceptionFixture
import Testing
import WaxwingInterception

extension FixtureTests {
  @Suite struct IsolationReaderTests {
    /// The async function pointer.
    private func function(of function: IsolationCase) throws -> UnsafeRawPointer {
      var entry: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
      var code: UnsafeMutableRawPointer?
      try #require(probe_patch_point("InterceptionFixture.\(function.name)", &entry, &code))
      let pointer = UnsafeRawPointer(try #require(entry?.pointee))
      try #require(IsolationReader.code(ofAsync: pointer) == UnsafeRawPointer(code))
      return pointer
    }

    /// What an `async` function of this isolation may do first; more than one thing where the
    /// compiler leaves out a switch that makes no difference.
    private func isRight(
      _ executor: EntryExecutor, for isolation: IsolationCase.Isolation
    ) -> Bool {
      switch (isolation, executor) {
      case (.nonisolated, .generic), (.nonisolated, .none): true
      case (.defaultActor, .receiver), (.customActor, .executorOfReceiver): true
      case (.parameter(let index), .argument(let found)): found == index
      case (.parameterWithExecutor(let index), .executorOfArgument(let found)): found == index
      case (.globalActor(let symbol), .globalActor(let shared)):
        mangledName(at: shared).hasPrefix(symbol)
      default: false
      }
    }

    private func mangledName(at address: UInt) -> String {
      guard let name = probe_symbol(UnsafeRawPointer(bitPattern: address)) else { return "?" }
      defer { free(name) }
      return String(cString: name)
    }

    /// Where those go that get their caller's isolation is the callers' business.
    @Test(arguments: isolationCases.filter { $0.isolation != .caller })
    func `the code tells where a function runs`(_ function: IsolationCase) throws {
      let executor = IsolationReader.executor(ofAsync: try self.function(of: function))
      #expect(isRight(executor, for: function.isolation), "\(executor)")
    }

    @Test func `isolation that makes no difference leaves no trace or the right one`() throws {
      let function = IsolationCase("Till.ignoring(", .defaultActor)
      let executor = IsolationReader.executor(ofAsync: try self.function(of: function))
      #expect(executor == .receiver || executor == .none)
    }

    @Test(arguments: isolationCases)
    func `the code tells whether a function gets its caller's isolation`(
      _ function: IsolationCase
    ) throws {
      let answer = IsolationReader.hasCallerIsolation(
        async: try self.function(of: function),
        plain: function.layout(hasCallerIsolation: false),
        isolated: function.layout(hasCallerIsolation: true))
      #expect(answer == (function.isolation == .caller))
    }

    /// This compiler lets those that get their caller's isolation rely on it; see docs/adopting.md.
    @Test(arguments: isolationCases)
    func `the code tells whether a function switches first of all`(_ function: IsolationCase) throws
    {
      let pointer = try self.function(of: function)
      guard let answer = IsolationReader.switchesFirst(async: pointer) else {
        Issue.record("its code is not understood")
        return
      }
      if answer { #expect(IsolationReader.executor(ofAsync: pointer) != .none) }
      if function.isolation == .caller { #expect(!answer) }
    }

    @Test func `functions of actors switch first of all`() throws {
      let actors = isolationCases.filter { $0.isolation == .defaultActor }
      let answers = try actors.map { IsolationReader.switchesFirst(async: try function(of: $0)) }
      #expect(answers.contains(true))
    }

    @Test(arguments: [
      IsolationCase("Till.nine(", .defaultActor), IsolationCase("nearNine(", .caller),
      IsolationCase("nearOne(", .caller), IsolationCase("freeThrowing(", .nonisolated),
    ])
    func `parameters that the code does not know leave it undecided`(
      _ function: IsolationCase
    ) throws {
      let answer = IsolationReader.hasCallerIsolation(
        async: try self.function(of: function),
        plain: function.layout(hasCallerIsolation: false),
        isolated: function.layout(hasCallerIsolation: true))
      #expect(answer == nil)
    }
  }
}
