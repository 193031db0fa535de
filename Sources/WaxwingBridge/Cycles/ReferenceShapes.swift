// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import Synchronization
internal import WaxwingReflection
internal import WaxwingValues

/// Finds the strong references in the memory of values and objects, for the collection of cycles
/// (`graph.c`).
///
/// A reference that is not found keeps an object from being collected; one that is none would let it
/// be collected though it is in use. So what is not known for certain is left out.
enum ReferenceShapes {
  typealias Shape = UnsafeMutablePointer<wax_proxy_shape>

  private struct Key: Hashable {
    let type: UInt
    let isInstance: Bool
  }

  /// Addresses of shapes: one for each type, for ever.
  private static let known = Mutex<[Key: UInt]>([:])

  /// - Parameter isInstance: Of the objects of a class, rather than of a reference to one.
  static func shape(of type: UnsafeRawPointer, isInstance: Bool) -> UnsafePointer<wax_proxy_shape>?
  {
    let key = Key(type: UInt(bitPattern: type), isInstance: isInstance)
    if let address = known.withLock({ $0[key] }) { return UnsafePointer(bitPattern: address) }
    var builder = ShapeBuilder(shapes: [:])
    let shape = isInstance ? builder.object(type) : builder.value(TypeMetadata.type(at: type))
    let made = UInt(bitPattern: shape)
    let address = known.withLock { known in
      let address = known[key] ?? made  // another thread may have been faster
      known[key] = address
      return address
    }
    return UnsafePointer(bitPattern: address)
  }
}

/// A collection of the standard library's whose storage is known.
protocol StoredElements {
  static var storedKind: wax_proxy_part_kind { get }
  static var storedTypes: [any Any.Type] { get }
}

extension Array: StoredElements {
  static var storedKind: wax_proxy_part_kind { WAX_PROXY_PART_ARRAY }
  static var storedTypes: [any Any.Type] { [Element.self] }
}

extension ContiguousArray: StoredElements {
  static var storedKind: wax_proxy_part_kind { WAX_PROXY_PART_ARRAY }
  static var storedTypes: [any Any.Type] { [Element.self] }
}

extension Set: StoredElements {
  static var storedKind: wax_proxy_part_kind { WAX_PROXY_PART_TABLE }
  static var storedTypes: [any Any.Type] { [Element.self] }
}

extension Dictionary: StoredElements {
  static var storedKind: wax_proxy_part_kind { WAX_PROXY_PART_TABLE }
  static var storedTypes: [any Any.Type] { [Key.self, Value.self] }
}

/// Makes the shapes of a type, and of those that it is made of.
private struct ShapeBuilder {
  typealias Shape = ReferenceShapes.Shape

  /// The shapes of values by their metadata. A shape that is being made is already in it, since
  /// types may contain themselves.
  var shapes: [UnsafeRawPointer: Shape]

  private static let word = MemoryLayout<UnsafeRawPointer>.size
  private static let deepest = 16

  // MARK: Whole shapes

  mutating func value(_ type: any Any.Type) -> Shape {
    let pointer = TypeMetadata.pointer(to: type)
    if let shape = shapes[pointer] { return shape }
    let shape = Shape.allocate(capacity: 1)
    let witnesses = ValueWitnesses(of: type)
    let mask = witnesses.alignmentMask
    let stride = max((witnesses.size + mask) & ~mask, 1)
    shape.initialize(
      to: wax_proxy_shape(stride: stride, alignment_mask: mask, count: 0, parts: nil))
    shapes[pointer] = shape
    fill(shape, parts(of: type, at: 0, depth: 0))
    return shape
  }

  /// The shape of the objects whose first word is this metadata.
  mutating func object(_ metadata: UnsafeRawPointer) -> Shape {
    let shape = Shape.allocate(capacity: 1)
    shape.initialize(to: wax_proxy_shape(stride: 0, alignment_mask: 0, count: 0, parts: nil))
    let kind = metadata.load(as: Int.self)
    if kind == CapturedContext.kind {
      fill(shape, captures(CapturedContext(metadata)))
    } else if TypeMetadata.kind(of: TypeMetadata.type(at: metadata)) == .class {
      fill(shape, fields(of: compiledClass(TypeMetadata.type(at: metadata)), at: 0, depth: 0))
    }
    return shape
  }

  /// Classes that Lua code has made have no stored properties, and no field descriptors.
  private func compiledClass(_ type: any Any.Type) -> any Any.Type {
    var type = type
    while LuaClass.of(type) != nil, let parent = TypeMetadata.superclass(of: type) { type = parent }
    return type
  }

  private func fill(_ shape: Shape, _ parts: [wax_proxy_part]) {
    guard !parts.isEmpty else { return }
    let memory = UnsafeMutablePointer<wax_proxy_part>.allocate(capacity: parts.count)
    memory.initialize(from: parts, count: parts.count)
    shape.pointee.parts = UnsafePointer(memory)
    shape.pointee.count = parts.count
  }

  // MARK: Parts

  private func part(
    _ kind: wax_proxy_part_kind, at offset: Int, _ first: Shape? = nil, _ second: Shape? = nil
  ) -> wax_proxy_part {
    wax_proxy_part(
      kind: kind.rawValue, offset: UInt32(offset), first: UnsafePointer(first),
      second: UnsafePointer(second), cases: nil)
  }

  private mutating func fields(
    of type: any Any.Type, at offset: Int, depth: Int
  ) -> [wax_proxy_part] {
    TypeMetadata.fields(of: type).filter(\.isStrong).flatMap {
      parts(of: $0.type, at: offset + $0.offset, depth: depth + 1)
    }
  }

  private mutating func parts(
    of type: any Any.Type, at offset: Int, depth: Int
  ) -> [wax_proxy_part] {
    let witnesses = ValueWitnesses(of: type)
    guard depth < Self.deepest, witnesses.isCopyable, !witnesses.isTrivial else { return [] }
    switch TypeMetadata.kind(of: type) {
    case .class: return [part(WAX_PROXY_PART_OBJECT, at: offset)]
    case .function:
      let isThick = FunctionMetadata(type)?.convention == .swift
      return isThick && witnesses.size == 2 * Self.word
        ? [part(WAX_PROXY_PART_FUNCTION, at: offset)] : []
    case .existential, .extendedExistential:
      switch TypeMetadata.existentialForm(of: type) {
      case .object: return [part(WAX_PROXY_PART_OBJECT, at: offset)]
      case .opaque: return [part(WAX_PROXY_PART_ANY, at: offset)]
      default: return []
      }
    case .tuple:
      return TypeMetadata.elements(of: type).flatMap {
        parts(of: $0.type, at: offset + $0.offset, depth: depth + 1)
      }
    case .struct:
      if let collection = type as? any StoredElements.Type {
        return elements(of: collection, at: offset)
      }
      return fields(of: type, at: offset, depth: depth)
    case .optional, .enum: return cases(of: type, at: offset, depth: depth)
    default: return []
    }
  }

  private mutating func elements(
    of type: any StoredElements.Type, at offset: Int
  ) -> [wax_proxy_part] {
    let types = type.storedTypes
    let first = value(types[0])
    let second = types.count > 1 ? value(types[1]) : nil
    return [part(type.storedKind, at: offset, first, second)]
  }

  // MARK: Enums

  /// nil in place of a reference is a word that is none.
  private mutating func cases(
    of type: any Any.Type, at offset: Int, depth: Int
  ) -> [wax_proxy_part] {
    let all = EnumCase.all(of: type)
    let witnesses = ValueWitnesses(of: type)
    if let wrapped = (type as? any OptionalType.Type)?.wrappedType {
      let parts = parts(of: wrapped, at: offset, depth: depth + 1)
      let isPlain = TypeMetadata.kind(of: wrapped) != .struct || witnesses.size == Self.word
      let isCases = parts.contains { $0.kind == WAX_PROXY_PART_CASES.rawValue }
      if parts.isEmpty { return [] }
      if parts.count == 1, Int(parts[0].offset) == offset, isPlain, !isCases,
        TypeMetadata.kind(of: wrapped) != .tuple
      {
        return parts
      }
    }
    guard witnesses.isBitwiseTakable else { return [] }
    let payloads = all.map { enumCase in
      enumCase.isIndirect ? nil : enumCase.payload.map { value($0) }
    }
    guard payloads.contains(where: { $0 != nil }) else { return [] }
    return [part(of: type, payloads, size: witnesses.size, at: offset)]
  }

  private func part(
    of type: any Any.Type, _ payloads: [Shape?], size: Int, at offset: Int
  ) -> wax_proxy_part {
    let memory = UnsafeMutablePointer<UnsafePointer<wax_proxy_shape>?>.allocate(
      capacity: payloads.count)
    for (index, payload) in payloads.enumerated() {
      (memory + index).initialize(to: UnsafePointer(payload))
    }
    let cases = UnsafeMutablePointer<wax_proxy_enum_cases>.allocate(capacity: 1)
    cases.initialize(
      to: wax_proxy_enum_cases(
        type: TypeMetadata.pointer(to: type), size: size, count: UInt32(payloads.count),
        payloads: UnsafePointer(memory)))
    return wax_proxy_part(
      kind: WAX_PROXY_PART_CASES.rawValue, offset: UInt32(offset), first: nil, second: nil,
      cases: UnsafePointer(cases))
  }

  // MARK: Closures of Swift's

  /// The captures before the first one of an unknown kind. The captures of generic code depend on the caller that made
  /// the closure.
  private func captures(_ context: CapturedContext) -> [wax_proxy_part] {
    guard context.bindings.isEmpty else { return [] }
    var offset = context.offset
    var parts: [wax_proxy_part] = []
    for name in context.names {
      let length = MetadataName(name).length
      if CapturedType.isFunction(name, length) {
        parts.append(part(WAX_PROXY_PART_FUNCTION, at: offset))
        offset += 2 * Self.word
      } else if CapturedType.holding(name, length).holding == .strong,
        let type = CapturedType.type(name, length, []), TypeMetadata.kind(of: type) == .class
      {
        parts.append(part(WAX_PROXY_PART_OBJECT, at: offset))
        offset += Self.word
      } else {
        break
      }
    }
    return parts
  }
}
