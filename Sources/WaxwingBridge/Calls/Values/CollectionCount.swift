// SPDX-License-Identifier: MIT

package import WaxwingLua
internal import WaxwingValues

/// `#` of values whose type is a `Collection` and has no `count` of its own: what the conformance says.
package struct CollectionCount {
  private let type: any Any.Type
  private let state: LuaState

  /// Creates the counter; nil if the type is no collection.
  package init?(_ type: any Any.Type, _ state: LuaState) {
    guard type is any Collection.Type else { return nil }
    self.type = type
    self.state = state
  }

  /// Counts the elements; Lua calls this as (proxy).
  package func run(_ call: inout LuaCall) throws(LuaRaise) {
    var reader = call.arguments
    let value: Any
    do throws(ConversionError) {
      value = try CodecLibrary.known(type).readAny(&reader)
    } catch {
      throw .message("`#` of a \(TypeName.short(type)): \(error)")
    }
    guard let collection = value as? any Collection else {
      throw .message("`#` of a \(TypeName.short(type)): it is no collection")
    }
    call.writer.integer(state.suspended { collection.count })
  }
}
