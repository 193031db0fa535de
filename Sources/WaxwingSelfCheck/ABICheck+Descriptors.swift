// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

/// Checks of descriptors, and of names in them.
extension ABICheck {
  static let descriptorCanaries: [Canary] = [
    Canary(view: "type descriptors", typeDescriptors),
    Canary(view: "generic contexts", genericContexts),
    Canary(view: "protocol descriptors", protocols),
    Canary(view: "field descriptors", fieldDescriptors),
    Canary(view: "mirror interface", mirrors),
    Canary(view: "type names", typeNames),
  ]

  private static func address(of type: any Any.Type) throws(ABIMismatch) -> UnsafeRawPointer {
    guard
      let address = TypeMetadata.descriptor(of: type).flatMap(UnsafeRawPointer.init(bitPattern:))
    else { throw ABIMismatch("\(type) has no descriptor") }
    return address
  }

  /// Checks that a type descriptor has the parent after the flags, and the name after the parent.
  @Sendable private static func typeDescriptors(_ view: ABIView) throws(ABIMismatch) {
    let mixed = try address(of: ABISample.Mixed.self)
    try view.expect(
      "the parent", is: try address(of: ABISample.self),
      try view.relative("the parent", mixed, 4))
    _ = try view.relative("the name", mixed, 8)
    let descriptor = ContextDescriptor(mixed)
    try view.expect(descriptor.name == "Mixed", "the name is `\(descriptor.name)`")
    try view.expect(
      descriptor.module == "WaxwingSelfCheck", "the module is `\(descriptor.module)`")
    try view.expect(!descriptor.isGeneric, "a struct is generic that is not")
    try view.expect(
      !CopyableEscapableCheck<Void>.holds(ABISample.Unique.type),
      "a ~Copyable type passes for another")
  }

  @Sendable private static func genericContexts(_ view: ABIView) throws(ABIMismatch) {
    let address = try address(of: ABISample.Pair<UInt8, Int>.self)
    try view.expect("the number of parameters", at: address, 36, is: UInt16(2))
    try view.expect("the number of requirements", at: address, 38, is: UInt16(1))
    try view.expect("the first parameter's kind", at: address, 44, is: UInt8(0x80))
    let requirement = try view.relative("the requirement's subject", address, 52)
    try view.expect("the requirement's subject", at: requirement, 0, is: UInt8(ascii: "q"))
    guard let context = GenericContext(ContextDescriptor(address)) else {
      throw ABIMismatch("a generic struct's context is not understood")
    }
    guard case .conformance(.genericParameter(0, 1), let bound)? = context.requirements.first else {
      throw ABIMismatch("a generic struct's requirement is another")
    }
    try view.expect(bound.name == "Numbered", "the protocol required is `\(bound.name)`")
    guard let list = self.context(of: ABISample.Holder<Int>.self) else {
      throw ABIMismatch("a generic class's context is not understood")
    }
    try view.expect("the number of a class's parameters", is: 1, list.isKey.count)
  }

  @Sendable private static func protocols(_ view: ABIView) throws(ABIMismatch) {
    let numbered = ProtocolDescriptor(try protocolDescriptor(view))
    _ = try view.relative("the name", numbered.context.address, 8)
    try view.expect(numbered.name == "Numbered", "the name is `\(numbered.name)`")
    try view.expect(!numbered.isClassBound, "a protocol is bound to classes that is not")
    let table = numbered.conformance(of: Int.self)
    try view.expect(table != nil, "the conformance of a type is not found")
    try view.expect(
      numbered.conformance(of: String.self) == nil, "a type conforms that does not")

    let metadata = TypeMetadata.pointer(to: (any ABISample.Ordered).self)
    let ordered = ProtocolDescriptor(try view.pointer("the protocol", metadata, 16))
    try view.expect(
      "the number of requirements in the signature", at: ordered.context.address, 12, is: UInt32(2))
    let names = ordered.inherited.map(\.name)
    try view.expect(names == ["Counted", "Numbered"], "a protocol inherits \(names)")
    try view.expect(
      ordered.declaring(associatedType: "Count")?.name == "Counted",
      "an associated type is not found")
    let bound = TypeMetadata.pointer(to: (any ABISample.Bound).self)
    let classBound = ProtocolDescriptor(try view.pointer("the protocol", bound, 16))
    try view.expect(classBound.isClassBound, "a protocol is not bound to classes that is")
  }

  @Sendable private static func fieldDescriptors(_ view: ABIView) throws(ABIMismatch) {
    let fields = try view.relative(
      "the field descriptor", try address(of: ABISample.Mixed.self), 16)
    try view.expect("the size of a record", at: fields, 10, is: UInt16(12))
    try view.expect("the number of records", at: fields, 12, is: UInt32(3))
    let name = try view.relative("the first record's name", fields, 24)
    try view.expect("the first record's name", at: name, 0, is: UInt8(ascii: "n"))
    let records = FieldRecords.of(ABISample.Mixed.self)
    let types = records.map { $0.type?.resolved(in: ABISample.Mixed.self) }
    try view.expect(
      types.elementsEqual([Int.self, ABISample.Base?.self, Int16.self]) { $0 == $1 },
      "the fields' types are others")
    let suffixes = FieldRecords.of(ABISample.Derived.self).map { $0.type?.suffix ?? "" }
    try view.expect(
      suffixes.count == 4 && suffixes[1] == "Xw" && suffixes[2] == "Xo",
      "weak and unowned fields are marked with \(suffixes)")
    try view.expect(
      FieldRecords.of(ABISample.Tree.self).map(\.isIndirect) == [true, false],
      "the records of an indirect case and another are others")
  }

  @Sendable private static func mirrors(_ view: ABIView) throws(ABIMismatch) {
    let fields = TypeMetadata.fields(of: ABISample.Derived.self)
    let names = fields.map(\.shownName)
    try view.expect(
      names == ["number", "byte", "weakling", "unowned", "owner"], "the fields are \(names)")
    for (field, offset) in zip(fields, [16, 24, 32, 40, 48]) {
      try view.expect("the offset of a field", is: offset, field.offset)
    }
    let storage = fields.map(\.storage)
    try view.expect(
      storage == [.strong, .strong, .weak, .unowned, .strong], "the fields hold \(storage)")
    try view.expect(fields[1].type == UInt8.self, "the type of a field is \(fields[1].type)")
    try view.expect(
      fields.map(\.isVariable) == [true, true, true, true, false], "`let` passes for `var`")
  }

  @Sendable private static func typeNames(_ view: ABIView) throws(ABIMismatch) {
    let name = _mangledTypeName(ABISample.Pair<UInt8, Int>.self) ?? ""
    let nominal = TypeNode(mangled: name)?.nominal
    try view.expect(
      nominal?.qualifiedName == "WaxwingSelfCheck.ABISample.Pair", "a type is named `\(name)`")
    let builtin = _typeName(Int.self, qualified: true)
    try view.expect(builtin == "Swift.Int", "Int is named `\(builtin)`")
    // `(T, T)`, of a function that has one parameter: no type has to be searched for by name.
    let made = withUnsafePointer(to: TypeMetadata.pointer(to: Int.self)) { arguments in
      parameterName.withUnsafeBufferPointer { name in
        _getTypeByMangledNameInContext(
          name.baseAddress.unsafelyUnwrapped, UInt(name.count),
          genericContext: MadeUpContext.descriptor([1]),
          genericArguments: UnsafeRawPointer(arguments))
      }
    }
    try view.expect(made == (Int, Int).self, "the type by a name with a parameter is another")
  }

  /// A constant: the runtime may hold on to the bytes.
  private static let parameterName = Array("x_xt".utf8)
}
