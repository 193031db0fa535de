// SPDX-License-Identifier: MIT

internal import CWaxwingABI
package import WaxwingLua

/// One stored property in the memory of its owner: `base` is the struct's value or the object.
package struct StoredField {
  package let field: TypeMetadata.Field
  package let codec: ValueCodec

  package init(_ field: TypeMetadata.Field) throws(UnsupportedType) {
    if field.storage == .unmanaged {
      throw UnsupportedType(
        field.type, because: "it is unowned(unsafe): nothing tells whether its object exists")
    }
    self.field = field
    codec = try CodecLibrary.codec(
      for: field.type, as: InstalledLayers.current.abstraction(of: field))
  }

  /// Writes the property for Lua.
  /// - Parameter temporaries: Keep what was written alive until it has been pushed.
  package func push(
    _ base: UnsafeMutableRawPointer, _ writer: LuaWriter, _ temporaries: inout Temporaries
  ) throws(ConversionError) {
    let source = base + field.offset
    if field.storage == .strong { return codec.push(source, writer) }
    let value = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
    guard field.storage.load(source, size: codec.size, into: value) || field.storage == .weak else {
      value.deallocate()
      throw ConversionError(
        expected: "the object that `\(field.shownName)` refers to",
        found: "none: it is unowned, and the object does not exist any more")
    }
    temporaries.add(value, codec)
    codec.push(value, writer)
  }

  /// A copy of the property's value, for `end(copy:)`; nil if it is no strong one.
  package func copy(in base: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    guard field.storage == .strong else { return nil }
    let value = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
    codec.copy(base + field.offset, to: value)
    return value
  }

  /// Writes such a copy for Lua.
  package func push(copy: UnsafeMutableRawPointer, _ writer: LuaWriter) { codec.push(copy, writer) }

  package func end(copy: UnsafeMutableRawPointer) {
    codec.destroy(copy)
    copy.deallocate()
  }

  /// Initializes the property.
  func initialize(
    in base: UnsafeMutableRawPointer, _ reader: inout LuaReader
  ) throws(ConversionError) {
    if field.storage == .strong { return try read(&reader, into: base + field.offset) }
    let value = try makeValue(&reader)
    field.storage.initialize(value, size: codec.size, at: base + field.offset)
    codec.destroy(value)
    value.deallocate()
  }

  /// Undoes `initialize`.
  func deinitialize(in base: UnsafeMutableRawPointer) {
    switch field.storage {
    case .strong: codec.destroy(base + field.offset)
    case .weak: wax_abi_weak_assign(base + field.offset, nil)
    case .unowned:
      wax_abi_unowned_release((base + field.offset).load(as: UnsafeMutableRawPointer?.self))
    case .unmanaged: break
    }
  }

  /// Changes the property. The old value, or the object that a weak one no longer needs, is left to
  /// `temporaries`.
  package func write(
    _ base: UnsafeMutableRawPointer, _ reader: inout LuaReader, _ temporaries: inout Temporaries
  ) throws(ConversionError) {
    let value = try makeValue(&reader)
    let target = base + field.offset
    if field.storage == .strong {
      codec.swap(target, value)
    } else {
      field.storage.assign(value, size: codec.size, to: target)
    }
    temporaries.add(value, codec)
  }

  private func makeValue(
    _ reader: inout LuaReader
  ) throws(ConversionError) -> UnsafeMutableRawPointer {
    let value = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
    do throws(ConversionError) {
      try read(&reader, into: value)
    } catch {
      value.deallocate()
      throw error
    }
    return value
  }

  private func read(
    _ reader: inout LuaReader, into target: UnsafeMutableRawPointer
  ) throws(ConversionError) {
    do throws(ConversionError) {
      try codec.read(&reader, into: target)
    } catch {
      throw error.at(.key(field.shownName))
    }
  }
}
