// SPDX-License-Identifier: MIT

package import Glibc
import WaxwingControl
package import WaxwingSystem

/// A program that this tool has started.
package struct ChildProcess {
  /// The kinds of its descriptors.
  package enum Stream {
    /// A file that is opened.
    case file(_ descriptor: Int32, _ path: String, _ flags: Int32)
    /// A copy of another descriptor.
    case copy(_ descriptor: Int32, of: Int32)
  }

  package let id: pid_t

  /// Starts a program.
  /// - Parameters:
  ///   - words: Its name, looked for as the shell does unless it has a slash, and its arguments.
  ///   - environment: `NAME=VALUE`; nil: this process's.
  ///   - streams: Set up in this order.
  package init(
    _ words: [String], environment: [String]? = nil, _ streams: [Stream]
  ) throws(ErrorNumber) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for stream in streams {
      switch stream {
      case .file(let descriptor, let path, let flags):
        unsafe posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o644)
      case .copy(let descriptor, let other):
        unsafe posix_spawn_file_actions_adddup2(&actions, other, descriptor)
      }
    }
    let arguments = unsafe words.map { unsafe strdup($0) }
    let variables = unsafe environment?.map { unsafe strdup($0) }
    defer { unsafe (arguments + (variables ?? [])).forEach { unsafe free($0) } }
    var id: pid_t = 0
    let number =
      unsafe variables.map { variables in
        unsafe posix_spawnp(&id, words[0], &actions, nil, arguments + [nil], variables + [nil])
      }
      ?? posix_spawnp(&id, words[0], &actions, nil, arguments + [nil], environ)
    guard number == 0 else { throw ErrorNumber(value: number) }
    self.id = id
  }

  /// Waits for its end, once.
  /// - Returns: As waitpid(2) has it: 0 if it has ended well.
  package func wait() -> Int32 {
    var status: Int32 = 0
    _ = SystemCall.retrying { unsafe waitpid(id, &status, 0) }
    return status
  }
}
