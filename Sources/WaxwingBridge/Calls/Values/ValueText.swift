// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import WaxwingDeclarations
internal import WaxwingValues

/// Objects and values as text, read so that looking at them harms nobody.
///
/// An object is its type, its address and its `let` properties, which do not change: `Bank.Account@0x5581c3a2(id:
/// "A1", …)`. `…` stands for properties that can change: another thread may do so at the same time, and which lock or
/// actor guards them cannot be known. A reference within something is the object's type and address, and is never
/// followed. Structs, enums, tuples and collections are values that nobody else changes, and shown in full.
///
/// All is read from memory. Only values without references (`PlainTypes`) are asked for their `description`: it
/// could read by way of a reference.
///
/// What is inside is shortened: strings, long collections, structs within structs.
package struct ValueText {
  private static let mostFields = 32
  private static let mostElements = 8
  private static let longestString = 60
  private static let longestDescription = 200
  private static let deepest = 3

  /// The properties of an object that are shown.
  package enum Fields {
    /// Only properties that cannot change.
    case constant
    /// All properties, as they are at this moment. Properties of an actor are read if the calling
    /// thread is on it, and none otherwise. Properties of other classes are read without the lock
    /// that guards them, which can end the process.
    case all
  }

  /// An object with its properties, inherited ones first.
  /// - Parameter more: Further properties, as text.
  package static func object(
    _ object: UnsafeMutableRawPointer, more: [String] = [], _ fields: Fields = .constant
  ) -> String {
    let shown = ShownType.of(ObjectReference.dynamicType(object))
    if wax_abi_is_deallocating(object) { return "\(shown.name) (being deinitialized)" }
    let head = shown.name + address(object)
    if isLibrary(shown.name) { return head + libraryText(object, shown.name) }
    let all = shown.properties
    let visible = canShowAll(object, shown, fields) ? all : all.filter { !$0.isVariable }
    if all.isEmpty, more.isEmpty { return head }
    return head
      + text(visible, at: object, 1, more + (visible.count < all.count ? ["…"] : []))
  }

  /// A struct, enum or other value at `memory`.
  package static func value(_ type: any Any.Type, at memory: UnsafeMutableRawPointer) -> String {
    let shown = ShownType.of(type)
    switch shown.form {
    case .properties: return shown.name + text(shown.properties, at: memory, 1, [])
    case .hidden: return shown.name + "(…)"
    case .described: return String(describing: load(type, memory))
    default: return text(type, at: memory, 0)
    }
  }

  /// The text of a Swift error.
  package static func error(_ error: any Error) -> String {
    let box = SwiftErrorBox.make(error)
    defer { SwiftErrorBox.release(box) }
    guard let pointer = UnsafeRawPointer(bitPattern: UInt(box)) else { return "" }
    var type: UnsafeRawPointer?
    let value = wax_abi_error_value(pointer, &type)
    guard let type, let value else { return "an error" }
    let dynamic = TypeMetadata.type(at: type)
    if TypeMetadata.kind(of: dynamic) == .class {
      return object(value.load(as: UnsafeMutableRawPointer.self))
    }
    let isDescribed = if case .described = ShownType.of(dynamic).form { true } else { false }
    return isDescribed ? "\(error)" : text(dynamic, at: value, 0)
  }

  private static func canShowAll(
    _ object: UnsafeMutableRawPointer, _ shown: ShownType, _ fields: Fields
  ) -> Bool {
    guard fields == .all else { return false }
    guard FunctionIsolation.isActor(shown.type) else { return true }
    let reference = Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    return FunctionIsolation.executor(ofActor: reference)?.isCurrent ?? false
  }

  // MARK: Objects of libraries

  /// Whether the type is a library's own class, whose properties are private.
  private static func isLibrary(_ name: String) -> Bool {
    ["Foundation.", "FoundationNetworking.", "Swift.", "Dispatch.", "_"].contains {
      name.hasPrefix($0)
    }
  }

  /// Classes whose objects never change; their subclasses may.
  private static let immutable: Set<String> = [
    "Foundation.NSDate", "Foundation.NSDecimalNumber", "Foundation.NSNull", "Foundation.NSNumber",
    "Foundation.NSString", "Foundation.NSURL", "Foundation.NSUUID",
  ]

  private static func libraryText(_ object: UnsafeMutableRawPointer, _ name: String) -> String {
    let reference = Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    if name == "Foundation.NSError", let error = reference as? any Error {
      return "(domain: \(quoted(error._domain)), code: \(error._code))"
    }
    guard immutable.contains(name), let described = reference as? any CustomStringConvertible
    else { return "" }
    return ": \(shortened(described.description))"
  }

  // MARK: References

  private static func address(_ object: UnsafeMutableRawPointer) -> String {
    "@0x" + String(UInt(bitPattern: object), radix: 16)
  }

  /// An object within something.
  private static func reference(_ object: UnsafeMutableRawPointer?) -> String {
    guard let object else { return "nil" }
    let name = ShownType.of(ObjectReference.dynamicType(object)).unqualifiedName
    return name + address(object)
  }

  // MARK: Properties

  private static func text(
    _ properties: [ShownType.Property], at memory: UnsafeMutableRawPointer, _ depth: Int,
    _ more: [String]
  ) -> String {
    var texts = properties.prefix(mostFields).map { property in
      labelled(property.name) { text(property, memory + property.offset, depth) }
    }
    if properties.count > mostFields { texts.append("…") }
    return "(" + (texts + more).joined(separator: ", ") + ")"
  }

  private static func text(
    _ property: ShownType.Property, _ memory: UnsafeMutableRawPointer, _ depth: Int
  ) -> String {
    switch property.storage {
    // The runtime has this type for one that it cannot make, such as a `Mutex`.
    case .strong where property.type == Void.self: return "…"
    case .strong: return text(property.type, at: memory, depth)
    case .unmanaged: return "…"  // whether there is an object cannot be known
    case .weak, .unowned: break
    }
    let size = MemoryLayout<UnsafeRawPointer>.size
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { target in
      let target = target.baseAddress.unsafelyUnwrapped  // not empty
      guard property.storage.load(memory, size: size, into: target) else { return "nil" }
      let object = target.load(as: UnsafeMutableRawPointer.self)
      defer { ObjectReference.release(object) }
      return reference(object)
    }
  }

  // MARK: Values

  private static func load(_ type: any Any.Type, _ memory: UnsafeMutableRawPointer) -> Any {
    func load<Value>(_: Value.Type) -> Any { memory.assumingMemoryBound(to: Value.self).pointee }
    return _openExistential(type, do: load)
  }

  private static func text(
    _ type: any Any.Type, at memory: UnsafeMutableRawPointer, _ depth: Int
  ) -> String {
    let shown = ShownType.of(type)
    switch shown.form {
    case .reference, .optionalReference:
      return reference(memory.load(as: UnsafeMutableRawPointer?.self))
    case .foreign:
      return shown.unqualifiedName + address(memory.load(as: UnsafeMutableRawPointer.self))
    case .existential(let form): return held(form, memory, depth)
    case .hashable:
      return withUnsafePointer(to: memory.load(as: AnyHashable.self).base) {
        held(.opaque, UnsafeMutableRawPointer(mutating: $0), depth)
      }
    case .tuple(let elements):
      if depth > deepest { return "(…)" }
      let texts = elements.map { element in
        labelled(element.label) { text(element.type, at: memory + element.offset, depth + 1) }
      }
      return "(" + texts.joined(separator: ", ") + ")"
    case .properties:
      if depth >= deepest { return shown.unqualifiedName + "(…)" }
      return shown.unqualifiedName + text(shown.properties, at: memory, depth + 1, [])
    case .cases(let form): return text(form, shown, at: memory, depth)
    case .collection(let collection): return elements(collection, at: memory, depth)
    case .quoted: return quoted("\(load(type, memory))")
    case .described: return shortened(String(describing: load(type, memory)))
    case .metatype: return metatype(type, memory)
    case .function: return "a function"
    case .hidden: return shown.unqualifiedName + "(…)"
    }
  }

  /// The text of the value in a value of a protocol's type.
  private static func held(
    _ form: TypeMetadata.ExistentialForm, _ memory: UnsafeMutableRawPointer, _ depth: Int
  ) -> String {
    switch form {
    case .object: return reference(memory.load(as: UnsafeMutableRawPointer?.self))
    case .opaque:
      let container = ExistentialContainer(memory)
      return text(container.type, at: UnsafeMutableRawPointer(mutating: container.value), depth)
    case .error:
      var type: UnsafeRawPointer?
      let value = wax_abi_error_value(memory.load(as: UnsafeRawPointer.self), &type)
      guard let type, let value else { return "an error" }
      return text(TypeMetadata.type(at: type), at: value, depth)
    }
  }

  /// A property with its label. Properties have no labels if the program was built without
  /// reflection metadata of names.
  private static func labelled(_ label: String?, _ text: () -> String) -> String {
    guard let label, !label.isEmpty else { return text() }
    return "\(label): \(MaskedNames.contains(label) ? MaskedNames.text : text())"
  }

  /// The text of a metatype. The metatypes of structs and enums take no room in the values that
  /// contain them.
  private static func metatype(_ type: any Any.Type, _ memory: UnsafeMutableRawPointer) -> String {
    if TypeMetadata.isThinMetatype(type), let instance = TypeMetadata.instanceType(of: type) {
      return TypeName.short(instance)
    }
    return TypeName.short(TypeMetadata.type(at: memory.load(as: UnsafeRawPointer.self)))
  }

  private static func text(
    _ form: EnumForm, _ shown: ShownType, at memory: UnsafeMutableRawPointer, _ depth: Int
  ) -> String {
    guard let found = form.case(of: memory) else { return "(…)" }
    let name = found.shownName
    let isOptional = TypeMetadata.kind(of: shown.type) == .optional
    guard found.hasPayload else { return isOptional ? "nil" : name }
    guard depth <= deepest, let payload = found.payload else { return name + "(…)" }
    // What a value of a protocol's type holds may go on for ever.
    let isBounded =
      isOptional && payload != AnyHashable.self
      && TypeMetadata.existentialForm(of: payload) == nil
    var content = ""
    form.withPayload(of: memory, found) { payload in
      let texts = EnumForm.elements(of: found).map { element in
        labelled(element.label) {
          let part = UnsafeMutableRawPointer(mutating: payload + element.offset)
          return text(element.type, at: part, isBounded ? depth : depth + 1)
        }
      }
      content = texts.joined(separator: ", ")
    }
    return isOptional ? content : "\(name)(\(content))"
  }

  private static func elements(
    _ collection: any ShownCollection.Type, at memory: UnsafeMutableRawPointer, _ depth: Int
  ) -> String {
    let most = depth >= deepest ? 0 : mostElements
    var (texts, count) = collection.shown(at: memory, atMost: most) { type, part in
      text(type, at: part, depth + 1)
    }
    if count == 0 { return collection.emptyText }
    if most == 0 { return "[\(count) elements]" }
    if collection.isUnordered { texts.sort() }
    if count > texts.count { texts.append("… \(count - texts.count) more") }
    return "[" + texts.joined(separator: ", ") + "]"
  }

  private static func quoted(_ string: String) -> String {
    guard string.count > longestString else { return string.debugDescription }
    return String(string.prefix(longestString)).debugDescription + "…"
  }

  private static func shortened(_ text: String) -> String {
    text.count > longestDescription ? String(text.prefix(longestDescription)) + "…" : text
  }
}
