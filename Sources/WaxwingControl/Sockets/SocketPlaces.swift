// SPDX-License-Identifier: MIT

import Glibc

/// The places where the tool looks for daemons: only `$WAXWING_SOCKET_DIR` if it is set; otherwise
/// the folder of its user, `/run/waxwing`, and the folders in that, which belong to services with
/// their own users.
package struct SocketPlaces: Sendable {
  /// The daemons and problems that a search found.
  package struct Findings: Sendable {
    /// The daemons, ordered by name.
    package var daemons: [LiveDaemon] = []
    /// The folders that were left out because another user could have forged them, or because this user
    /// may not look into them.
    package var leftOut: [ControlError] = []
  }

  /// Where a daemon of this user is unless it says otherwise.
  package let own: SocketDirectory

  /// The folder that has services' folders in it; nil: the user named one folder.
  private let system: String?

  /// The places of this process's user.
  /// - Parameter system: A path to use in place of `/run/waxwing`.
  package static func current(system: String = SocketDirectory.system) -> SocketPlaces {
    SocketPlaces(uid: geteuid(), system: system, environment: SocketDirectory.environment)
  }

  package init(uid: UInt32, system: String, environment: (String) -> String?) {
    own = SocketDirectory(uid: uid, system: system, environment: environment)
    self.system = environment("WAXWING_SOCKET_DIR") == nil ? system : nil
  }

  /// The folders, for messages.
  package var title: String {
    guard let system else { return own.path }
    let folders = own.path == system ? system : "\(own.path), \(system)"
    return "\(folders) and \(system)/*"
  }

  /// All folders that are searched: the user's own one, whether or not it exists, and the others
  /// that exist.
  package var folders: [SocketDirectory] {
    guard let system, exists(system) else { return [own] }
    let inside = FolderListing.names(in: system).filter { $0 != "." && $0 != ".." }.sorted()
    let paths = [system] + inside.map { "\(system)/\($0)" }.filter(isFolder)
    return [own] + paths.filter { $0 != own.path }.map(SocketDirectory.init(path:))
  }

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The daemons that accept connections, or are too busy for that.
  /// - Throws: ``ControlError`` if this user's own folder could have been forged by another.
  package func liveDaemons(timeout: Double = 1) throws(ControlError) -> Findings {
    var findings = Findings(daemons: try own.liveDaemons(timeout: timeout))
    guard let system, exists(system) else { return findings }
    do throws(ControlError) {
      // Who can write there could put forged folders beside the services'.
      try SocketFolder.check(system)
    } catch {
      findings.leftOut.append(error)
      return findings
    }
    if system != own.path { look(into: SocketDirectory(path: system), timeout, &findings) }
    for name in FolderListing.names(in: system) where name != "." && name != ".." {
      let path = "\(system)/\(name)"
      guard path != own.path, isFolder(path) else { continue }
      look(into: SocketDirectory(path: path), timeout, &findings)
    }
    findings.daemons.sort { ($0.name.text, $0.path) < ($1.name.text, $1.path) }
    return findings
  }

  private func look(into directory: SocketDirectory, _ timeout: Double, _ findings: inout Findings)
  {
    do throws(ControlError) {
      guard unsafe access(directory.path, R_OK | X_OK) == 0 else {
        throw .closed(directory.path)
      }
      findings.daemons += try directory.liveDaemons(timeout: timeout)
    } catch {
      findings.leftOut.append(error)
    }
  }

  private func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }
}

extension ControlError {
  fileprivate static func closed(_ folder: String) -> ControlError {
    var status = stat()
    let owner = unsafe lstat(folder, &status) == 0 ? " (uid \(status.st_uid))" : ""
    return ControlError(
      .notPermitted, message: "the socket folder \(folder) is closed to you by its owner\(owner)",
      remedy: "run waxwing as that user or as root")
  }
}
