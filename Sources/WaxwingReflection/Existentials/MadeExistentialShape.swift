// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations

/// The shape of `any P<X>` for a program that has no metadata of such a type.
///
///     { cached shape: relative pointer }
///     shape: { flags, name of the type: relative pointer }
///            { parameters, requirements, key arguments, 0: UInt16 }    of the type
///            { parameters, 0, parameters, 0: UInt16 }                  of what it is generalized over
///            { flags, subject, object: relative pointers } for each requirement
///
/// `TargetNonUniqueExtendedExistentialTypeShape`, include/swift/ABI/Metadata.h, Swift 6.3. `Self` is the parameter of
/// depth 1, the types that `any P<X>` is constrained to are those of depth 0.
struct MadeExistentialShape {
  /// `ExtendedExistentialTypeShapeFlags`: generalized, both lists of parameters implicit; the lowest for classes.
  private static let flags: UInt32 = 0x1900
  private static let requirementSize = 12
  private static let firstRequirement = 28
  /// The kinds of requirements, as in `GenericRequirementFlags`.
  private enum Kind: UInt32 {
    case sameType = 1
    case superclass = 2
    case layout = 31
    /// A conformance with a witness table.
    case conformance = 0x80
  }

  private let type: ConstrainedExistential
  private let protocols: [UInt]
  private let owners: [TypeNode?]
  private let indices: [Int]
  private let descriptor: (NominalType) -> UInt?
  private var bytes: [UInt8] = []
  private var requirement = Self.firstRequirement

  /// - Parameters:
  ///   - protocols: The descriptors of the type's protocols.
  ///   - owners: The protocol of each argument that is an associated type's.
  ///   - descriptor: Of a type that the runtime does not find by name.
  /// - Returns: The address of memory that is kept for good.
  static func make(
    _ type: ConstrainedExistential, protocols: [UInt], owners: [TypeNode?], isClassBound: Bool,
    descriptor: @escaping (NominalType) -> UInt?
  ) -> ExistentialShape {
    var made = MadeExistentialShape(type, protocols, owners, descriptor)
    made.write(isClassBound: isClassBound)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: made.bytes.count, alignment: 8)
    unsafe memory.copyBytes(from: made.bytes)
    let parameters = zip(type.arguments.map(\.place), made.indices)
    return ExistentialShape(
      made: UInt(bitPattern: memory.baseAddress), ExistentialShapeKey(type),
      Dictionary(parameters) { first, _ in first })
  }

  private init(
    _ type: ConstrainedExistential, _ protocols: [UInt], _ owners: [TypeNode?],
    _ descriptor: @escaping (NominalType) -> UInt?
  ) {
    self.type = type
    self.protocols = protocols
    self.owners = owners
    self.descriptor = descriptor
    indices = Self.indices(of: type)
  }

  /// The parameter of each argument: in the order of the parts that they belong to, as the compiler
  /// has them. The program does not tell the order within a protocol that has several.
  private static func indices(of type: ConstrainedExistential) -> [Int] {
    let parts = type.arguments.map { argument in
      if case .superclassArgument = argument.place { return -1 }
      return argument.owner.flatMap(type.base.protocols.firstIndex) ?? type.base.protocols.count
    }
    let order = parts.indices.sorted { (parts[$0], $0) < (parts[$1], $1) }
    return parts.indices.map { index in order.firstIndex(of: index) ?? index }
  }

  private mutating func write(isClassBound: Bool) {
    let base = type.base
    let members = type.arguments.count { if case .member = $0.place { true } else { false } }
    let hasLayout = base.superclass == nil && base.isClassBound
    let count = members + protocols.count + (base.superclass == nil ? 0 : 1) + (hasLayout ? 1 : 0)
    let parameters = UInt16(type.arguments.count)
    bytes = [UInt8](repeating: 0, count: Self.firstRequirement + count * Self.requirementSize)
    put(Self.flags | (isClassBound ? 1 : 0), at: 4)
    put(parameters + 1, at: 12)
    put(UInt16(count), at: 14)
    put(parameters + 1 + UInt16(protocols.count), at: 16)
    put(parameters, at: 20)
    put(parameters, at: 24)
    // Where the runtime keeps the shape that it has found to be the first of its kind.
    align()
    point(from: 0)
    bytes += [UInt8](repeating: 0, count: 8)
    point(from: 8)
    append(name: type.generalized(indices).inSymbols)
    for (position, index) in indices.enumerated() {
      guard case .member(let name) = type.arguments[position].place else { continue }
      let member = TypeNode.dependentMember(
        base: Self.selfNode, name: name, protocol: owners[position])
      require(.sameType, .genericParameter(depth: 0, index: index), member)
    }
    if hasLayout { require(.layout, Self.selfNode, nil) }
    if let superclass = superclass { require(.superclass, Self.selfNode, superclass) }
    for address in protocols {
      let field = require(.conformance, Self.selfNode, nil)
      align()
      // A relative pointer to a pointer: the lowest bit tells so.
      put(Int32(bytes.count - field + 1), at: field)
      unsafe withUnsafeBytes(of: address) { unsafe bytes += $0 }
    }
  }

  private static let selfNode = TypeNode.genericParameter(depth: 1, index: 0)

  /// The superclass with the parameters as its arguments.
  private var superclass: TypeNode? {
    guard case .constrainedExistential(.composition(let parts), _) = type.generalized(indices)
    else { return nil }
    return parts.superclass
  }

  /// - Returns: Where the reference to the object stands.
  @discardableResult
  private mutating func require(_ kind: Kind, _ subject: TypeNode, _ object: TypeNode?) -> Int {
    let start = requirement
    requirement += Self.requirementSize
    put(kind.rawValue, at: start)
    append(subject, from: start + 4)
    if let object { append(object, from: start + 8) }
    return start + 8
  }

  /// A name of a type that a relative pointer at `field` refers to.
  private mutating func append(_ type: TypeNode, from field: Int) {
    align()
    point(from: field)
    bytes += type.encoded(descriptor: descriptor).bytes
  }

  private mutating func append(name: String) { bytes += Array(name.utf8) + [0] }

  private mutating func align() { while bytes.count % 8 != 0 { bytes.append(0) } }

  private mutating func point(from field: Int) { put(Int32(bytes.count - field), at: field) }

  private mutating func put<Value: BitwiseCopyable>(_ value: Value, at position: Int) {
    unsafe withUnsafeBytes(of: value) { value in
      for index in value.indices { unsafe bytes[position + index] = value[index] }
    }
  }
}
