// SPDX-License-Identifier: MIT

internal import Glibc
internal import WaxwingPatches

/// Where a program's audit log is kept unless its configuration says otherwise.
package struct LogFolder: Hashable, Sendable {
  /// The path of the folder.
  package let folder: String
  /// Whether the folder was chosen for this program.
  package let isChosen: Bool
  /// The first folder on the way that may have to be made.
  private let made: [String]

  /// The value of `WAXWING_LOG_DIR` that turns the log off.
  private static let off = "off"

  /// `$WAXWING_LOG_DIR`, else systemd's `$LOGS_DIRECTORY`, else `/var/log/waxwing` for root, else the
  /// program's folder for what it keeps; nil: none is wanted, or
  /// it is a user without a home.
  /// - Parameter store: Where the configuration says that the program's folder is.
  package static func place(of program: String, store: String? = nil) -> LogFolder? {
    let variable = ConfigurationFolder.environment
    if variable("WAXWING_LOG_DIR") == off { return nil }
    if let chosen = variable("WAXWING_LOG_DIR") ?? first(variable("LOGS_DIRECTORY")) {
      return LogFolder(folder: chosen, isChosen: true, made: [chosen])
    }
    if geteuid() == 0 {
      return LogFolder(folder: "/var/log/waxwing", isChosen: false, made: ["/var/log/waxwing"])
    }
    if let state = store ?? variable("WAXWING_STATE_DIR") ?? first(variable("STATE_DIRECTORY")) {
      return LogFolder(
        folder: "\(state)/\(program)", isChosen: false, made: [state, "\(state)/\(program)"])
    }
    guard let home = variable("HOME") else { return nil }
    let state = variable("XDG_STATE_HOME") ?? "\(home)/.local/state"
    let parts = ["\(home)/.local", state, "\(state)/waxwing", "\(state)/waxwing/\(program)"]
    return LogFolder(folder: parts[3], isChosen: false, made: parts)
  }

  /// Makes the folder if it is not there.
  /// - Returns: Whether something can be kept in it; what was chosen counts as such, so that it is an
  ///   error if not.
  package func isUsable() -> Bool {
    for path in made { unsafe mkdir(path, geteuid() == 0 ? 0o750 : 0o700) }
    return unsafe isChosen || access(folder, W_OK) == 0
  }

  /// systemd separates several with colons.
  private static func first(_ list: String?) -> String? {
    list?.split(separator: ":").first.map(String.init)
  }
}
