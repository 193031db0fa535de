// SPDX-License-Identifier: MIT

package import CWaxwingLua
package import WaxwingLua
package import WaxwingReflection
internal import WaxwingValues

/// The texts that `tostring` and `print` show for a proxy.
package enum ProxyDescription {
  /// - Parameter reader: Stands after the proxy, at the names and values of the object's own Lua
  ///   fields.
  package static func of(
    _ value: wax_lua_value, _ reader: inout LuaReader, _ typeName: String, in state: LuaState,
    _ program: RunningProgram
  ) -> String {
    // The program's own `description` may run.
    if value.tag == WAX_LUA_VALUE_OBJECT.rawValue, let object = value.pointer {
      let fields = fields(&reader)
      return state.suspended { ValueText.object(object, more: fields) }
    }
    let proxy = value.pointer.assumingMemoryBound(to: wax_proxy.self).pointee
    guard proxy.kind == WAX_PROXY_KIND_VALUE.rawValue, let box = proxy.pointer,
      let type = proxy.type
    else { return "\(typeName) (not initialized)" }
    let metatype = TypeMetadata.type(at: type)
    return state.suspended {
      OptionSetNames.text(metatype, at: box, in: program) ?? ValueText.value(metatype, at: box)
    }
  }

  private static func fields(_ reader: inout LuaReader) -> [String] {
    let table = reader.read()
    guard table.tag == WAX_LUA_VALUE_TABLE.rawValue else { return [] }
    var texts: [String] = []
    for _ in 0..<table.count {
      let name = reader.displayString(reader.read()) ?? ""
      let value = reader.peeked
      let text =
        reader.displayString(value).map(\.debugDescription)
        ?? ValueDescription.brief(value, reader)
      texts.append("\(name): \(text)")
      reader.skip()
    }
    return texts.sorted()
  }
}
