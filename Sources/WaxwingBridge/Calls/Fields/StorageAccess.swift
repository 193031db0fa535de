// SPDX-License-Identifier: MIT

package import CWaxwingLua
internal import WaxwingDeclarations
package import WaxwingLua
package import WaxwingReflection
internal import WaxwingValues

/// Reads a global variable or a static property where it stands, for want of a getter.
package struct StorageAccess {
  private let storage: RunningStorage
  private let codec: ValueCodec

  /// - Parameter name: For messages.
  /// - Throws: If values of its type cannot cross.
  package init(
    _ storage: RunningStorage, _ name: String, _ program: RunningProgram
  ) throws(LuaRaise) {
    self.storage = storage
    guard let type = program.runtimeType(storage.type) else {
      throw .message(
        "\(name) has type \(storage.type.shortDescription()), which the runtime does not know by "
          + "name")
    }
    do throws(UnsupportedType) {
      codec = try CodecLibrary.codec(for: type)
    } catch {
      throw .message("\(name) cannot cross: \(error)")
    }
  }

  /// Registers a Lua function that returns the value.
  package func register(in state: LuaState) -> UnsafeMutablePointer<wax_lua_callback> {
    state.register { [unowned state] (call) throws(LuaRaise) in
      // The first use may run the program's own code.
      guard let address = state.suspended({ storage.valueAddress }) else { return }
      codec.push(address, call.writer)
    }
  }
}
