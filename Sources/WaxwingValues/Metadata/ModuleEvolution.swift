// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection

/// Whether modules whose symbols do not show it are built for library evolution, as their types and functions tell.
enum ModuleEvolution {
  private static let known = Mutex<[String: Bool?]>([:])

  /// Whether a module whose symbols do not show that it is built for library evolution is not.
  /// - Parameter signs: Of a type of the module.
  /// - Returns: nil: nothing tells.
  static func isOrdinary(_ signs: LibraryEvolution.Signs) -> Bool? {
    let key = signs.moduleKey
    if let known = known.withLock({ $0[key] }) { return known }
    let answer = hasUndescribedStorage(signs) ? true : isAnyOrdinary(signs)
    known.withLock { $0[key] = .some(answer) }
    return answer
  }

  /// A module that is built for library evolution describes its public stored properties.
  private static func hasUndescribedStorage(_ signs: LibraryEvolution.Signs) -> Bool {
    signs.undescribedProperties.contains { property in
      FieldRecords.of(descriptor: property.descriptor).contains { $0.name == property.name }
    }
  }

  private static func isAnyOrdinary(_ signs: LibraryEvolution.Signs) -> Bool? {
    var isAnyDirect = false
    let returningFunctions = signs.returningFunctions
    for type in signs.moduleTypes {
      for function in returningFunctions[type.nominal] ?? [] {
        switch isReturnedByAddress(function, signs) {
        case true?: return false
        case false?: isAnyDirect = true
        case nil: break
        }
      }
      if !isAnyDirect, let descriptor = ContextDescriptor(type.descriptor), !descriptor.isGeneric,
        let type = _typeByName(type.node.mangled),
        ResilientTypeReader.hasOwnWitnesses(type, descriptor) == false
      {
        isAnyDirect = true
      }
    }
    return isAnyDirect ? true : nil
  }

  /// Whether its result is left at an address, although it would find room in registers.
  /// - Parameter signs: Of a type of the module that the result's type belongs to.
  /// - Returns: nil: that is not known, or it would not.
  static func isReturnedByAddress(
    _ function: LibraryEvolution.ReturningFunction, _ signs: LibraryEvolution.Signs
  ) -> Bool? {
    guard let code = UnsafeRawPointer(bitPattern: function.address),
      let isByAddress = PrologueReader.savedArguments(of: code)?.passesResultAddress
    else { return nil }
    if !isByAddress { return false }
    guard let type = _typeByName(function.result.mangled),
      let module = signs.type.nominal.rootModule,
      let registers = registers(of: type, in: module), registers <= 4
    else { return nil }
    return true
  }

  /// How many registers hold a value of the type at most, if nothing in it makes it travel by address but a
  /// library's leave to change it.
  /// - Parameter module: All types of which are taken to be without such leave.
  /// - Returns: nil: something does, or that is not known.
  private static func registers(of type: any Any.Type, in module: String) -> Int? {
    let witnesses = ValueWitnesses(of: type)
    guard witnesses.isBitwiseTakable, witnesses.isCopyable else { return nil }
    switch TypeMetadata.kind(of: type) {
    case .class, .foreignClass: return 1
    case .opaque: return (witnesses.size + 7) / 8
    case .tuple:
      return sum(TypeMetadata.elements(of: type).map(\.type), in: module)
    case .struct:
      guard isFrozen(type, in: module) else { return nil }
      let fields = TypeMetadata.fields(of: type)
      if fields.isEmpty, witnesses.size > 0 { return nil }
      return sum(fields.map(\.type), in: module)
    case .enum, .optional:
      guard isFrozen(type, in: module), let payloads = EnumCase.directPayloads(of: type),
        sum(payloads, in: module) != nil
      else { return nil }
      return (witnesses.size + 7) / 8
    default: return nil
    }
  }

  private static func sum(_ types: [any Any.Type], in module: String) -> Int? {
    var total = 0
    for type in types {
      guard let registers = registers(of: type, in: module) else { return nil }
      total += registers
    }
    return total
  }

  private static func isFrozen(_ type: any Any.Type, in module: String) -> Bool {
    guard let own = ContextDescriptor(TypeMetadata.descriptor(of: type))?.module else {
      return false
    }
    return own == module || own == "Swift" && !ResilientTypes.contains(type)
  }
}
