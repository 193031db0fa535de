// SPDX-License-Identifier: MIT

package import CWaxwingLua
internal import Glibc
package import WaxwingLua

/// The setter of a stored property of an object: it runs the property's observers.
package protocol PropertySetter {
  /// - Parameter memory: The new value, which is taken over; the memory stays.
  func call(_ owner: AnyObject, _ memory: UnsafeMutableRawPointer, _ state: LuaState)
}

/// A Swift collection that Lua works on in place of a copy of it as a table: a property of an
/// object, or a value of its own.
package final class LiveCollection {
  package let form: CollectionForm
  /// What messages and `tostring` say: `[Int]`, `Bank.Account.tags`.
  package var title: String { makeTitle() }
  private let makeTitle: () -> String
  private let memory: UnsafeMutableRawPointer
  /// The object whose stored property the memory is; nil if the memory is this object's own.
  private let owner: AnyObject?
  private let setter: (any PropertySetter)?
  package let isVariable: Bool

  /// A value of its own, in memory from `ValueBox.allocate` that is taken over.
  init(_ form: CollectionForm, owning memory: UnsafeMutableRawPointer) {
    self.form = form
    self.memory = memory
    makeTitle = { form.codec.typeName }
    owner = nil
    setter = nil
    isVariable = true
  }

  /// A stored property of `owner`.
  /// - Parameter setter: What changes go through; nil: the memory is written.
  package init(
    _ form: CollectionForm, _ field: TypeMetadata.Field, of owner: AnyObject,
    title: @autoclosure @escaping () -> String, setter: (any PropertySetter)?
  ) {
    self.form = form
    makeTitle = title
    self.owner = owner
    self.setter = setter
    memory = Unmanaged.passUnretained(owner).toOpaque() + field.offset
    isVariable = field.isVariable
  }

  deinit {
    if owner != nil { return }
    form.codec.destroy(memory)
    memory.deallocate()
  }

  /// Whether only this script can change it: it is a value of its own, or a `let` property.
  package var isUnshared: Bool { owner == nil || !isVariable }

  /// The collection as it is now.
  package var contents: UnsafeRawPointer { UnsafeRawPointer(memory) }

  /// Runs `body` on the collection, or on a copy that the property's setter then gets; not if
  /// `body` fails.
  package func change(
    _ temporaries: inout Temporaries, _ state: LuaState,
    _ body: (UnsafeMutableRawPointer, inout Temporaries) throws(ConversionError) -> Void
  ) throws(ConversionError) {
    guard let owner, let setter else { return try body(memory, &temporaries) }
    let copy = ValueBox.allocate(size: form.codec.size, alignment: form.codec.alignment)
    form.codec.copy(memory, to: copy)
    do throws(ConversionError) {
      try body(copy, &temporaries)
    } catch {
      temporaries.add(copy, form.codec)
      throw error
    }
    setter.call(owner, copy, state)
    copy.deallocate()
  }
}

extension LiveCollection {
  private static var metadata: UnsafeRawPointer { TypeMetadata.pointer(to: LiveCollection.self) }
  private static let box = BoxCodec<LiveCollection>()

  /// Writes a live copy of the collection at `source`.
  static func push(_ source: UnsafeRawPointer, _ form: CollectionForm, _ writer: LuaWriter) {
    let codec = form.codec
    let memory = ValueBox.allocate(size: codec.size, alignment: codec.alignment)
    codec.copy(source, to: memory)
    push(LiveCollection(form, owning: memory), writer)
  }

  package static func push(_ live: LiveCollection, _ writer: LuaWriter) {
    withUnsafePointer(to: live) { box.push($0, writer) }
  }

  /// The live collection in a Lua value; nil for other values.
  package static func of(_ value: wax_lua_value) -> LiveCollection? {
    ValueBox.contents(of: value, type: metadata)?
      .assumingMemoryBound(to: LiveCollection.self).pointee
  }

  /// Initializes `target` with the collection, sharing its storage, if the value is a live
  /// collection of this type.
  static func copy(
    _ value: wax_lua_value, _ type: any Any.Type, into target: UnsafeMutableRawPointer
  ) -> Bool {
    guard let live = of(value), live.form.codec.type == type else { return false }
    live.form.codec.copy(live.memory, to: target)
    return true
  }

  /// Whether the value is a live collection of this type that shares the storage of the one at
  /// `source`: neither has been changed since one was copied from the other.
  static func shares(
    _ value: wax_lua_value, _ type: any Any.Type, _ source: UnsafeRawPointer
  ) -> Bool {
    guard let live = of(value), live.form.codec.type == type else { return false }
    return memcmp(live.memory, source, live.form.codec.size) == 0
  }

  /// The collection as a Swift value.
  var value: Any {
    func load<Value>(_: Value.Type) -> Any { memory.assumingMemoryBound(to: Value.self).pointee }
    return _openExistential(form.codec.type, do: load)
  }
}

/// Values of a collection type that go to Lua live, as copies: where no type is declared.
/// Unchecked: immutable, like every codec.
final class LiveCodec<Value>: TypedCodec<Value>, @unchecked Sendable {
  private let form: CollectionForm

  /// Creates the codec; nil if values of the type are no collections of that kind.
  init?(_ codec: ValueCodec) {
    guard let form = codec.collectionForm() else { return nil }
    self.form = form
    super.init()
  }

  override func push(_ source: UnsafeRawPointer, _ writer: LuaWriter) {
    LiveCollection.push(source, form, writer)
  }

  override func matches(_ reader: inout LuaReader, _ source: UnsafeRawPointer) -> Bool {
    LiveCollection.shares(reader.read(), type, source)
  }
}
