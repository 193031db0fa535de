// SPDX-License-Identifier: MIT

package import WaxwingLua

/// Values that live until a call is over. Destroying them may run the program's own code: only with
/// the Lua state left.
package struct Temporaries {
  private var memory: [(memory: UnsafeMutableRawPointer, codec: ValueCodec)] = []
  private var values: [Any] = []

  package init() {}

  /// Takes over memory from `ValueBox.allocate` and the value in it.
  mutating func add(_ memory: UnsafeMutableRawPointer, _ codec: ValueCodec) {
    self.memory.append((memory, codec))
  }

  package mutating func add(_ value: Any) { values.append(value) }

  package var isEmpty: Bool { memory.isEmpty && values.isEmpty }

  /// Destroys all. Must be called once.
  package mutating func end(_ state: LuaState) {
    if isEmpty { return }
    state.suspended {
      for value in memory {
        value.codec.destroy(value.memory)
        value.memory.deallocate()
      }
      memory = []
      values = []
    }
  }
}
