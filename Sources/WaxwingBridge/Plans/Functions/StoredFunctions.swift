// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingDeclarations
internal import WaxwingReflection
internal import WaxwingValues

/// How function values are called that stand in values of generic types: as the declaration of the
/// stored property, or of the enum's case, writes their type.
enum StoredFunctions {
  // Every one describes this process: any will do.
  private static let program = Mutex<RunningProgram?>(nil)

  /// Where types' declarations are found from now on.
  static func look(in program: RunningProgram) {
    Self.program.withLock { $0 = $0 ?? program }
  }

  /// The abstraction of a stored property.
  static func abstraction(
    of field: TypeMetadata.Field
  ) throws(UnsupportedType) -> Abstraction {
    guard Abstraction.matters(to: field.type) else { return .natural }
    let owner = declaringType(of: field)
    return try abstraction(field.type, record(of: field, in: owner), in: owner) { $0 }
  }

  /// The abstraction of a part of an enum's payload.
  static func abstraction(
    of element: EnumForm.Element, of enumCase: EnumCase, in type: any Any.Type
  ) throws(UnsupportedType) -> Abstraction {
    guard Abstraction.matters(to: element.type) else { return .natural }
    let records = FieldRecords.of(type)
    let index = Int(enumCase.tag)
    let record = records.indices.contains(index) ? records[index] : nil
    return try abstraction(element.type, record, in: type) { payload in
      guard case .tuple(let parts) = payload else { return payload }
      return parts.indices.contains(element.index) ? parts[element.index].type : payload
    }
  }

  private static func abstraction(
    _ type: any Any.Type, _ record: FieldRecords.Record?, in owner: any Any.Type,
    _ part: (TypeNode) -> TypeNode
  ) throws(UnsupportedType) -> Abstraction {
    guard let descriptor = ContextDescriptor(TypeMetadata.descriptor(of: owner)),
      descriptor.isGeneric
    else { return .natural }
    guard let program = program.withLock(\.self), let context = GenericContext(descriptor),
      let node = record?.type.flatMap({ MetadataName($0.start).type })
    else {
      throw UnsupportedType(
        type,
        because: "how a closure is called that is stored in \(TypeName.short(owner)) cannot be told"
      )
    }
    return try GenericLowering(FunctionGenerics(context, in: program), nil, in: program)
      .abstraction(part(node), type)
  }

  private static func record(
    of field: TypeMetadata.Field, in owner: any Any.Type
  ) -> FieldRecords.Record? {
    let inherited =
      TypeMetadata.superclass(of: owner).map { TypeMetadata.fields(of: $0).count } ?? 0
    let own = TypeMetadata.fields(of: owner).dropFirst(inherited)
    let records = FieldRecords.of(owner)
    return zip(own, records).first { $0.0.isSame(as: field) }?.1
  }

  /// The class among a class and its superclasses that declares the property.
  private static func declaringType(of field: TypeMetadata.Field) -> any Any.Type {
    var owner = field.owner
    while let parent = TypeMetadata.superclass(of: owner),
      TypeMetadata.fields(of: parent).contains(where: { $0.isSame(as: field) })
    {
      owner = parent
    }
    return owner
  }
}

extension TypeMetadata.Field {
  /// Whether both are the same property, seen in a class and in one that inherits from it.
  fileprivate func isSame(as other: TypeMetadata.Field) -> Bool {
    name == other.name && offset == other.offset && type == other.type
  }
}
