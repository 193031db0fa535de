// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingValues

/// How values of one type are shown, found out once for each type.
/// Unchecked: never changed after `init`.
final class ShownType: @unchecked Sendable {
  /// A stored property.
  struct Property {
    let name: String
    let offset: Int
    let type: any Any.Type
    let storage: ReferenceStorage
    /// `var` rather than `let`.
    let isVariable: Bool
  }

  /// How a value is read.
  enum Form {
    /// The value is a reference, and its address is shown.
    case reference
    /// A reference of which not even the first word is known.
    case foreign
    /// The value in the existential is shown.
    case existential(TypeMetadata.ExistentialForm)
    case hashable
    case tuple([(label: String?, offset: Int, type: any Any.Type)])
    case properties
    case cases(EnumForm)
    /// A reference to an object of a class, or nil.
    case optionalReference
    case collection(any ShownCollection.Type)
    /// A `String` or the like, in quotes.
    case quoted
    /// The value is shown with `String(describing:)`, which reads nothing but the value.
    case described
    case metatype
    case function
    /// Nothing is shown.
    case hidden
  }

  private static let known = Mutex<[ObjectIdentifier: ShownType]>([:])

  static func of(_ type: any Any.Type) -> ShownType {
    let key = ObjectIdentifier(type)
    if let shown = known.withLock({ $0[key] }) { return shown }
    let made = ShownType(type)
    return known.withLock { known in
      if let shown = known[key] { return shown }
      known[key] = made
      return made
    }
  }

  let type: any Any.Type
  /// The name of the type as its author writes it, with the module.
  let name: String
  /// The name of the type without the module.
  let unqualifiedName: String
  let form: Form
  /// The properties of a struct or of the objects of a class, inherited ones first.
  let properties: [Property]

  private init(_ type: any Any.Type) {
    self.type = type
    name = TypeName.short(type)
    unqualifiedName = TypeName.full(type, isQualified: false)
    // `String(describing:)` asks these. Pointers have a `debugDescription` only.
    let describesItself =
      type is any CustomStringConvertible.Type || type is any CustomDebugStringConvertible.Type
    form = Self.form(
      of: type, isPlain: PlainTypes.contains(type), describesItself: describesItself)
    properties = Self.properties(of: type)
  }

  /// The properties of a type without those that the compiler and macros add, such as an actor's
  /// executor or an observation registrar.
  private static func properties(of type: any Any.Type) -> [Property] {
    let isCopyable = TypeMetadata.kind(of: type) == .class || CopyableEscapableCheck.holds(type)
    guard isCopyable else { return [] }
    let lazy = "$__lazy_storage_$_"
    return TypeMetadata.fields(of: type).enumerated().compactMap { index, field in
      let name = field.name ?? "\(index + 1)"
      let isLazy = name.hasPrefix(lazy)
      if !isLazy, name.hasPrefix("$") || name.hasPrefix("_$") { return nil }
      return Property(
        name: isLazy ? String(name.dropFirst(lazy.count)) : name, offset: field.offset,
        type: field.type, storage: field.storage, isVariable: field.isVariable)
    }
  }

  private static func form(
    of type: any Any.Type, isPlain: Bool, describesItself: Bool
  ) -> Form {
    switch TypeMetadata.kind(of: type) {
    case .class: return .reference
    case .foreignClass, .foreignReference: return .foreign
    default: break
    }
    guard CopyableEscapableCheck.holds(type) else { return .hidden }
    switch TypeMetadata.kind(of: type) {
    case .existential, .extendedExistential:
      return TypeMetadata.existentialForm(of: type).map(Form.existential) ?? .hidden
    case .metatype, .existentialMetatype: return .metatype
    case .function: return .function
    case .tuple: return .tuple(TypeMetadata.elements(of: type))
    case .struct: return structForm(of: type, isDescribed: isPlain && describesItself)
    case .enum, .optional: return enumForm(of: type, isPlain, describesItself)
    default: return .hidden
    }
  }

  private static func structForm(of type: any Any.Type, isDescribed: Bool) -> Form {
    if type is any QuotedText.Type { return .quoted }
    if let collection = type as? any ShownCollection.Type { return .collection(collection) }
    if type == AnyHashable.self { return .hashable }
    if isDescribed || type is any ShownPointer.Type { return .described }
    let isKnown = !TypeMetadata.fields(of: type).isEmpty || ValueWitnesses(of: type).size == 0
    return isKnown ? .properties : .hidden
  }

  private static func enumForm(
    of type: any Any.Type, _ isPlain: Bool, _ describesItself: Bool
  ) -> Form {
    if let wrapped = (type as? any OptionalType.Type)?.wrappedType {
      if TypeMetadata.kind(of: wrapped) == .class { return .optionalReference }
    } else if isPlain, describesItself {
      return .described
    }
    func make<Value>(_: Value.Type) -> EnumForm { EnumForm(Value.self) }
    let form = _openExistential(type, do: make)
    if form.cases.isEmpty { return isPlain ? .described : .hidden }
    return .cases(form)
  }
}

/// Text of the standard library's.
private protocol QuotedText {}
extension String: QuotedText {}
extension Substring: QuotedText {}
extension Character: QuotedText {}

/// A pointer, which is shown as its address.
private protocol ShownPointer {}
extension UnsafePointer: ShownPointer {}
extension UnsafeMutablePointer: ShownPointer {}
extension UnsafeRawPointer: ShownPointer {}
extension UnsafeMutableRawPointer: ShownPointer {}
extension UnsafeBufferPointer: ShownPointer {}
extension UnsafeMutableBufferPointer: ShownPointer {}
extension UnsafeRawBufferPointer: ShownPointer {}
extension UnsafeMutableRawBufferPointer: ShownPointer {}
extension OpaquePointer: ShownPointer {}
