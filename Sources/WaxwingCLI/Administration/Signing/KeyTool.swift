// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl
import WaxwingSystem
import WaxwingToolKit

/// `ssh-keygen`, which has the keys: this tool never sees one.
struct KeyTool {
  /// Signs what a file holds; the signature is written to another.
  ///
  /// Passphrases are asked for on the terminal, and keys in ssh-agent are used, as always.
  static func sign(
    _ file: String, namespace: String, key: String, into output: String
  ) throws(CommandError) {
    let process: ChildProcess
    do throws(ErrorNumber) {
      process = try ChildProcess(
        ["ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", key],
        [
          .file(STDIN_FILENO, file, O_RDONLY),
          .file(STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_EXCL),
        ])
    } catch {
      throw CommandError(
        .failure, "cannot run ssh-keygen: \(error.text)", remedy: "install openssh-client")
    }
    guard process.wait() == 0 else {
      throw CommandError(
        .refused, "ssh-keygen did not sign with \(key)",
        remedy: "name a key with --key; `ssh-keygen -t ed25519` makes one")
    }
  }

  /// The key that is used if none is named. Where only its public half is there, ssh-agent has the rest.
  static func defaultKey() throws(CommandError) -> String {
    guard let home = unsafe getenv("HOME") else {
      throw .usage("HOME is not set, so there is no place to look for a key", command: "sign")
    }
    let key = unsafe String(cString: home) + "/.ssh/id_ed25519"
    for path in [key, key + ".pub"] where unsafe access(path, R_OK) == 0 { return path }
    throw CommandError(
      .refused, "there is no key \(key)",
      remedy: "name one with --key, or make one: ssh-keygen -t ed25519")
  }
}
