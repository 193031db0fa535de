// SPDX-License-Identifier: MIT

internal import CWaxwingProcess
internal import Glibc

/// The environment variables that the store uses.
package struct SystemEnvironment: Sendable {
  let isRoot: Bool
  /// A variable's value; nil if it is not set or empty.
  let variable: @Sendable (String) -> String?
  /// Whether something is at a path.
  let exists: @Sendable (String) -> Bool

  package init(
    isRoot: Bool, variable: @escaping @Sendable (String) -> String?,
    exists: @escaping @Sendable (String) -> Bool
  ) {
    self.isRoot = isRoot
    self.variable = variable
    self.exists = exists
  }

  /// The environment of this process. A process that has more rights than its user has no
  /// variables.
  package static let current = SystemEnvironment(
    isRoot: geteuid() == 0,
    variable: { name in
      guard let value = unsafe wax_process_environment(name) else { return nil }
      let text = unsafe String(cString: value)
      return text.isEmpty ? nil : text
    },
    exists: { path in
      var status = stat()
      return unsafe lstat(path, &status) == 0
    })

  /// The folder that the folders of programs are in; nil: there is no place for one.
  package var stateFolder: String? {
    if let chosen = variable("WAXWING_STATE_DIR") { return chosen }
    // systemd gives a list, of what `StateDirectory=` has.
    if let given = variable("STATE_DIRECTORY")?.split(separator: ":").first { return String(given) }
    if isRoot { return "/var/lib/waxwing" }
    if let given = variable("XDG_STATE_HOME") { return given + "/waxwing" }
    return variable("HOME").map { $0 + "/.local/state/waxwing" }
  }

  /// Why no kept patch is to be started; nil: they are.
  /// - Parameter name: The instance's, `bankd@blue`, where it has another name than the program.
  package func disabled(program: String, name: String? = nil) -> String? {
    if let value = variable("WAXWING_DISABLE"), value != "0" {
      return "WAXWING_DISABLE is set in the program's environment"
    }
    let configuration = variable("WAXWING_CONFIG_DIR") ?? "/etc/waxwing"
    let names = [program] + [name].compactMap { $0 == program ? nil : $0 }
    let files = [configuration, "/run/waxwing"].flatMap { folder in
      ["\(folder)/disable"] + names.map { "\(folder)/disable.\($0)" }
    }
    return files.first(where: exists).map { "\($0) is there" }
  }
}
