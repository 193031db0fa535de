// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import WaxwingValues

/// Checks of the parts of types that `TypeMetadata`, `FunctionMetadata` and others read.
extension ABICheck {
  static let metadataCanaries: [Canary] = [
    Canary(view: "metadata kinds", kinds),
    Canary(view: "class metadata", classes),
    Canary(view: "generic arguments", genericArguments),
    Canary(view: "tuple metadata", tuples),
    Canary(view: "metatype metadata", metatypes),
    Canary(view: "existential metadata", existentials),
    Canary(view: "function metadata", functions),
  ]

  @Sendable private static func kinds(_ view: ABIView) throws(ABIMismatch) {
    let types: [(any Any.Type, TypeMetadata.Kind)] = [
      (ABISample.Base.self, .class), (ABISample.Mixed.self, .struct),
      (ABISample.Choice.self, .enum), (Int?.self, .optional),
      ((Int, Int).self, .tuple), ((() -> Void).self, .function), (Any.self, .existential),
      (Int.Type.self, .metatype), (Any.Type.self, .existentialMetatype),
    ]
    for (type, kind) in types {
      try view.expect(
        "the kind of a \(kind)", at: TypeMetadata.pointer(to: type), 0, is: kind.rawValue)
    }
  }

  @Sendable private static func classes(_ view: ABIView) throws(ABIMismatch) {
    let metadata = TypeMetadata.pointer(to: ABISample.Derived.self)
    try view.expect(
      "the superclass", at: metadata, 8, is: TypeMetadata.pointer(to: ABISample.Base.self))
    try view.expect("the instance size", at: metadata, 24, is: UInt32(56))
    try view.expect("the instance alignment mask", at: metadata, 28, is: UInt16(7))
    try descriptor(metadata, 40, kind: .class, view)
    try view.expect(
      "the superclass by the standard library",
      is: TypeMetadata.pointer(to: ABISample.Base.self),
      TypeMetadata.superclass(of: ABISample.Derived.self).map(TypeMetadata.pointer))
    let object = ABISample.Derived()
    try withExtendedLifetime(object) { () throws(ABIMismatch) in
      let base = Unmanaged.passUnretained(object).toOpaque()
      try view.expect(
        "casting an object to its superclass", is: UnsafeRawPointer(base),
        swift_dynamicCastClass(base, TypeMetadata.pointer(to: ABISample.Base.self)))
    }
  }

  /// The descriptor, and that its flags have this kind.
  private static func descriptor(
    _ metadata: UnsafeRawPointer, _ offset: Int, kind: ContextDescriptor.Kind, _ view: ABIView
  ) throws(ABIMismatch) {
    let descriptor = try view.pointer("the descriptor", metadata, offset)
    let flags: UInt32 = try view.load("the descriptor's flags", descriptor, 0)
    try view.expect("the kind in a descriptor's flags", is: kind.rawValue, flags & 0x1f)
  }

  @Sendable private static func genericArguments(_ view: ABIView) throws(ABIMismatch) {
    let int = TypeMetadata.pointer(to: Int.self)
    let pair = TypeMetadata.pointer(to: ABISample.Pair<UInt8, Int>.self)
    try descriptor(pair, 8, kind: .struct, view)
    try view.expect(
      "the first argument", at: pair, 16, is: TypeMetadata.pointer(to: UInt8.self))
    try view.expect("the second argument", at: pair, 24, is: int)
    let table = swift_conformsToProtocol(int, try protocolDescriptor(view))
    try view.expect("the witness table behind the arguments", at: pair, 32, is: table)

    let holder = TypeMetadata.pointer(to: ABISample.Holder<Int>.self)
    try descriptor(holder, 40, kind: .class, view)
    try descriptor(TypeMetadata.pointer(to: ABISample.Choice.self), 8, kind: .enum, view)
    guard let context = context(of: ABISample.Holder<Int>.self) else {
      throw ABIMismatch("a generic class has no generic context")
    }
    let arguments = UnsafeRawPointer(context.arguments(in: holder))
    try view.expect("a class's argument", at: arguments, 0, is: int)
  }

  static func context(of type: any Any.Type) -> GenericContext? {
    ContextDescriptor(TypeMetadata.descriptor(of: type)).flatMap(GenericContext.init)
  }

  /// `{ kind, flags: UInt32, protocols: UInt32, protocol … }`
  static func protocolDescriptor(_ view: ABIView) throws(ABIMismatch) -> UnsafeRawPointer {
    let metadata = TypeMetadata.pointer(to: (any ABISample.Numbered).self)
    try view.expect("the number of protocols", at: metadata, 12, is: UInt32(1))
    let descriptor = try view.pointer("the protocol", metadata, 16)
    let flags: UInt32 = try view.load("the protocol's flags", descriptor, 0)
    try view.expect(
      "the kind in a protocol's flags", is: ContextDescriptor.Kind.protocol.rawValue,
      flags & 0x1f)
    return descriptor
  }

  @Sendable private static func tuples(_ view: ABIView) throws(ABIMismatch) {
    let type = (UInt8, second: Int).self
    let metadata = TypeMetadata.pointer(to: type)
    try view.expect("the number of elements", at: metadata, 8, is: 2)
    _ = try view.pointer("the labels", metadata, 16)
    try view.expect(
      "the first element", at: metadata, 24, is: TypeMetadata.pointer(to: UInt8.self))
    try view.expect("its offset", at: metadata, 32, is: UInt32(0))
    try view.expect(
      "the second element", at: metadata, 40, is: TypeMetadata.pointer(to: Int.self))
    try view.expect("its offset", at: metadata, 48, is: UInt32(8))
    let labels = TypeMetadata.elements(of: type).map { $0.label ?? "-" }
    try view.expect(labels == ["-", "second"], "the labels are \(labels)")
  }

  @Sendable private static func metatypes(_ view: ABIView) throws(ABIMismatch) {
    let int = TypeMetadata.pointer(to: Int.self)
    try view.expect(
      "the type of a metatype", at: TypeMetadata.pointer(to: Int.Type.self), 8, is: int)
    try view.expect(
      "the type of an existential metatype", at: TypeMetadata.pointer(to: Any.Type.self), 8,
      is: TypeMetadata.pointer(to: Any.self))
  }

  @Sendable private static func existentials(_ view: ABIView) throws(ABIMismatch) {
    let flags: [(any Any.Type, UInt32)] = [
      (Any.self, 0x8000_0000), ((any ABISample.Numbered).self, 0x8000_0001), (AnyObject.self, 0),
      ((any ABISample.Bound).self, 1), ((any Error).self, 0x8100_0001),
    ]
    for (type, flags) in flags {
      try view.expect(
        "the flags of \(type)", at: TypeMetadata.pointer(to: type), 8, is: flags)
    }
  }

  @Sendable private static func functions(_ view: ABIView) throws(ABIMismatch) {
    typealias Plain = (Int, inout String) throws -> Bool
    let metadata = TypeMetadata.pointer(to: Plain.self)
    try view.expect("the flags", at: metadata, 8, is: 0x0700_0002)
    try view.expect("the result", at: metadata, 16, is: TypeMetadata.pointer(to: Bool.self))
    try view.expect("the first parameter", at: metadata, 24, is: TypeMetadata.pointer(to: Int.self))
    try view.expect(
      "the second parameter", at: metadata, 32, is: TypeMetadata.pointer(to: String.self))
    try view.expect("the first parameter's flags", at: metadata, 40, is: UInt32(0))
    try view.expect("the second parameter's flags", at: metadata, 44, is: UInt32(1))

    typealias Typed = @MainActor (Int) async throws(ABISample.Failure) -> Void
    let typed = TypeMetadata.pointer(to: Typed.self)
    try view.expect("the flags of a typed throw", at: typed, 8, is: 0xf500_0001)
    try view.expect("the extended flags", at: typed, 40, is: UInt32(1))
    try view.expect(
      "the thrown type", at: typed, 48, is: TypeMetadata.pointer(to: ABISample.Failure.self))
    let convention = FunctionMetadata((@convention(c) () -> Void).self)?.convention
    try view.expect(convention == .cFunction, "the convention of a C function is another")
  }
}
