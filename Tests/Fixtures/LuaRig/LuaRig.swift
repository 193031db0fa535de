// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
package import WaxwingLua
package import WaxwingValues

/// A Lua state whose values Swift code reads as it reads the arguments of a call.
package final class LuaRig {
  private let lua: LuaState

  /// What codecs of functions need, without a state.
  package static func installCodecs() { OverrideLayers.install() }

  package init() throws {
    Self.installCodecs()
    lua = try LuaState(
      memoryLimit: nil, libraries: WAX_LIBRARY_LIBRARIES_SAFE,
      hooks: wax_proxy_hooks(
        release: { kind, pointer, _ in
          guard let pointer, kind == WAX_PROXY_KIND_OBJECT.rawValue else { return }
          Unmanaged<AnyObject>.fromOpaque(pointer).release()
        },
        make_metatable: { _, L, type, kind in
          "rig".withCString { name in
            var metatable = wax_proxy_metatable()
            metatable.name = name
            return wax_proxy_define_metatable(L, type, kind, &metatable)
          }
        }, context: nil, make_type_object: nil, current_thread: { 1 }))
  }

  /// Gives `body` a reader at the first of some values.
  ///
  /// - Parameters:
  ///   - expressions: In Lua, separated by commas; `...` are the objects.
  ///   - objects: Swift objects that stand among the values.
  package func reading<Result>(
    _ expressions: String, _ objects: [AnyObject] = [], _ body: (LuaReader) -> Result
  ) throws(LuaFailure) -> Result {
    try calling(
      expressions,
      { writer in
        for object in objects { writer.object(Unmanaged.passUnretained(object).toOpaque()) }
      }, body)
  }

  /// Sends a value to Lua and back.
  /// - Returns: What came back, or why nothing did.
  package func returned<Value>(_ value: Value) throws -> Result<Value, ConversionError> {
    let codec = try CodecLibrary.codec(for: Value.self)
    func write(_ writer: LuaWriter) { withUnsafePointer(to: value) { codec.push($0, writer) } }
    return try calling("...", write) { reader in
      var reader = reader
      return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
        let place = memory.baseAddress.unsafelyUnwrapped  // not empty
        do throws(ConversionError) {
          try codec.read(&reader, into: place)
          return .success(place.move())
        } catch {
          return .failure(error)
        }
      }
    }
  }

  /// Reads a Lua value as one of a type that it is not of.
  /// - Returns: Why it is refused; nil: it is not.
  package func refusal(of expression: String, as type: any Any.Type) throws -> String? {
    let codec = try CodecLibrary.codec(for: type)
    return try calling(expression, { _ in }) { reader in
      var reader = reader
      return withUnsafeTemporaryAllocation(
        byteCount: codec.stride, alignment: codec.alignment
      ) { memory in
        let place = memory.baseAddress.unsafelyUnwrapped  // not empty
        do throws(ConversionError) {
          try codec.read(&reader, into: place)
          codec.destroy(place)
          return nil
        } catch {
          return error.description
        }
      }
    }
  }

  private func calling<Result>(
    _ expressions: String, _ write: (LuaWriter) -> Void, _ body: (LuaReader) -> Result
  ) throws(LuaFailure) -> Result {
    try lua.entered { () throws(LuaFailure) in
      guard let coroutine = LuaCoroutine(lua) else { fatalError("no memory for a coroutine") }
      defer { coroutine.release() }
      let source = Array("return \(expressions)".utf8)
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 1)
      defer { bytes.deallocate() }
      bytes.copyBytes(from: source)
      let chunk = try coroutine.load(
        UnsafeRawBufferPointer(bytes), chunkName: "=rig", environment: nil)
      write(coroutine.writer)
      _ = try coroutine.call(chunk)
      return body(coroutine.reader)
    }
  }
}
