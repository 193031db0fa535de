// SPDX-License-Identifier: MIT

import Testing

@testable import WaxwingDeclarations
@testable import WaxwingReflection

/// From a function's symbol to its parameter's type at run time: the way that the bridge goes.
@Suite struct TypeByNameTests {
  private static let types: [(function: String, isHidden: Bool, type: Any.Type)] = [
    ("integer", false, Int.self),
    ("string", false, String.self),
    ("optional", false, Int?.self),
    ("nestedOptional", false, String??.self),
    ("array", false, [Int].self),
    ("dictionary", false, [String: [Int]].self),
    ("set", false, Set<String>.self),
    ("tuple", false, (Int, String).self),
    ("labelledTuple", false, (a: Int, b: String?).self),
    ("void", false, Void.self),
    ("any", false, Any.self),
    ("anyObject", false, AnyObject.self),
    ("error", false, (any Error).self),
    ("composition", false, (any Error & CustomStringConvertible).self),
    ("metatype", false, Int.Type.self),
    ("anyType", false, Any.Type.self),
    ("existentialMetatype", false, (any Error.Type).self),
    ("protocolMetatype", false, ((any Error).Type).self),
    ("closure", false, ((Int, String) -> Bool).self),
    ("voidClosure", false, (() -> Void).self),
    ("throwingClosure", false, ((Int) throws -> Void).self),
    ("typedThrowingClosure", true, ((Int) throws(HiddenEnum) -> Void).self),
    ("asyncClosure", false, (@Sendable (String) async throws -> Int).self),
    ("closureOfClosure", false, (((Int) -> Void) -> Void).self),
    ("inoutClosure", false, ((inout Int) -> Void).self),
    ("tupleClosure", false, (((Int, Int)) -> Int).self),
    ("mainActorClosure", false, (@MainActor () -> Void).self),
    ("cFunction", false, (@convention(c) (Int32) -> Int32).self),
    ("range", false, Range<Int>.self),
    ("pointer", false, UnsafeMutablePointer<Int8>?.self),
    ("vector", false, SIMD4<Float>.self),
    ("wideInteger", false, Int128.self),
    ("libraryNested", false, String.Index.self),
    ("libraryNestedInGeneric", false, Dictionary<String, Int>.Keys.self),
    ("task", false, Task<Int, Never>.self),
    ("asyncStream", false, AsyncStream<Int>.Continuation.self),
    ("privateStruct", true, Hidden.self),
    ("nestedInPrivate", true, Hidden.Inner.self),
    ("privateGeneric", true, HiddenBox<Hidden>.self),
    ("nestedInGeneric", true, HiddenBox<Int>.Inner.self),
    ("genericInGeneric", true, HiddenBox<Int>.Pair<String>.self),
    ("privateClass", true, HiddenClass.self),
    ("privateEnum", true, HiddenEnum?.self),
    ("privateProtocol", true, (any HiddenProtocol).self),
    ("classAndProtocol", true, (any HiddenClass & HiddenProtocol).self),
    ("extensionType", true, Int.InExtension.self),
    ("constrainedExtension", true, HiddenBox<Int>.OfInt.self),
    ("privateInArray", true, [Hidden].self),
    ("nonASCII", true, Größe.self),
    ("rawIdentifier", true, `raw name`.self),
    ("actor", true, HiddenActor.self),
    ("open", false, Open.self),
    ("openNested", false, Open.Box<Int>.Inner.self),
    ("openGeneric", false, Open.Box<String>.Pair<[Int]>.self),
    ("openProtocol", false, (any OpenProtocol & Sendable).self),
    ("openExtension", false, String.OpenExtension.self),
    ("openConstrained", false, Open.Box<Int>.OfInt.self),
    ("openClass", false, ((any OpenClass & OpenProtocol)?).self),
    ("openNonASCII", false, Öffnung.self),
    ("openRaw", false, `an open name`.self),
    ("openActor", false, OpenActor.self),
    ("openEnum", false, OpenEnum.self),
    ("inlineArray", false, InlineArray<3, Int>.self),
  ]

  private static let catalog: [String: FunctionDeclaration] = {
    guard let image = try? ElfImage(path: OwnImage.path),
      let catalog = try? PatchPointCatalog(image: image)
    else { return [:] }
    guard Probe.all.count == types.count else { return [:] }
    let probes = catalog.points.map(\.declaration).filter {
      $0.typeName?.hasSuffix(".Probe") == true
    }
    return Dictionary(probes.map { ($0.baseName, $0) }, uniquingKeysWith: { first, _ in first })
  }()

  private static let descriptors: [NominalType: UInt64] = {
    guard let image = try? ElfImage(path: OwnImage.path) else { return [:] }
    return (try? TypeDescriptorCatalog(image: image))?.descriptors ?? [:]
  }()

  /// Where the type's descriptor is in this process, if its name does not do.
  private static func descriptor(of type: NominalType) -> UInt? {
    guard type.isHidden, let offset = descriptors[type] else { return nil }
    return OwnImage.loadAddress + UInt(offset)
  }

  private static func parameterType(of function: String) throws -> TypeNode {
    let declaration = try #require(catalog[function], "\(function)")
    return try #require(declaration.parameters.first).type
  }

  @Test(arguments: types.filter { !$0.isHidden }.map(\.function))
  func `the runtime finds the parameter's type by our name`(function: String) throws {
    let type = try #require(Self.types.first { $0.function == function }).type
    let node = try Self.parameterType(of: function)
    let found: Any.Type? = _typeByName(node.mangled)
    try #require(found != nil, "\(node.mangled)")
    #expect(found == type, "\(node.mangled)")
  }

  @Test(arguments: types.map(\.function))
  func `the runtime finds private types by their descriptors`(function: String) throws {
    let type = try #require(Self.types.first { $0.function == function }).type
    let node = try Self.parameterType(of: function)
    let found = RuntimeTypes.type(of: node.encoded(descriptor: Self.descriptor))
    try #require(found != nil, "\(node.mangled)")
    #expect(found == type, "\(node.mangled)")
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
  dynamic static func open(_: Open) {}
  dynamic static func openNested(_: Open.Box<Int>.Inner) {}
  dynamic static func openGeneric(_: Open.Box<String>.Pair<[Int]>) {}
  dynamic static func openProtocol(_: any OpenProtocol & Sendable) {}
  dynamic static func openExtension(_: String.OpenExtension) {}
  dynamic static func openConstrained(_: Open.Box<Int>.OfInt) {}
  dynamic static func openClass(_: (any OpenClass & OpenProtocol)?) {}
  dynamic static func openNonASCII(_: Öffnung) {}
  dynamic static func openRaw(_: `an open name`) {}
  dynamic static func openActor(_: OpenActor) {}
  dynamic static func openEnum(_: OpenEnum) {}
  dynamic static func inlineArray(_: InlineArray<3, Int>) {}

  /// Uses every probe, or else the optimizer removes them.
  static var all: [Any] {
    [
      integer,
      string,
      optional,
      nestedOptional,
      array,
      dictionary,
      set,
      tuple,
      labelledTuple,
      void,
      any,
      anyObject,
      error,
      composition,
      metatype,
      anyType,
      existentialMetatype,
      protocolMetatype,
      closure,
      voidClosure,
      throwingClosure,
      typedThrowingClosure,
      asyncClosure,
      closureOfClosure,
      inoutClosure,
      tupleClosure,
      mainActorClosure,
      cFunction,
      range,
      pointer,
      vector,
      wideInteger,
      libraryNested,
      libraryNestedInGeneric,
      task,
      asyncStream,
      privateStruct,
      nestedInPrivate,
      privateGeneric,
      nestedInGeneric,
      genericInGeneric,
      privateClass,
      privateEnum,
      privateProtocol,
      classAndProtocol,
      extensionType,
      constrainedExtension,
      privateInArray,
      nonASCII,
      rawIdentifier,
      actor,
      open,
      openNested,
      openGeneric,
      openProtocol,
      openExtension,
      openConstrained,
      openClass,
      openNonASCII,
      openRaw,
      openActor,
      openEnum,
      inlineArray,
    ]
  }
}

struct Open {
  struct Box<T> {
    struct Inner {}
    struct Pair<U> {}
  }
}
extension Open.Box where T == Int {
  struct OfInt {}
}
protocol OpenProtocol {}
class OpenClass {}
actor OpenActor {}
enum OpenEnum { case one }
struct Öffnung {}
struct `an open name` {}
extension String {
  struct OpenExtension {}
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
