// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import WaxwingDeclarations
internal import WaxwingMetadata

/// Objects and values as text: the type and its stored properties, `Bank.Account(id: "A1", balance:
/// 100)`. What is inside is shortened: strings, long collections, objects within objects.
///
/// Properties are read from memory and never by way of the program's code, but values that have a
/// `description` are asked for it.
package struct ValueText {
  private static let mostFields = 32
  private static let mostElements = 8
  private static let longestString = 60
  private static let longestDescription = 200
  private static let deepest = 3

  /// An object with all its properties, inherited ones first.
  /// - Parameter more: Further properties, as text.
  package static func object(_ object: UnsafeMutableRawPointer, more: [String] = []) -> String {
    let type = ObjectReference.dynamicType(object)
    let name = TypeName.short(type)
    if wax_abi_is_deallocating(object) { return "\(name) (being deinitialized)" }
    let reference = Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    let described = reference as? any CustomStringConvertible
    if isLibrary(name) {
      return described.map { "\(name): \(shortened($0.description))" } ?? name
    }
    let text = name + properties(of: type, at: object, depth: 1, more: more)
    return described.map { "\(text): \(shortened($0.description))" } ?? text
  }

  /// A struct, enum or other value at `memory`.
  package static func value(_ type: any Any.Type, at memory: UnsafeMutableRawPointer) -> String {
    let value = load(type, memory)
    if TypeMetadata.kind(of: type) == .struct, !describesItself(value) {
      return TypeName.short(type) + properties(of: type, at: memory, depth: 1, more: [])
    }
    return String(describing: value)
  }

  /// Libraries' own classes have properties that are nobody's business.
  private static func isLibrary(_ name: String) -> Bool {
    ["Foundation", "Swift.", "Dispatch.", "_"].contains { name.hasPrefix($0) }
  }

  // MARK: Properties

  private static func properties(
    of type: any Any.Type, at memory: UnsafeMutableRawPointer, depth: Int, more: [String]
  ) -> String {
    let fields = TypeMetadata.fields(of: type)
    var texts = fields.prefix(mostFields).map { field in
      let name = label(field.name)
      return MaskedNames.contains(name)
        ? "\(name): \(MaskedNames.text)"
        : "\(name): \(property(field, memory + field.offset, depth))"
    }
    if fields.count > mostFields { texts.append("…") }
    return "(" + (texts + more).joined(separator: ", ") + ")"
  }

  private static func label(_ name: String) -> String {
    let lazy = "$__lazy_storage_$_"
    return name.hasPrefix(lazy) ? String(name.dropFirst(lazy.count)) : name
  }

  private static func property(
    _ field: TypeMetadata.Field, _ memory: UnsafeMutableRawPointer, _ depth: Int
  ) -> String {
    switch field.storage {
    case .strong: return text(field.type, at: memory, depth)
    case .unmanaged: return "…"  // whether there is an object cannot be known
    case .weak, .unowned: break
    }
    let size = MemoryLayout<UnsafeRawPointer>.size
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { target in
      let target = target.baseAddress.unsafelyUnwrapped  // not empty
      guard field.storage.load(memory, size: size, into: target) else { return "nil" }
      let object = target.load(as: UnsafeMutableRawPointer.self)
      defer { ObjectReference.release(object) }
      return brief(object)
    }
  }

  /// An object within something.
  private static func brief(_ object: UnsafeMutableRawPointer) -> String {
    "\(unqualified(ObjectReference.dynamicType(object)))(…)"
  }

  private static func unqualified(_ type: any Any.Type) -> String {
    _typeName(type, qualified: false)
  }

  // MARK: Values

  /// Whether `String(describing:)` asks the value. Pointers have a `debugDescription` only.
  private static func describesItself(_ value: Any) -> Bool {
    value is any CustomStringConvertible || value is any CustomDebugStringConvertible
  }

  private static func load(_ type: any Any.Type, _ memory: UnsafeMutableRawPointer) -> Any {
    func load<Value>(_: Value.Type) -> Any { memory.assumingMemoryBound(to: Value.self).pointee }
    return _openExistential(type, do: load)
  }

  private static func text(
    _ type: any Any.Type, at memory: UnsafeMutableRawPointer, _ depth: Int
  ) -> String {
    if TypeMetadata.kind(of: type) == .class {
      return brief(memory.load(as: UnsafeMutableRawPointer.self))
    }
    if let held = held(type, memory) { return text(held.type, at: held.memory, depth) }
    let value = load(type, memory)
    if TypeMetadata.kind(of: type) == .struct, !describesItself(value) {
      if depth >= deepest { return unqualified(type) + "(…)" }
      return unqualified(type) + properties(of: type, at: memory, depth: depth + 1, more: [])
    }
    return text(value, depth)
  }

  /// What is in a value of a protocol's type; nil for one of another type.
  private static func held(
    _ type: any Any.Type, _ memory: UnsafeMutableRawPointer
  ) -> (type: any Any.Type, memory: UnsafeMutableRawPointer)? {
    switch TypeMetadata.existentialForm(of: type) {
    case .opaque:
      let container = ExistentialContainer(memory)
      return (container.type, UnsafeMutableRawPointer(mutating: container.value))
    case .object:
      let object = memory.load(as: UnsafeMutableRawPointer.self)
      return (ObjectReference.dynamicType(object), memory)
    default: return nil
    }
  }

  /// A part of a collection comes as what it is declared as.
  private static func opened(_ value: Any, _ depth: Int) -> String? {
    func opened<Value>(_ value: Value) -> String? {
      var copy = value
      return withUnsafeMutablePointer(to: &copy) { copy in
        held(Value.self, copy).map { text($0.type, at: $0.memory, depth) }
      }
    }
    return _openExistential(value, do: opened)
  }

  private static func text(_ value: Any, _ depth: Int) -> String {
    if let opened = opened(value, depth) { return opened }
    if let string = value as? String { return quoted(string) }
    if let string = value as? Substring { return quoted(String(string)) }
    if let character = value as? Character { return quoted(String(character)) }
    if Swift.type(of: value) is AnyClass {
      return "\(unqualified(Swift.type(of: value)))(…)"
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { text($0.value, depth) } ?? "nil"
    case .collection, .set: return elements(mirror, depth) { text($0.value, depth + 1) }
    case .dictionary: return elements(mirror, depth) { pair($0.value, depth + 1) }
    case .tuple:
      let parts = mirror.children.map { part in
        let name = part.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
        let isMasked = name.map(MaskedNames.contains) ?? false
        return (name.map { $0 + ": " } ?? "")
          + (isMasked ? MaskedNames.text : text(part.value, depth + 1))
      }
      return "(" + parts.joined(separator: ", ") + ")"
    default:
      if describesItself(value) || mirror.displayStyle != .struct {
        return shortened(String(describing: value))
      }
      return copied(value, depth)
    }
  }

  /// A struct that stands in something else: its properties, from a copy.
  private static func copied(_ value: Any, _ depth: Int) -> String {
    func copied<Value>(_ value: Value) -> String {
      if depth >= deepest { return unqualified(Value.self) + "(…)" }
      var copy = value
      return withUnsafeMutablePointer(to: &copy) {
        unqualified(Value.self) + properties(of: Value.self, at: $0, depth: depth + 1, more: [])
      }
    }
    return _openExistential(value, do: copied)
  }

  private static func elements(
    _ mirror: Mirror, _ depth: Int, _ text: (Mirror.Child) -> String
  ) -> String {
    let count = mirror.children.count
    if count == 0 { return mirror.displayStyle == .dictionary ? "[:]" : "[]" }
    if depth >= deepest { return "[\(count) elements]" }
    var texts = mirror.children.prefix(mostElements).map(text)
    if mirror.displayStyle != .collection { texts.sort() }  // their own order is random
    if count > mostElements { texts.append("… \(count - mostElements) more") }
    return "[" + texts.joined(separator: ", ") + "]"
  }

  private static func pair(_ value: Any, _ depth: Int) -> String {
    let parts = Mirror(reflecting: value).children.map { text($0.value, depth) }
    return parts.joined(separator: ": ")
  }

  private static func quoted(_ string: String) -> String {
    guard string.count > longestString else { return string.debugDescription }
    return String(string.prefix(longestString)).debugDescription + "…"
  }

  private static func shortened(_ text: String) -> String {
    text.count > longestDescription ? String(text.prefix(longestDescription)) + "…" : text
  }
}
