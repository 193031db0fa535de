// SPDX-License-Identifier: MIT

internal import CWaxwingLua

extension LuaState {
  /// A stay of a thread in a state.
  package struct Presence: Hashable, Sendable {
    /// The kernel's id of the thread.
    package let thread: UInt64
    /// The number of the stay, which is unique in the state. A stay seen twice has lasted for the
    /// time between.
    let turn: UInt64
  }

  /// The thread that is in the state now; nil if there is none. Does not wait.
  /// - Precondition: It is not closed meanwhile.
  package var presence: Presence? {
    let present = wax_lua_presence_now(handle)
    return present.thread == 0 ? nil : Presence(thread: present.thread, turn: present.turn)
  }

  /// The number of the last stay, whether it is over or not.
  /// - Precondition: It is not closed meanwhile.
  package var lastTurn: UInt64 { wax_lua_presence_now(handle).turn }

  /// Lets calls that wait for it go on without it: the thread that is in does not come out.
  package func giveUp() { wax_lua_abandon(handle) }
}
