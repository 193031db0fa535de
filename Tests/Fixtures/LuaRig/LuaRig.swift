// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingBridge
package import WaxwingLua

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
        release: { _, pointer, _ in
          guard let pointer else { return }
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
    try lua.entered { () throws(LuaFailure) in
      guard let coroutine = LuaCoroutine(lua) else { fatalError("no memory for a coroutine") }
      defer { coroutine.release() }
      let source = Array("return \(expressions)".utf8)
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 1)
      defer { bytes.deallocate() }
      bytes.copyBytes(from: source)
      let chunk = try coroutine.load(
        UnsafeRawBufferPointer(bytes), chunkName: "=rig", environment: nil)
      for object in objects {
        coroutine.writer.object(Unmanaged.passUnretained(object).toOpaque())
      }
      _ = try coroutine.call(chunk)
      return body(coroutine.reader)
    }
  }
}
