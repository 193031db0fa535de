// SPDX-License-Identifier: MIT

internal import WaxwingLua

/// Values that live until a call is over. Destroying them may run the program's own code: only with
/// the Lua state left.
struct Temporaries {
  private var memory: [(memory: UnsafeMutableRawPointer, codec: ValueCodec)] = []
  private var values: [Any] = []

  /// Takes over memory from `ValueBox.allocate` and the value in it.
  mutating func add(_ memory: UnsafeMutableRawPointer, _ codec: ValueCodec) {
    self.memory.append((memory, codec))
  }

  mutating func add(_ value: Any) { values.append(value) }

  var isEmpty: Bool { memory.isEmpty && values.isEmpty }

  /// Destroys all. Must be called once.
  mutating func end(_ state: LuaState) {
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
