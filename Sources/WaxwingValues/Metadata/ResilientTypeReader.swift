// SPDX-License-Identifier: MIT

internal import WaxwingDeclarations
internal import WaxwingInterception
internal import WaxwingReflection

/// Finds out whether a struct or enum of the program's own may be changed by its module without its users being
/// compiled again, and so travels by address.
struct ResilientTypeReader {
  private let signs: LibraryEvolution.Signs
  private let descriptor: ContextDescriptor
  private let type: (any Any.Type)?

  /// Creates a reader; nil if the type cannot be resilient, because it belongs to no other module,
  /// or only its own module sees it.
  init?(_ type: any Any.Type) {
    guard let descriptor = ContextDescriptor(TypeMetadata.descriptor(of: type)) else { return nil }
    self.init(descriptor, type)
  }

  /// Creates a reader for a type that may be generic.
  init?(_ descriptor: ContextDescriptor) {
    self.init(descriptor, nil)
  }

  private init?(_ descriptor: ContextDescriptor, _ type: (any Any.Type)?) {
    guard let signs = LibraryEvolution.signs(ofDescriptor: UInt(bitPattern: descriptor.address))
    else { return nil }
    self.signs = signs
    self.descriptor = descriptor
    self.type = type
  }

  /// Whether the type is resilient, as far as its module tells; nil if the module does not tell.
  var answer: Bool? {
    if signs.hasCaseSymbols { return true }
    if signs.isModuleResilient {
      if descriptor.kind == .enum && signs.hasModuleCaseSymbols { return false }
      return isReturnedByAddress
    }
    // The symbols of its cases would tell.
    if descriptor.kind == .enum { return isReturnedByAddress ?? false }
    if ModuleEvolution.isOrdinary(signs) == true { return false }
    return isReturnedByAddress ?? (descriptor.isGeneric ? nil : false)
  }

  /// - Parameter shape: Of its values, if they travel in registers where they fit.
  /// - Returns: nil: nothing tells.
  func answer(_ shape: TypeShape) -> Bool? {
    if signs.hasCaseSymbols { return true }
    if let hasOwn = hasOwnWitnesses, signs.isModuleResilient || !hasOwn { return hasOwn }
    return isAddressKept(shape) ?? answer
  }

  /// Whether something shows that its module is built for library evolution.
  var isModuleResilient: Bool {
    signs.isModuleResilient || ModuleEvolution.isOrdinary(signs) == false
  }

  /// Whether functions of other types and modules return the type by address; nil if none of them
  /// returns it.
  private var isReturnedByAddress: Bool? {
    for function in signs.returningFunctions[signs.type.nominal] ?? [] {
      if let answer = ModuleEvolution.isReturnedByAddress(function, signs) { return answer }
    }
    return nil
  }

  /// The compiler makes no value witnesses for a struct that is an integer in another type, unless it may change.
  /// nil: it is no such struct.
  private var hasOwnWitnesses: Bool? {
    type.flatMap { Self.hasOwnWitnesses($0, descriptor) }
  }

  static func hasOwnWitnesses(_ type: any Any.Type, _ descriptor: ContextDescriptor) -> Bool? {
    guard descriptor.kind == .struct, !descriptor.isGeneric else { return nil }
    let witnesses = ValueWitnesses(of: type)
    guard witnesses.isTrivial, witnesses.isCopyable, witnesses.extraInhabitants == 0,
      witnesses.alignmentMask + 1 == max(witnesses.size, 1),
      let integer = integers[witnesses.size]
    else { return nil }
    return !witnesses.isSame(as: ValueWitnesses(of: integer))
  }

  private static let integers: [Int: any Any.Type] = [
    0: Void.self, 1: Int8.self, 2: Int16.self, 4: Int32.self, 8: Int64.self,
  ]

  /// A function that returns the type has the address of its result if the type travels by address, and a
  /// method keeps the registers of its `self` if it does not. nil: no function of the type tells.
  private func isAddressKept(_ shape: TypeShape) -> Bool? {
    let lowering = AggregateLowering(shape)
    guard !descriptor.isGeneric, !lowering.isPassedIndirectly, !shape.leaves.isEmpty else {
      return nil
    }
    let node = signs.type.node
    var isGetterByAddress = false
    for function in signs.functions {
      guard function.declaration.genericSignature == nil,
        let code = UnsafeRawPointer(bitPattern: function.address),
        let saved = PrologueReader.savedArguments(of: code)
      else { continue }
      let declaration = function.declaration
      if declaration.isInitializer || declaration.kind == .function, declaration.result == node {
        return saved.passesResultAddress ?? saved.hasResultAddress
      }
      if declaration.kind == .getter, !declaration.isStatic {
        if saved.registers != SavedArguments.Registers() { return false }
        if !isLazy(declaration) { isGetterByAddress = true }
      }
    }
    // In a module of another kind it would be a `mutating get`.
    return signs.isModuleResilient && isGetterByAddress ? true : nil
  }

  /// The getter of such a property changes `self`.
  private func isLazy(_ getter: FunctionDeclaration) -> Bool {
    guard let type else { return true }
    let storage = "$__lazy_storage_$_\(getter.name.text)"
    return TypeMetadata.fields(of: type).contains { $0.name == storage }
  }
}

extension FunctionDeclaration {
  /// Whether the function makes an instance in memory of its own.
  fileprivate var isInitializer: Bool { kind == .allocatingInitializer }
}
