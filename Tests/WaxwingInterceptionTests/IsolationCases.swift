// SPDX-License-Identifier: MIT

import Testing
import WaxwingInterception

/// An `async` function of the fixture, and to what its source says it is isolated.
struct IsolationCase: CustomTestStringConvertible, Sendable {
  enum Isolation: Hashable, Sendable {
    case nonisolated, caller, defaultActor, customActor
    /// The mangled symbol of `shared`, as far as all that sets or gets it begins with it.
    case globalActor(String)
    /// Where it is passed: the integer register, or as many as there are and the stack's word.
    case parameter(Int)
    case parameterWithExecutor(Int)
  }

  /// A part of the demangled symbol.
  var name: String
  var isolation: Isolation
  var parameters: [CallLayout.Value] = []
  var selfForm = CallLayout.SelfForm.none
  var trailingPointers = 0
  var isResultIndirect = false

  init(
    _ name: String, _ isolation: Isolation, _ parameters: CallLayout.Value...,
    of selfForm: CallLayout.SelfForm = .none, trailing: Int = 0, isResultIndirect: Bool = false
  ) {
    self.name = name
    self.isolation = isolation
    self.parameters = parameters
    self.selfForm = selfForm
    self.trailingPointers = trailing
    self.isResultIndirect = isResultIndirect
  }

  var testDescription: String { name }

  /// An `async` function's indirect result is its first ordinary argument.
  func layout(hasCallerIsolation: Bool) -> CallLayout {
    CallLayout(
      parameters: (hasCallerIsolation ? [pointer, pointer] : []) + parameters,
      result: .direct(.empty), selfForm: selfForm, trailingPointers: trailingPointers,
      indirectResults: isResultIndirect ? 1 : 0)
  }
}

private let word = TypeShape.integer(size: 8)
private let int = CallLayout.Value.direct(word)
private let double = CallLayout.Value.direct(.double)
private let pointer = CallLayout.Value.direct(.pointer)
private let text = CallLayout.Value.direct(.fields([word, .pointer]))
private let anyActor = CallLayout.Value.direct(.fields([.pointer, .pointer]))
private let shelf = CallLayout.SelfForm.exploded(.fields([word]))

private let mainActor = IsolationCase.Isolation.globalActor("$sScM6shared")
private let archive = IsolationCase.Isolation.globalActor("$s19InterceptionFixture7ArchiveC6shared")
private let harbour = IsolationCase.Isolation.globalActor("$s19InterceptionFixture7HarbourO6shared")
private let quay = IsolationCase.Isolation.globalActor("$s19InterceptionFixture4QuayC6shared")

let actorCases = [
  IsolationCase("Till.none(", .defaultActor, of: .selfRegister),
  IsolationCase("Till.add(", .defaultActor, int, of: .selfRegister),
  IsolationCase("Till.check(", .defaultActor, int, text, of: .selfRegister),
  IsolationCase(
    "Till.same<", .defaultActor, .indirect, of: .selfRegister, trailing: 1, isResultIndirect: true),
  IsolationCase("Till.large(", .defaultActor, int, of: .selfRegister, isResultIndirect: true),
  IsolationCase(
    "Till.nine(", .defaultActor, int, int, int, int, int, int, int, int, int, of: .selfRegister),
  IsolationCase("Till.later.getter", .defaultActor, of: .selfRegister),
  IsolationCase("Till.waiting(", .defaultActor, int, of: .selfRegister),
  IsolationCase("Till.apart(", .nonisolated, int, of: .selfRegister),
  IsolationCase("Till.beside(", .caller, int, of: .selfRegister),
  IsolationCase("Till.make(", .nonisolated, int, of: .selfRegister),
  IsolationCase("Till.shown(", mainActor, int, of: .selfRegister),
  IsolationCase("Desk.add(", .customActor, int, of: .selfRegister),
  IsolationCase("Desk.check(", .customActor, int, of: .selfRegister),
  IsolationCase("Desk.apart(", .nonisolated, int, of: .selfRegister),
]

let globalActorCases = [
  IsolationCase("Screen.draw(", mainActor, int, of: .selfRegister),
  IsolationCase("Screen.blank(", mainActor, of: .selfRegister),
  IsolationCase("Screen.drawOrThrow(", mainActor, int, of: .selfRegister),
  IsolationCase("Screen.reset(", mainActor, int, of: .selfRegister),
  IsolationCase("Screen.height.getter", mainActor, of: .selfRegister),
  IsolationCase("Screen.apart(", .nonisolated, int, of: .selfRegister),
  IsolationCase("Screen.store(", archive, int, of: .selfRegister),
  IsolationCase("Folder.read(", archive, int, of: shelf),
  IsolationCase("Folder.file(", archive, int, of: .selfRegister),
  IsolationCase("showMain(", mainActor, int),
  IsolationCase("showMainThrowing(", mainActor, int),
  IsolationCase("showMainNine(", mainActor, int, int, int, int, int, int, int, int, int),
  IsolationCase(
    "showMainSame<", mainActor, .indirect, trailing: 1, isResultIndirect: true),
  IsolationCase("showMainNothing(", mainActor),
  IsolationCase("showMainWaiting(", mainActor, int),
  IsolationCase("showMainAsking(", mainActor, int),
  IsolationCase("keepArchive(", archive, int),
  IsolationCase("keepArchiveWaiting(", archive, int),
  IsolationCase("keepArchiveNothing(", archive),
  IsolationCase("keepArchiveAsking(", archive, int),
  IsolationCase("enterHarbour(", harbour, int),
  IsolationCase("atQuay(", quay, int),
]

let freeCases = [
  IsolationCase("freeZero(", .nonisolated),
  IsolationCase("freeNothing(", .nonisolated),
  IsolationCase("freeOne(", .nonisolated, int),
  IsolationCase("freeThrowing(", .nonisolated, int),
  IsolationCase("freeWaiting(", .nonisolated, int),
  IsolationCase("freeFour(", .nonisolated, int, int, int, int),
  IsolationCase("freeFive(", .nonisolated, int, int, int, int, int),
  IsolationCase("freeSix(", .nonisolated, int, int, int, int, int, int),
  IsolationCase("freeSeven(", .nonisolated, int, int, int, int, int, int, int),
  IsolationCase("freeEight(", .nonisolated, int, int, int, int, int, int, int, int),
  IsolationCase("freeNine(", .nonisolated, int, int, int, int, int, int, int, int, int),
  IsolationCase("freeMixed(", .nonisolated, int, double, text),
  IsolationCase("freeSame<", .nonisolated, .indirect, trailing: 1, isResultIndirect: true),
  IsolationCase("freeLarge(", .nonisolated, int, isResultIndirect: true),
  IsolationCase("onTill(", .parameter(1), int, pointer),
  IsolationCase("onTillLast(", .parameter(7), int, int, int, int, int, int, int, pointer),
  IsolationCase("onDesk(", .parameterWithExecutor(1), int, pointer),
  IsolationCase("onAny(", .parameterWithExecutor(1), int, anyActor),
  IsolationCase("onSome(", .parameterWithExecutor(1), int, anyActor),
  IsolationCase("onGeneric<", .parameterWithExecutor(1), int, pointer, trailing: 2),
  IsolationCase("Shelf.free(", .nonisolated, int, of: shelf),
  IsolationCase("Shelf.near(", .caller, int, of: shelf),
  IsolationCase("Shelf.fixed(", .nonisolated, int),
  IsolationCase("Shelf.init(", .nonisolated, int),
  IsolationCase("Shelf.later.getter", .nonisolated, of: shelf),
  IsolationCase("Shelf.nearLater.getter", .caller, of: shelf),
  IsolationCase("Shelf.subscript.getter", .nonisolated, int, of: shelf),
  IsolationCase("Shelf.shown(", mainActor, int, of: shelf),
  IsolationCase("Crate.free(", .nonisolated, int, of: .selfRegister),
  IsolationCase("Crate.near(", .caller, int, of: .selfRegister),
  IsolationCase("Crate.nearChain(", .caller, int, of: .selfRegister),
]

let callerCases = [
  IsolationCase("nearZero(", .caller),
  IsolationCase("nearNothing(", .caller),
  IsolationCase("nearOne(", .caller, int),
  IsolationCase("nearThrowing(", .caller, int),
  IsolationCase("nearWaiting(", .caller, int),
  IsolationCase("nearFour(", .caller, int, int, int, int),
  IsolationCase("nearFive(", .caller, int, int, int, int, int),
  IsolationCase("nearSix(", .caller, int, int, int, int, int, int),
  IsolationCase("nearSeven(", .caller, int, int, int, int, int, int, int),
  IsolationCase("nearEight(", .caller, int, int, int, int, int, int, int, int),
  IsolationCase("nearNine(", .caller, int, int, int, int, int, int, int, int, int),
  IsolationCase("nearMixed(", .caller, int, double, text),
  IsolationCase("nearSame<", .caller, .indirect, trailing: 1, isResultIndirect: true),
  IsolationCase("nearLarge(", .caller, int, isResultIndirect: true),
]

let isolationCases = actorCases + globalActorCases + freeCases + callerCases
