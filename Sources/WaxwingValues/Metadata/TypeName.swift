// SPDX-License-Identifier: MIT

internal import Synchronization

/// Names of types as their authors write them.
package enum TypeName {
  /// What stands for the name of a type that the runtime has no spelling for.
  package static let unnamed = "a type without a name"

  /// The name of a type without the standard library's module and with its sugar: `[String: Int]`,
  /// `Bank.Account?`.
  package static func short(_ type: any Any.Type) -> String {
    TextCount.add()
    if let sugared = type as? any SugaredType.Type { return sugared.sugaredName }
    if let function = FunctionMetadata(type) { return function.name }
    let own = full(type)
    if isInvalid(own) { return unnamed }
    if own.hasPrefix("Waxwing"), let stand = type as? any StandInValue.Type {
      return stand.shownName
    }
    let name = ModuleNames.displayed(constrained(withoutPlaces(own)))
    return name.hasPrefix("Swift.") && !name.contains("<") ? String(name.dropFirst(6)) : name
  }

  /// Whether the runtime has written `<<< invalid type >>>` for a type or a part of it.
  private static func isInvalid(_ name: String) -> Bool {
    var count = 0
    for byte in name.utf8 {
      count = byte == UInt8(ascii: "<") ? count + 1 : 0
      if count == 3 { return true }
    }
    return false
  }

  /// The name that the runtime has for a type: what `_typeName` says, where that may be asked.
  /// - Parameter isQualified: With the module.
  package static func full(_ type: any Any.Type, isQualified: Bool = true) -> String {
    isSpelled(type) ? _typeName(type, qualified: isQualified) : unnamed
  }

  /// Whether the runtime can spell a type. Of the metatype of `any P<X>` it takes what describes the type for that of a
  /// plain protocol type, which ends the process (`_swift_buildDemanglingForMetadata`, Swift 6.3.1).
  private static func isSpelled(_ type: any Any.Type) -> Bool {
    switch TypeMetadata.kind(of: type) {
    case .metatype, .existentialMetatype:
      let address = TypeMetadata.pointer(to: type).load(
        fromByteOffset: 8, as: UnsafeRawPointer.self)
      return isSpelled(TypeMetadata.type(at: address))
    case .extendedExistential:
      // The metatype of `any P<X>` is of this kind as well, with a form of its own.
      return TypeMetadata.existentialForm(of: type) != nil
        && TypeMetadata.constraints(of: type).allSatisfy(isSpelled)
    case .tuple: return TypeMetadata.elements(of: type).allSatisfy { isSpelled($0.type) }
    case .function:
      guard let function = FunctionMetadata(type) else { return true }
      return function.parameters.allSatisfy { isSpelled($0.type) } && isSpelled(function.result)
    case .struct, .enum, .optional, .class: return areArgumentsSpelled(type)
    default: return true
    }
  }

  private static let spelled = Mutex<[ObjectIdentifier: Bool]>([:])

  private static func areArgumentsSpelled(_ type: any Any.Type) -> Bool {
    guard
      let address = TypeMetadata.descriptor(of: type).flatMap(UnsafeRawPointer.init(bitPattern:))
    else { return true }
    let descriptor = ContextDescriptor(address)
    guard descriptor.isGeneric else { return true }
    if let known = spelled.withLock({ $0[ObjectIdentifier(type)] }) { return known }
    guard let context = GenericContext(descriptor) else { return true }
    let arguments = context.arguments(in: TypeMetadata.pointer(to: type))
    let areSpelled = (0..<context.isKey.count { $0 }).allSatisfy {
      isSpelled(TypeMetadata.type(at: arguments[$0]))
    }
    spelled.withLock { $0[ObjectIdentifier(type)] = areSpelled }
    return areSpelled
  }

  /// `any P<X>` for `any P<Self.P.Item == X>`. More than one protocol or type stay as they are: of two types nothing
  /// tells the order in source.
  private static func constrained(_ name: String) -> String {
    // Asked of every name: most are not even of an existential type.
    guard name.utf8.starts(with: "any ".utf8) || name.utf8.contains(UInt8(ascii: "=")),
      name.contains("<Self.")
    else { return name }
    return name.replacing(#/any ([\w.]+)<Self\.[\w.]+ == ([^<>=,]+(?:<[^<>=]*>)?)>/#) { match in
      "any \(match.output.1)<\(match.output.2)>".replacing("Swift.", with: "")
    }
  }

  /// A type that is declared in an extension by another module is spelled with that module, and a private one with
  /// the address of what tells its file: another one in each process.
  private static func withoutPlaces(_ name: String) -> String {
    // Most names have none: that is seen at once.
    guard name.utf8.contains(UInt8(ascii: "(")) else { return name }
    var name = name
    if name.contains("(extension in ") { name.replace(#/\(extension in \w+\):/#, with: "") }
    if name.contains("(unknown context") {
      name.replace(#/\(unknown context at \$\w+\)\./#, with: "")
    }
    return name
  }
}

/// A value of a type of the engine's own that stands, in Lua code, for a value of the program's.
package protocol StandInValue {
  /// What messages call the type where no value is at hand: `opaque`.
  static var shownName: String { get }
  /// What messages call the value: `an opaque Bank.Account`.
  var shownValue: String { get }
}

private protocol SugaredType {
  static var sugaredName: String { get }
}

extension Optional: SugaredType {
  static var sugaredName: String {
    let name = TypeName.short(Wrapped.self)
    return FunctionMetadata(Wrapped.self) == nil ? name + "?" : "(\(name))?"
  }
}

extension Array: SugaredType {
  static var sugaredName: String { "[\(TypeName.short(Element.self))]" }
}

extension Dictionary: SugaredType {
  static var sugaredName: String {
    "[\(TypeName.short(Key.self)): \(TypeName.short(Value.self))]"
  }
}

extension Set: SugaredType {
  static var sugaredName: String { "Set<\(TypeName.short(Element.self))>" }
}
