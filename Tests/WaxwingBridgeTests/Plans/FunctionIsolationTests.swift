// SPDX-License-Identifier: MIT

import InterceptionFixture
import Testing
import WaxwingBridge
import WaxwingDeclarations
import WaxwingInterception
import WaxwingReflection
import WaxwingValues

/// A function of the fixture and the actor that its source says it belongs to.
struct PlacedFunction: CustomTestStringConvertible, Sendable {
  /// Without the module.
  var name: String
  /// As `FunctionIsolationTests.text(_:)` has it.
  var isolation: String
  var owner: (any Any.Type)?
  /// Words of arguments, all integers.
  var words: Int

  init(_ name: String, _ isolation: String, of owner: (any Any.Type)? = nil, words: Int = 1) {
    self.name = name
    self.isolation = isolation
    self.owner = owner
    self.words = words
  }

  var testDescription: String { name }

  func layout(hasCallerIsolation: Bool) -> CallLayout {
    let word = CallLayout.Value.direct(.integer(size: 8))
    return CallLayout(
      parameters: Array(repeating: word, count: words + (hasCallerIsolation ? 2 : 0)),
      result: .direct(.empty), selfForm: owner is AnyClass ? .selfRegister : .none)
  }
}

private let functions = [
  PlacedFunction("Till.none()", "receiver Till", of: Till.self, words: 0),
  PlacedFunction("Till.add(_:)", "receiver Till", of: Till.self),
  PlacedFunction("Till.ignoring(_:)", "receiver Till", of: Till.self),
  PlacedFunction("Till.waiting(_:)", "receiver Till", of: Till.self),
  PlacedFunction("Till.now(_:)", "receiver Till", of: Till.self),
  PlacedFunction("Till.apart(_:)", "none", of: Till.self),
  PlacedFunction("Till.beside(_:)", "caller", of: Till.self),
  PlacedFunction("Till.make(_:)", "none", of: Till.self),
  PlacedFunction("Till.shown(_:)", "global MainActor", of: Till.self),
  PlacedFunction("Desk.add(_:)", "receiver Desk", of: Desk.self),
  PlacedFunction("Desk.apart(_:)", "none", of: Desk.self),
  PlacedFunction("Screen.draw(_:)", "global MainActor", of: Screen.self),
  PlacedFunction("Screen.blank()", "global MainActor", of: Screen.self, words: 0),
  PlacedFunction("Screen.reset(_:)", "global MainActor", of: Screen.self),
  PlacedFunction("Screen.store(_:)", "global Archive", of: Screen.self),
  PlacedFunction("Screen.apart(_:)", "none", of: Screen.self),
  PlacedFunction("Crate.free(_:)", "none", of: Crate.self),
  PlacedFunction("Crate.near(_:)", "caller", of: Crate.self),
  PlacedFunction("Crate.nearChain(_:)", "caller", of: Crate.self),
  PlacedFunction("showMain(_:)", "global MainActor"),
  PlacedFunction("showMainWaiting(_:)", "global MainActor"),
  PlacedFunction("keepArchive(_:)", "global Archive"),
  PlacedFunction("keepArchiveWaiting(_:)", "global Archive"),
  PlacedFunction("keepArchiveNothing()", "global Archive", words: 0),
  PlacedFunction("enterHarbour(_:)", "global Harbour"),
  PlacedFunction("atQuay(_:)", "global Quay"),
  PlacedFunction("freeOne(_:)", "none"),
  PlacedFunction("freeNine(_:_:_:_:_:_:_:_:_:)", "none", words: 9),
  PlacedFunction("nearOne(_:)", "caller"),
  PlacedFunction("nearNine(_:_:_:_:_:_:_:_:_:)", "caller", words: 9),
  PlacedFunction("callTill(_:_:)", "none", words: 2),
  PlacedFunction("callDesk(_:_:)", "none", words: 2),
  PlacedFunction("onTill(_:_:)", "parameter 1", words: 2),
  PlacedFunction("onSome(_:_:)", "parameter 1", words: 3),
]

@Suite struct FunctionIsolationTests {
  // Never changed, and reading it is slow.
  private static let program = Result { try RunningProgram() }

  private func isolation(of function: PlacedFunction) throws -> FunctionIsolation {
    let program = try Self.program.get()
    let name = "InterceptionFixture.\(function.name)"
    let found = program.patchPoints.filter { $0.declaration.qualifiedName == name }
    try #require(found.count == 1)
    return FunctionIsolation(
      of: found[0], in: function.owner,
      layouts: (
        function.layout(hasCallerIsolation: false), function.layout(hasCallerIsolation: true)
      ), program: program)
  }

  private func text(_ isolation: FunctionIsolation) -> String {
    switch isolation {
    case .none: "none"
    case .caller: "caller"
    case .receiver(let type): "receiver \(type.map { "\($0)" } ?? "?")"
    case .globalActor(let type): "global \(type)"
    case .parameter(let index): "parameter \(index)"
    case .whereCalled: "where called"
    case .unknown: "unknown"
    }
  }

  @Test(arguments: functions)
  func `a function belongs to the actor that its source says`(_ function: PlacedFunction) throws {
    let isolation = try isolation(of: function)
    #expect(text(isolation) == function.isolation)
  }

  @Test func `a call on an actor runs on that actor's executor`() async throws {
    let till = Till()
    let desk = Desk()
    let tillCall = try isolation(of: PlacedFunction("Till.add(_:)", "", of: Till.self))
    let deskCall = try isolation(of: PlacedFunction("Desk.add(_:)", "", of: Desk.self))
    let onTill = try #require(tillCall.executor(receiver: till))
    let onDesk = try #require(deskCall.executor(receiver: desk))
    #expect(onTill.isCurrent == false)
    #expect(onDesk.isCurrent == false)
    #expect(await till.isOn(onTill))
    #expect(await desk.isOn(onDesk))
    #expect(await !till.isOn(onDesk))
    #expect(await !Till().isOn(onTill))
    #expect(FunctionIsolation.executor(ofActor: till) == onTill)
    #expect(FunctionIsolation.executor(ofActor: desk) == onDesk)
    #expect(FunctionIsolation.executor(ofActor: Crate()) == nil)
    #expect(tillCall.executor(receiver: nil) == nil)
  }

  @Test func `a call to a global actor's function runs on its executor`() async throws {
    let onMain = try #require(
      isolation(of: PlacedFunction("showMain(_:)", "")).executor(receiver: nil))
    let onArchive = try #require(
      isolation(of: PlacedFunction("keepArchive(_:)", "")).executor(receiver: nil))
    let onHarbour = try #require(
      isolation(of: PlacedFunction("enterHarbour(_:)", "")).executor(receiver: nil))
    #expect(onMain == .main)
    #expect(onMain.isCurrent == false)
    #expect(await isMain(on: onMain))
    #expect(await isArchive(on: onArchive))
    #expect(await isHarbour(on: onHarbour))
    #expect(await !isMain(on: onArchive))
    #expect(await !isArchive(on: onMain))
  }

  @Test func `the other functions' executor is no actor's, or the call tells`() throws {
    let free = try isolation(of: PlacedFunction("freeOne(_:)", ""))
    let caller = try isolation(of: PlacedFunction("nearOne(_:)", ""))
    let parameter = try isolation(of: PlacedFunction("onTill(_:_:)", "", words: 2))
    #expect(free.executor(receiver: nil) == .generic)
    #expect(caller.executor(receiver: nil) == nil)
    #expect(parameter.executor(receiver: nil) == nil)
  }

  @Test func `a type is an actor's if it conforms to Actor`() {
    #expect(FunctionIsolation.isActor(Till.self))
    #expect(FunctionIsolation.isActor(MainActor.self))
    #expect(!FunctionIsolation.isActor(Crate.self))
    #expect(!FunctionIsolation.isActor(Shelf.self))
  }
}

extension Till {
  fileprivate func isOn(_ executor: ExecutorReference) -> Bool { executor.isCurrent }
}

extension Desk {
  fileprivate func isOn(_ executor: ExecutorReference) -> Bool { executor.isCurrent }
}

@MainActor private func isMain(on executor: ExecutorReference) -> Bool { executor.isCurrent }
@Archive private func isArchive(on executor: ExecutorReference) -> Bool { executor.isCurrent }
@Harbour private func isHarbour(on executor: ExecutorReference) -> Bool { executor.isCurrent }
