// SPDX-License-Identifier: MIT

internal import Synchronization
package import WaxwingDeclarations

extension RunningProgram {
  /// The runtime's metadata of `any P<X>`; nil: one of its parts is not in this process, or it is of a kind that is not
  /// understood.
  /// - Parameter resolve: The metadata of a type that it is constrained to.
  package func constrainedExistential(
    _ node: TypeNode, _ resolve: (TypeNode) -> (any Any.Type)?
  ) -> (any Any.Type)? {
    guard let type = ConstrainedExistential(node) else { return nil }
    var arguments: [ConstrainedExistential.Place: any Any.Type] = [:]
    for argument in type.arguments {
      guard let known = resolve(argument.type) else { return nil }
      arguments[argument.place] = known
    }
    return shape(of: type)?.type(arguments)
  }

  private func shape(of type: ConstrainedExistential) -> ExistentialShape? {
    let key = ExistentialShapeKey(type)
    let count = RegisteredImages.count
    if let known = cache.withLock({ $0.shape(key, count) }) { return known }
    if cache.withLock({ $0.existentialShapes?.imageCount }) != count {
      let all = ExistentialShapes.all()
      cache.withLock { $0.existentialShapes = .init(imageCount: count, value: all) }
    }
    if let found = cache.withLock({ $0.shape(key, count) }) { return found }
    guard let made = makeShape(of: type) else { return nil }
    return cache.withLock { cache in
      if let known = cache.madeShapes[key] { return known }
      cache.madeShapes[key] = made
      return made
    }
  }

  private func makeShape(of type: ConstrainedExistential) -> ExistentialShape? {
    var protocols: [UInt] = []
    var isClassBound = type.base.isClassBound || type.base.superclass != nil
    for part in type.base.protocols {
      guard let address = protocolDescriptor(part) else { return nil }
      protocols.append(address)
      if ProtocolRecord(address)?.isClassBound == true { isClassBound = true }
    }
    let descriptors = own.descriptors
    var owners: [TypeNode?] = []
    for argument in type.arguments {
      guard case .member(let name) = argument.place else {
        owners.append(nil)
        continue
      }
      let found = protocols.lazy.compactMap { ProtocolRecord($0)?.declaring(name) }.first
      guard let found else { return nil }
      owners.append(.nominal(NominalType(descriptor: found, kind: .protocol)))
    }
    return MadeExistentialShape.make(
      type, protocols: protocols, owners: owners, isClassBound: isClassBound
    ) { nominal in
      if let address = nominal.descriptorAddress { return address }
      guard nominal.isHidden else { return nil }
      return nominal.kind == .protocol
        ? self.protocolDescriptor(.nominal(nominal)) : descriptors[nominal.unbound]
    }
  }

  /// The address of the descriptor of a protocol; nil: it is not in this process.
  package func protocolDescriptor(_ node: TypeNode) -> UInt? {
    guard let nominal = node.nominal, nominal.kind == .protocol else { return nil }
    if let address = nominal.descriptorAddress { return address }
    // The metadata of `any P` has the descriptor behind its kind, flags and number of protocols.
    if let type = runtimeType(.existential(of: node)) {
      let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
      if unsafe metadata.load(as: Int.self) == Self.existentialKind,
        unsafe metadata.load(fromByteOffset: 12, as: UInt32.self) == 1
      {
        return unsafe metadata.load(fromByteOffset: 16, as: UInt.self)
      }
    }
    return address(ofSymbol: "$s\(node.inSymbols.dropLast())Mp")
  }

  private static let existentialKind = 0x303
}

/// The parts of a protocol's descriptor that the shape of a type contains.
///
///     { flags: UInt32, parent, name, requirements in signature, requirements: UInt32,
///       associated type names: relative pointer, requirements in signature … }
///     requirement: { flags: UInt32, subject, protocol: relative pointers }
///
/// `TargetProtocolDescriptor`, include/swift/ABI/Metadata.h, Swift 6.3.
/// Safe: who makes one vouches for the address, and descriptors stay.
@safe
private struct ProtocolRecord {
  private let start: UnsafeRawPointer

  init?(_ address: UInt) {
    guard let start = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    unsafe self.start = unsafe start
  }

  /// Whether only classes conform. The lowest flag of the kind's own says that any type may
  /// (`ProtocolContextDescriptorFlags`).
  var isClassBound: Bool { unsafe (start.load(as: UInt32.self) >> 16) & 1 == 0 }

  /// The address of the protocol that declares the associated type first: one that this inherits from, before this.
  func declaring(_ name: String) -> UInt? {
    for address in inherited {
      if let found = ProtocolRecord(address)?.declaring(name) { return found }
    }
    return unsafe names.contains(Substring(name)) ? UInt(bitPattern: start) : nil
  }

  private var names: [Substring] {
    guard let names = unsafe relative(at: 20) else { return [] }
    return unsafe String(cString: names.assumingMemoryBound(to: CChar.self)).split(separator: " ")
  }

  private var inherited: [UInt] {
    let count = unsafe Int(start.load(fromByteOffset: 12, as: UInt32.self))
    return (0..<count).compactMap { index in
      let offset = 24 + 12 * index
      // The kind of a conformance is 0, and `Self` is `x`.
      guard unsafe start.load(fromByteOffset: offset, as: UInt32.self) & 0x1f == 0,
        let subject = unsafe relative(at: offset + 4),
        unsafe subject.loadUnaligned(as: UInt16.self) == UInt16(UInt8(ascii: "x"))
      else { return nil }
      let word = unsafe Int(start.load(fromByteOffset: offset + 8, as: Int32.self))
      // The lowest bit is set for a pointer to the descriptor.
      let target = unsafe start + offset + 8 + (word & ~3)
      return unsafe word & 1 == 0 ? UInt(bitPattern: target) : target.load(as: UInt.self)
    }
  }

  private func relative(at offset: Int) -> UnsafeRawPointer? {
    let distance = unsafe Int(start.load(fromByteOffset: offset, as: Int32.self))
    return unsafe distance == 0 ? nil : start + offset + distance
  }
}
