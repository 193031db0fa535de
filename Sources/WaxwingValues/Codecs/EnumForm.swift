// SPDX-License-Identifier: MIT

internal import CWaxwingABI

/// One enum type: its cases, and how its values are taken apart and put together.
/// Unchecked: never changed after `init`.
package final class EnumForm: @unchecked Sendable {
  /// One value of a payload. A payload of several is a tuple.
  package struct Element {
    package let index: Int
    package let label: String?
    package let offset: Int
    package let type: any Any.Type
  }

  let type: any Any.Type
  package let cases: [EnumCase]
  private let witnesses: ValueWitnesses
  private let size: Int
  private let alignment: Int

  package init<Value>(_ type: Value.Type) {
    self.type = type
    cases = EnumCase.all(of: type)
    witnesses = ValueWitnesses(of: type)
    size = MemoryLayout<Value>.size
    alignment = MemoryLayout<Value>.alignment
  }

  /// Why cases are not known.
  var gap: MissingMetadata? { MissingMetadata(type) }

  package func named(_ name: String) -> EnumCase? { cases.first { $0.name == name } }

  /// Whether any string may be a value: a case has one for its payload.
  var holdsStrings: Bool { cases.contains { $0.payload == String.self } }

  /// The case that the value at `value` is; nil: the program is built without reflection metadata.
  package func `case`(of value: UnsafeRawPointer) -> EnumCase? {
    let tag = Int(witnesses.enumTag(of: value))
    return cases.indices.contains(tag) ? cases[tag] : nil
  }

  /// The elements of a case's payload; empty without one.
  package static func elements(of enumCase: EnumCase) -> [Element] {
    guard let payload = enumCase.payload else { return [] }
    guard TypeMetadata.kind(of: payload) == .tuple else {
      return [Element(index: 0, label: nil, offset: 0, type: payload)]
    }
    return TypeMetadata.elements(of: payload).enumerated().map { index, element in
      Element(index: index, label: element.label, offset: element.offset, type: element.type)
    }
  }

  /// - Throws: `UnsupportedType` if values of its type cannot cross.
  package func codec(
    of element: Element, of enumCase: EnumCase
  ) throws(UnsupportedType) -> ValueCodec {
    try CodecLibrary.codec(
      for: element.type,
      as: InstalledLayers.current.abstraction(of: element, of: enumCase, in: type))
  }

  /// Runs `body` with the payload of the value at `value`, of this case, which is not changed.
  package func withPayload(
    of value: UnsafeRawPointer, _ enumCase: EnumCase, _ body: (UnsafeRawPointer) -> Void
  ) {
    func run<Value>(_: Value.Type) {
      let copy = UnsafeMutablePointer<Value>.allocate(capacity: 1)
      defer { copy.deallocate() }
      copy.initialize(to: value.assumingMemoryBound(to: Value.self).pointee)
      let memory = UnsafeMutableRawPointer(copy)
      witnesses.projectPayload(of: memory)
      body(enumCase.isIndirect ? Self.contents(ofBoxAt: memory) : UnsafeRawPointer(memory))
      witnesses.injectTag(enumCase.tag, into: memory)
      copy.deinitialize(count: 1)
    }
    _openExistential(type, do: run)
  }

  /// Initializes `target` with a value of this case; `body` initializes the payload. If that fails
  /// the memory stays uninitialized.
  package func build<Failure: Error>(
    _ enumCase: EnumCase, into target: UnsafeMutableRawPointer,
    _ body: (UnsafeMutableRawPointer) throws(Failure) -> Void
  ) throws(Failure) {
    target.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    if enumCase.isIndirect, let payload = enumCase.payload {
      let box = wax_abi_box_allocate(TypeMetadata.pointer(to: payload))
      do throws(Failure) {
        try body(box.contents)
      } catch {
        wax_abi_box_deallocate(box.object)
        throw error
      }
      target.storeBytes(of: box.object, as: UnsafeMutableRawPointer.self)
    } else {
      try body(target)
    }
    witnesses.injectTag(enumCase.tag, into: target)
  }

  private static func contents(ofBoxAt memory: UnsafeRawPointer) -> UnsafeRawPointer {
    UnsafeRawPointer(wax_abi_box_contents(memory.load(as: UnsafeMutableRawPointer.self)))
  }
}
