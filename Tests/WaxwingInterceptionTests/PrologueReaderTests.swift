// SPDX-License-Identifier: MIT

import ClobberProbe
import Expectations
import InterceptionFixture
import Testing
import WaxwingInterception

/// A method of the fixture, what it is given, and whether it takes its receiver by address.
struct MethodCase: CustomTestStringConvertible, Sendable {
  /// A part of the demangled symbol.
  var name: String
  var receiver: TypeShape
  var parameters: [CallLayout.Value] = []
  var trailingPointers = 0
  var isMutating: Bool?

  init(
    _ name: String, of receiver: TypeShape, _ parameters: CallLayout.Value..., trailing: Int = 0,
    isMutating: Bool?
  ) {
    self.name = name
    self.receiver = receiver
    self.parameters = parameters
    self.trailingPointers = trailing
    self.isMutating = isMutating
  }

  var testDescription: String { name }
}

private let word = TypeShape.integer(size: 8)
private let string = TypeShape.fields([word, .pointer])
private let int = CallLayout.Value.direct(word)
private let double = CallLayout.Value.direct(.double)
private let pointer = CallLayout.Value.direct(.pointer)
private let text = CallLayout.Value.direct(string)
private let colour = TypeShape(
  size: 16, alignment: 16,
  leaves: [.init(offset: 0, size: 16, kind: .vector(element: .floatingPoint, laneSize: 4))])

private let meter = TypeShape.fields([word])
private let reading = TypeShape.fields([word, .double])
private let gain = TypeShape.fields([.float])
private let flags = TypeShape.fields([.integer(size: 1), .integer(size: 4)])
private let route = TypeShape.fields([word, .double, word, .double])
private let label = TypeShape.fields([string])
private let serial = TypeShape.integer(size: 16)
private let stage = TypeShape.integer(size: 1)
private let payload = TypeShape.payload(size: 16, tagSize: 1, alignment: 8)
private let fiveWords = TypeShape.fields(Array(repeating: word, count: 5))

let methodCases = [
  MethodCase("Meter.read()", of: meter, isMutating: false),
  MethodCase("Meter.increment()", of: meter, isMutating: true),
  MethodCase("Meter.ignoringSelf()", of: meter, isMutating: false),
  MethodCase("Meter.ignoringAll(", of: meter, int, double, isMutating: false),
  MethodCase("Meter.mutatingIgnoringAll(", of: meter, int, double, text, isMutating: true),
  MethodCase("Meter.consumed(", of: meter, int, isMutating: false),
  MethodCase(
    "Meter.five(", of: meter, int, int, int, int, int, double, double, isMutating: false),
  MethodCase(
    "Meter.mutatingFive(", of: meter, int, int, int, int, int, double, double, isMutating: true),
  MethodCase("Meter.check(", of: meter, text, isMutating: false),
  MethodCase("Meter.mutatingCheck(", of: meter, text, isMutating: true),
  MethodCase("Meter.statement(", of: meter, int, isMutating: false),
  MethodCase("Meter.mutatingStatement(", of: meter, int, isMutating: true),
  MethodCase("Meter.same<A>(", of: meter, .indirect, trailing: 1, isMutating: false),
  MethodCase("Meter.mutatingSame<A>(", of: meter, .indirect, trailing: 1, isMutating: true),
  MethodCase("Meter.visit(", of: meter, pointer, pointer, .indirect, isMutating: false),
  MethodCase("Meter.mutatingVisit(", of: meter, pointer, pointer, .indirect, isMutating: true),
  MethodCase("Meter.half.getter", of: meter, isMutating: false),
  MethodCase("Meter.half.setter", of: meter, int, isMutating: true),
  MethodCase("Meter.subscript.getter", of: meter, int, isMutating: false),
  MethodCase("Meter.subscript.setter", of: meter, int, int, isMutating: true),
  MethodCase("Meter.later(", of: meter, int, isMutating: false),
  MethodCase("Meter.mutatingLater(", of: meter, int, isMutating: true),
  MethodCase("Meter.twin(", of: meter, int, isMutating: false),
  MethodCase("Meter.otherTwin(", of: meter, int, isMutating: false),
  MethodCase("Meter.mutatingTwin(", of: meter, int, isMutating: true),
  MethodCase("Meter.otherMutatingTwin(", of: meter, int, isMutating: true),
  MethodCase("Meter.longTwin(", of: meter, int, int, int, int, int, isMutating: false),
  MethodCase("Meter.otherLongTwin(", of: meter, int, int, int, int, int, isMutating: false),
  MethodCase("Meter.mutatingLongTwin(", of: meter, int, int, int, int, int, isMutating: true),
  MethodCase("Meter.otherMutatingLongTwin(", of: meter, int, int, int, int, int, isMutating: true),
  MethodCase("Reading.sum(", of: reading, int, double, isMutating: false),
  MethodCase("Reading.add(", of: reading, int, double, isMutating: true),
  MethodCase("Gain.scaled(", of: gain, int, isMutating: false),
  MethodCase("Gain.scale(", of: gain, .direct(.float), isMutating: true),
  MethodCase(
    "Gain.last(", of: gain, double, double, double, double, double, double, double,
    isMutating: false),
  MethodCase(
    "Gain.setLast(", of: gain, double, double, double, double, double, double, double,
    isMutating: true),
  MethodCase(
    "Flags.level(", of: flags, .direct(.integer(size: 1)), .direct(.integer(size: 1)),
    .direct(.float), isMutating: false),
  MethodCase(
    "Flags.set(", of: flags, .direct(.integer(size: 1)), .direct(.integer(size: 1)),
    .direct(.float), isMutating: true),
  MethodCase("Route.length(", of: route, int, double, isMutating: false),
  MethodCase("Route.extend(", of: route, int, double, isMutating: true),
  MethodCase("Colour.mixed(", of: colour, .direct(colour), isMutating: false),
  MethodCase("Colour.mix(", of: colour, .direct(colour), isMutating: true),
  MethodCase("Label.joined(", of: label, text, isMutating: false),
  MethodCase("Label.join(", of: label, text, isMutating: true),
  MethodCase("Serial.plus(", of: serial, int, isMutating: false),
  MethodCase("Serial.advance(", of: serial, int, isMutating: true),
  MethodCase("Stage.weight(", of: stage, int, isMutating: false),
  MethodCase("Stage.toggle(", of: stage, int, isMutating: true),
  MethodCase("Payload.total(", of: payload, int, isMutating: false),
  MethodCase("Payload.replace(", of: payload, int, isMutating: true),
]

/// Where both kinds of method keep the same registers.
let undecidedCases = [
  MethodCase("FiveWords.plus(", of: fiveWords, int, isMutating: nil),
  MethodCase("FiveWords.raise(", of: fiveWords, int, isMutating: nil),
  MethodCase("Nothing.echo(", of: .empty, int, isMutating: nil),
  MethodCase("Nothing.reset(", of: .empty, int, isMutating: nil),
  MethodCase("Meter.mutatingSix(", of: meter, int, int, int, int, int, int, isMutating: nil),
]

extension FixtureTests {
  @Suite struct PrologueReaderTests {
    private func decision(on method: MethodCase) throws -> Bool? {
      var entry: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
      var function: UnsafeMutableRawPointer?
      try #require(probe_patch_point("InterceptionFixture.\(method.name)", &entry, &function))
      func layout(_ selfForm: CallLayout.SelfForm) -> CallLayout {
        CallLayout(
          parameters: method.parameters, result: .direct(.empty), selfForm: selfForm,
          trailingPointers: method.trailingPointers)
      }
      return PrologueReader.isMutating(
        UnsafeRawPointer(try #require(function)), identity: UnsafeRawPointer(entry?.pointee),
        byValue: layout(.exploded(method.receiver)), byAddress: layout(.selfRegister))
    }

    @Test(arguments: methodCases)
    func `the code tells whether a method is mutating`(_ method: MethodCase) throws {
      try expectEqual(decision(on: method), method.isMutating)
    }

    @Test(arguments: undecidedCases)
    func `the code does not tell where both kinds look alike`(_ method: MethodCase) throws {
      #expect(try decision(on: method) == nil)
    }

    @Test func `a receiver on the stack is never taken for an address`() throws {
      let method = MethodCase(
        "Meter.six(", of: meter, int, int, int, int, int, int, isMutating: nil)
      #expect(try decision(on: method) != true)
    }

    @Test func `parameters that the code does not know leave it undecided`() throws {
      for wrong in [[], [double], [int, int, int]] {
        var method = MethodCase("Meter.twin(", of: meter, isMutating: nil)
        method.parameters = wrong
        #expect(try decision(on: method) == nil)
      }
    }

    @Test func `every argument register of a function is seen, and no other`() throws {
      for (name, registers) in [
        ("Account.ten", SavedArguments.Registers(vector: 0b1111_1111)),
        ("Account.nine", .init(integer: 0b11_1111)),
        ("Account.mixed", .init(integer: 0b11_1111, vector: 0b11)),
        ("Account.countdown", .init(integer: 0b1)),
        ("Account.double", .init(integer: 0b1)),
      ] {
        expectEqual(
          PrologueReader.savedArguments(of: try patchPoint(name).function)?.registers, registers)
      }
    }
  }
}
