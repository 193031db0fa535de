// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingReflection

/// From a function's symbol to its parameter's type at run time: the way that the bridge goes.
@Suite struct TypeByNameTests {
  private static let types: [(function: String, type: Any.Type)] = [
    ("integer", Int.self),
    ("string", String.self),
    ("optional", Int?.self),
    ("nestedOptional", String??.self),
    ("array", [Int].self),
    ("dictionary", [String: [Int]].self),
    ("set", Set<String>.self),
    ("tuple", (Int, String).self),
    ("labelledTuple", (a: Int, b: String?).self),
    ("void", Void.self),
    ("any", Any.self),
    ("anyObject", AnyObject.self),
    ("error", (any Error).self),
    ("composition", (any Error & CustomStringConvertible).self),
    ("metatype", Int.Type.self),
    ("anyType", Any.Type.self),
    ("existentialMetatype", (any Error.Type).self),
    ("protocolMetatype", ((any Error).Type).self),
    ("closure", ((Int, String) -> Bool).self),
    ("voidClosure", (() -> Void).self),
    ("throwingClosure", ((Int) throws -> Void).self),
    ("typedThrowingClosure", ((Int) throws(HiddenEnum) -> Void).self),
    ("asyncClosure", (@Sendable (String) async throws -> Int).self),
    ("closureOfClosure", (((Int) -> Void) -> Void).self),
    ("inoutClosure", ((inout Int) -> Void).self),
    ("tupleClosure", (((Int, Int)) -> Int).self),
    ("mainActorClosure", (@MainActor () -> Void).self),
    ("cFunction", (@convention(c) (Int32) -> Int32).self),
    ("range", Range<Int>.self),
    ("pointer", UnsafeMutablePointer<Int8>?.self),
    ("vector", SIMD4<Float>.self),
    ("wideInteger", Int128.self),
    ("libraryNested", String.Index.self),
    ("libraryNestedInGeneric", Dictionary<String, Int>.Keys.self),
    ("task", Task<Int, Never>.self),
    ("asyncStream", AsyncStream<Int>.Continuation.self),
    ("privateStruct", Hidden.self),
    ("nestedInPrivate", Hidden.Inner.self),
    ("privateGeneric", HiddenBox<Hidden>.self),
    ("nestedInGeneric", HiddenBox<Int>.Inner.self),
    ("genericInGeneric", HiddenBox<Int>.Pair<String>.self),
    ("privateClass", HiddenClass.self),
    ("privateEnum", HiddenEnum?.self),
    ("privateProtocol", (any HiddenProtocol).self),
    ("classAndProtocol", (any HiddenClass & HiddenProtocol).self),
    ("extensionType", Int.InExtension.self),
    ("constrainedExtension", HiddenBox<Int>.OfInt.self),
    ("privateInArray", [Hidden].self),
    ("nonASCII", Größe.self),
    ("rawIdentifier", `raw name`.self),
    ("actor", HiddenActor.self),
    ("constrainedExistential", (any Collection<Int>).self),
    ("inlineArray", InlineArray<3, Int>.self),
  ]

  private static let symbols: [String: String] = {
    guard let image = try? ElfImage(path: OwnImage.path),
      let catalog = try? PatchPointCatalog(image: image)
    else { return [:] }
    let probes = catalog.points.filter { $0.declaration.typeName?.hasSuffix(".Probe") == true }
    return Dictionary(
      probes.map { ($0.declaration.baseName, $0.symbol) }, uniquingKeysWith: { first, _ in first })
  }()

  @Test(arguments: types.indices)
  func `the runtime finds the parameter's type by our name`(index: Int) throws {
    let (function, type) = Self.types[index]
    let symbol = try #require(Self.symbols[function], "\(function)")
    let declaration = try #require(FunctionDeclaration(symbol: symbol))
    let node = try #require(declaration.parameters.first).type
    let found: Any.Type? = _typeByName(node.mangled)
    try #require(found != nil, "\(function): \(node.mangled)")
    #expect(found == type, "\(function): \(node.mangled)")
  }

  @Test func `types with generic parameters are no types by themselves`() throws {
    let mapping = try #require(FunctionDeclaration(symbol: "$s4Bank3BoxV3mapyACyqd__Gqd__xKXEKlF"))
    #expect(mapping.result.isDependent)
    #expect(_typeByName(mapping.result.mangled) == nil)
  }
}

/// Functions that exist for their symbols.
private enum Probe {
  dynamic static func integer(_: Int) {}
  dynamic static func string(_: String) {}
  dynamic static func optional(_: Int?) {}
  dynamic static func nestedOptional(_: String??) {}
  dynamic static func array(_: [Int]) {}
  dynamic static func dictionary(_: [String: [Int]]) {}
  dynamic static func set(_: Set<String>) {}
  dynamic static func tuple(_: (Int, String)) {}
  dynamic static func labelledTuple(_: (a: Int, b: String?)) {}
  dynamic static func void(_: Void) {}
  dynamic static func any(_: Any) {}
  dynamic static func anyObject(_: AnyObject) {}
  dynamic static func error(_: any Error) {}
  dynamic static func composition(_: any Error & CustomStringConvertible) {}
  dynamic static func metatype(_: Int.Type) {}
  dynamic static func anyType(_: Any.Type) {}
  dynamic static func existentialMetatype(_: any Error.Type) {}
  dynamic static func protocolMetatype(_: (any Error).Type) {}
  dynamic static func closure(_: @escaping (Int, String) -> Bool) {}
  dynamic static func voidClosure(_: @escaping () -> Void) {}
  dynamic static func throwingClosure(_: @escaping (Int) throws -> Void) {}
  dynamic static func typedThrowingClosure(_: @escaping (Int) throws(HiddenEnum) -> Void) {}
  dynamic static func asyncClosure(_: @escaping @Sendable (String) async throws -> Int) {}
  dynamic static func closureOfClosure(_: @escaping ((Int) -> Void) -> Void) {}
  dynamic static func inoutClosure(_: @escaping (inout Int) -> Void) {}
  dynamic static func tupleClosure(_: @escaping ((Int, Int)) -> Int) {}
  dynamic static func mainActorClosure(_: @escaping @MainActor () -> Void) {}
  dynamic static func cFunction(_: @convention(c) (Int32) -> Int32) {}
  dynamic static func range(_: Range<Int>) {}
  dynamic static func pointer(_: UnsafeMutablePointer<Int8>?) {}
  dynamic static func vector(_: SIMD4<Float>) {}
  dynamic static func wideInteger(_: Int128) {}
  dynamic static func libraryNested(_: String.Index) {}
  dynamic static func libraryNestedInGeneric(_: Dictionary<String, Int>.Keys) {}
  dynamic static func task(_: Task<Int, Never>) {}
  dynamic static func asyncStream(_: AsyncStream<Int>.Continuation) {}
  dynamic static func privateStruct(_: Hidden) {}
  dynamic static func nestedInPrivate(_: Hidden.Inner) {}
  dynamic static func privateGeneric(_: HiddenBox<Hidden>) {}
  dynamic static func nestedInGeneric(_: HiddenBox<Int>.Inner) {}
  dynamic static func genericInGeneric(_: HiddenBox<Int>.Pair<String>) {}
  dynamic static func privateClass(_: HiddenClass) {}
  dynamic static func privateEnum(_: HiddenEnum?) {}
  dynamic static func privateProtocol(_: any HiddenProtocol) {}
  dynamic static func classAndProtocol(_: any HiddenClass & HiddenProtocol) {}
  dynamic static func extensionType(_: Int.InExtension) {}
  dynamic static func constrainedExtension(_: HiddenBox<Int>.OfInt) {}
  dynamic static func privateInArray(_: [Hidden]) {}
  dynamic static func nonASCII(_: Größe) {}
  dynamic static func rawIdentifier(_: `raw name`) {}
  dynamic static func actor(_: HiddenActor) {}
  dynamic static func constrainedExistential(_: any Collection<Int>) {}
  dynamic static func inlineArray(_: InlineArray<3, Int>) {}
}

private struct Hidden {
  struct Inner {}
}
private struct HiddenBox<T> {
  struct Inner {}
  struct Pair<U> {}
}
extension HiddenBox where T == Int {
  fileprivate struct OfInt {}
}
private class HiddenClass {}
private enum HiddenEnum: Error { case one }
private protocol HiddenProtocol {}
private actor HiddenActor {}
extension Int {
  fileprivate struct InExtension {}
}
private struct Größe {}
private struct `raw name` {}
