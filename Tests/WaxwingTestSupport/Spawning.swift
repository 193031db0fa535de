// SPDX-License-Identifier: MIT

import Foundation

/// Starts a process in a group of its own, with no signal blocked and default handling of all.
///
/// Foundation's `Process` is not used because its pipes are inherited by children that are started
/// at the same time, so that their ends are seen only when those end as well.
///
/// - Throws: `TestSupportError` if there is no such executable.
func spawn(
  _ command: Command, standardOutput: FileDescriptor, standardError: FileDescriptor
) throws -> Int32 {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, standardOutput.number, STDOUT_FILENO)
  posix_spawn_file_actions_adddup2(&actions, standardError.number, STDERR_FILENO)

  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  sigfillset(&signals)
  posix_spawnattr_setsigdefault(&attributes, &signals)
  let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
  posix_spawnattr_setflags(&attributes, Int16(flags))

  let environment = ProcessInfo.processInfo.environment
    .merging(command.environment) { _, added in added }
  // Glibc's own way into a folder, `posix_spawn_file_actions_addchdir_np`, is not there for Swift.
  let move = command.directory.map { ["env", "--chdir", $0] } ?? []
  let words = move + [command.executable] + command.arguments
  var pid: Int32 = 0
  let code = withCStrings(words) { arguments in
    withCStrings(environment.map { "\($0)=\($1)" }) { environment in
      posix_spawnp(&pid, words[0], &actions, &attributes, arguments, environment)
    }
  }
  guard code == 0 else {
    throw TestSupportError("cannot start \(command.executable): \(String(cString: strerror(code)))")
  }
  return pid
}

/// Calls `body` with a null-terminated array of C strings that live as long as the call.
private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { copies.forEach { free($0) } }
  return body(copies + [nil])
}
