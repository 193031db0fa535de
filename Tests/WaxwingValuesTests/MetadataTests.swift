// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingValues

private protocol Shape {}
private protocol ObjectShape: AnyObject {}
private enum Failure: Error { case some }

/// The parser takes `any Any.Type` for no type in an expression.
private typealias AnyMetatype = any Any.Type

private struct Nothing {}

private struct Box<Content> {
  var before: UInt8 = 1
  var content: Content
  var after: Bool = true
}

private class Base: ObjectShape {
  var number: Int32 = 1
  let text = "base"
}

private final class Derived: Base {
  var more: (Int8, Double) = (1, 2)
  weak var friend: Base?
  unowned let owner: Base
  init(owner: Base) { self.owner = owner }
}

private indirect enum Tree: Equatable {
  case leaf
  case node(Tree, Int)
}

private enum Mixed {
  case empty
  case number(Int)
  case other
  case text(String)
  case pair(Int8, label: Double)
  indirect case boxed(Int)
}

/// A struct with a stored property of each kind.
private struct Exotic {
  var small: Int8 = -1
  var flag = true
  var wide = 1.5
  let text = "text"
  var nothing = Nothing()
  var pair: (Int8, x: Int32) = (1, 2)
  var list: [Int]? = [1]
  var failure: (any Error)? = Failure.some
  var shape: any Shape = Circle()
  var object: any ObjectShape = Base()
  var anything: Any = 5
  var call: () -> Int = { 1 }
  var type: any Any.Type = Int.self
  var thin: Int.Type = Int.self
  var box = Box(content: "content")
  var nested: Box<Box<Int16?>>? = Box(content: Box(content: 5))
  var tree = Tree.leaf
  var range = 1..<5
  var vector = SIMD4<Float>(1, 2, 3, 4)
  var wideNumber: Int128 = 7
  weak var friend: Base?
}

private struct Circle: Shape { var radius = 1.0 }

/// What is read of metadata, beside what the compiler and the standard library say of the same types.
@Suite struct MetadataTests {
  /// A stored property by its key path, which knows its type, and mostly its place.
  private func check<Root>(
    _ paths: [PartialKeyPath<Root>], of root: Root,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let fields = TypeMetadata.fields(of: Root.self)
    let labels = Mirror(reflecting: root).children.map(\.label)
    #expect(fields.map(\.name) == labels, sourceLocation: sourceLocation)
    try #require(fields.count == paths.count, sourceLocation: sourceLocation)
    for (field, path) in zip(fields, paths) {
      let name = field.shownName
      let isSame = field.type == Swift.type(of: path).valueType
      #expect(isSame, "\(name): \(field.type)", sourceLocation: sourceLocation)
      // Of what takes no room the place is of no account.
      guard let offset = MemoryLayout<Root>.offset(of: path),
        ValueWitnesses(of: field.type).size > 0
      else { continue }
      #expect(field.offset == offset, "\(name)", sourceLocation: sourceLocation)
      #expect(field.isStrong, "\(name)", sourceLocation: sourceLocation)
    }
  }

  @Test func `fields of structs are where the compiler puts them`() throws {
    try check(
      [
        \Exotic.small, \.flag, \.wide, \.text, \.nothing, \.pair, \.list, \.failure, \.shape,
        \.object,
        \.anything, \.call, \.type, \.thin, \.box, \.nested, \.tree, \.range, \.vector,
        \.wideNumber,
        \.friend,
      ], of: Exotic())
    try check([\Box<Int>.before, \.content, \.after], of: Box(content: 5))
    try check([\Box<Nothing>.before, \.content, \.after], of: Box(content: Nothing()))
    try check([\Box<Double?>.before, \.content, \.after], of: Box<Double?>(content: nil))
    try check([\Box<any Shape>.before, \.content, \.after], of: Box<any Shape>(content: Circle()))
    #expect(TypeMetadata.fields(of: Nothing.self).isEmpty)
    let fields = TypeMetadata.fields(of: Exotic.self)
    #expect(fields.filter { !$0.isVariable }.map(\.name) == ["text"])
    #expect(fields.filter { !$0.isStrong }.map(\.name) == ["friend"])
  }

  @Test func `fields of a class are where an object has them, inherited ones first`() throws {
    let base = Base()
    let object = Derived(owner: base)
    let fields = TypeMetadata.fields(of: Derived.self)
    #expect(fields.map(\.name) == ["number", "text", "more", "friend", "owner"])
    #expect(fields.map(\.isStrong) == [true, true, true, false, false])
    let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    let number = try #require(fields.first)
    #expect((address + number.offset).load(as: Int32.self) == 1)
    object.number = 77
    #expect((address + number.offset).load(as: Int32.self) == 77)
    let more = try #require(fields.first { $0.name == "more" })
    #expect((address + more.offset).load(as: (Int8, Double).self) == (1, 2))
    #expect(
      TypeMetadata.superclass(of: Derived.self).map(ObjectIdentifier.init) == .init(Base.self))
    #expect(TypeMetadata.superclass(of: Base.self) == nil)
    #expect(TypeMetadata.isClass(Derived.self, orInheritsFrom: Base.self))
    #expect(!TypeMetadata.isClass(Base.self, orInheritsFrom: Derived.self))
    withExtendedLifetime(object) {}
  }

  @Test func `elements of tuples are where the compiler puts them`() {
    let tuple: (Int8, label: Double, Nothing, String, last: (Bool, Int16)) =
      (-3, 2.5, Nothing(), "text", (true, 9))
    let elements = TypeMetadata.elements(of: type(of: tuple))
    #expect(elements.map(\.label) == [nil, "label", nil, nil, "last"])
    #expect(
      elements.map { ObjectIdentifier($0.type) }
        == [Int8.self, Double.self, Nothing.self, String.self, (Bool, Int16).self]
        .map(ObjectIdentifier.init))
    withUnsafeBytes(of: tuple) { bytes in
      let offsets = elements.map(\.offset)
      guard offsets.count == 5 else { return }
      #expect(bytes.load(fromByteOffset: offsets[0], as: Int8.self) == -3)
      #expect(bytes.load(fromByteOffset: offsets[1], as: Double.self) == 2.5)
      #expect(bytes.load(fromByteOffset: offsets[4], as: Bool.self))
      #expect(bytes.load(fromByteOffset: offsets[4] + 2, as: Int16.self) == 9)
    }
    #expect(
      TypeMetadata.elements(of: Int.self).isEmpty && TypeMetadata.elements(of: Void.self).isEmpty)
  }

  @Test func `cases of enums have the tags that their values have`() throws {
    let values: [(Mixed, String)] = [
      (.empty, "empty"), (.number(1), "number"), (.other, "other"), (.text("x"), "text"),
      (.pair(1, label: 2), "pair"), (.boxed(3), "boxed"),
    ]
    let cases = EnumCase.all(of: Mixed.self)
    #expect(Set(cases.compactMap(\.name)) == Set(values.map(\.1)))
    #expect(cases.filter(\.isIndirect).map(\.name) == ["boxed"])
    let payloads = Dictionary(cases.map { ($0.shownName, $0.payload) }) { $1 }
    #expect(payloads["number"] as? Int.Type != nil && payloads["text"] as? String.Type != nil)
    #expect(cases.filter { !$0.hasPayload }.compactMap(\.name).sorted() == ["empty", "other"])
    for (value, name) in values {
      let tag = withUnsafeBytes(of: value) { bytes in
        bytes.baseAddress.map { ValueWitnesses(of: Mixed.self).enumTag(of: $0) }
      }
      #expect(cases.first { $0.tag == tag }?.name == name)
    }
    #expect(EnumCase.all(of: Int.self).isEmpty && EnumCase.all(of: Never.self).isEmpty)
    #expect(EnumCase.all(of: Tree.self).map(\.name).count == 2)
    #expect(EnumCase.all(of: Int?.self).compactMap(\.name).sorted() == ["none", "some"])
  }

  @Test func `sizes and kinds of values are the compiler's`() {
    func check<Value>(_: Value.Type) {
      let witnesses = ValueWitnesses(of: Value.self)
      #expect(witnesses.size == MemoryLayout<Value>.size, "\(Value.self)")
      #expect(witnesses.isTrivial == _isPOD(Value.self), "\(Value.self)")
      #expect(witnesses.isBitwiseTakable == _isBitwiseTakable(Value.self), "\(Value.self)")
      let isInline =
        MemoryLayout<Value>.size <= 24 && MemoryLayout<Value>.alignment <= 8
        && _isBitwiseTakable(Value.self)
      #expect(witnesses.isInline == isInline, "\(Value.self)")
    }
    let types: [any Any.Type] = [
      Int.self, Int8.self, Bool.self, String.self, Nothing.self, Void.self, Exotic.self, Mixed.self,
      Tree.self, Base.self, Box<Int>.self, Box<String>.self, (Int, String).self, [Int].self,
      Any.self, (any Error).self, (any Shape).self, (any ObjectShape).self, AnyObject.self,
      Int?.self,
      Base?.self, SIMD4<Float>.self, Int128.self, Int.Type.self, AnyMetatype.self,
      ((Int) -> String).self, Never.self,
    ]
    for type in types { check(type) }
  }

  @Test func `kinds of types are told apart`() {
    let kinds: [(any Any.Type, TypeMetadata.Kind)] = [
      (Int.self, .struct), (Mixed.self, .enum), (Int?.self, .optional), (Base.self, .class),
      ((Int, Int).self, .tuple), (Void.self, .tuple), ((() -> Void).self, .function),
      (Any.self, .existential), ((any Shape).self, .existential), (AnyObject.self, .existential),
      (Int.Type.self, .metatype), (AnyMetatype.self, .existentialMetatype),
      ((any Sequence<Int>).self, .extendedExistential),
    ]
    for (type, kind) in kinds { #expect(TypeMetadata.kind(of: type) == kind, "\(type)") }
    let forms: [(any Any.Type, TypeMetadata.ExistentialForm?)] = [
      (Any.self, .opaque), ((any Shape).self, .opaque), ((any Hashable).self, .opaque),
      (AnyObject.self, .object), ((any ObjectShape).self, .object), ((any Error).self, .error),
      ((any Sequence<Int>).self, .opaque), (Int.self, nil), (Base.self, nil),
    ]
    for (type, form) in forms {
      #expect(TypeMetadata.existentialForm(of: type) == form, "\(type)")
    }
    #expect(
      TypeMetadata.instanceType(of: Base.Type.self).map(ObjectIdentifier.init) == .init(Base.self))
    #expect(TypeMetadata.isThinMetatype(Int.Type.self))
    #expect(!TypeMetadata.isThinMetatype(Base.Type.self))
  }

  @Test func `function types say what is passed, and how`() throws {
    let plain = try #require(FunctionMetadata(((Int, String) -> Bool).self))
    #expect(
      plain.parameters.map { ObjectIdentifier($0.type) }
        == [Int.self, String.self].map(ObjectIdentifier.init))
    #expect(plain.result is Bool.Type && !plain.isThrowing && !plain.isAsync)
    let full = try #require(FunctionMetadata(((inout Int) async throws(Failure) -> Void).self))
    #expect(full.isThrowing && full.isAsync && full.thrown is Failure.Type)
    #expect(full.parameters.map(\.ownership) == [.inout])
    let c = try #require(FunctionMetadata((@convention(c) (Int32) -> Int32).self))
    #expect(c.convention == .cFunction)
    #expect(FunctionMetadata(Int.self) == nil)
  }

  @Test func `names of types are those that their authors write`() {
    let names: [(any Any.Type, String)] = [
      (Int.self, "Int"), ([Int].self, "[Int]"), ([String: [Int?]].self, "[String: [Int?]]"),
      (Int??.self, "Int??"), (Any.self, "Any"),
      (((Int) throws -> String).self, "(Int) throws -> String"), (Void.self, "()"),
    ]
    for (type, name) in names { #expect(TypeName.short(type) == name) }
  }
}
