// SPDX-License-Identifier: MIT

import Glibc
import WaxwingFleet
import WaxwingPatches
import WaxwingSystem
import WaxwingToolKit

/// Signs documents through `ssh-keygen`, so that this program never sees a key.
struct DocumentSigner {
  static let option = Option(
    "--key", "FILE", "the Ed25519 key, or its .pub if ssh-agent has it (~/.ssh/id_ed25519)", .file)

  private let key: String

  init(_ arguments: ParsedArguments) throws(FleetError) {
    if let named = arguments["--key"] {
      key = named
      return
    }
    guard let home = ConfigurationFolder.environment("HOME") else {
      throw FleetError(
        .invalid, "HOME is not set, so there is no place to look for a key",
        remedy: "name one with --key")
    }
    let path = home + "/.ssh/id_ed25519"
    let found = [path, path + ".pub"].first { (file: String) in unsafe access(file, R_OK) == 0 }
    guard let found else {
      throw FleetError(
        .invalid, "there is no key \(path)",
        remedy: "name one with --key, or make one: ssh-keygen -t ed25519")
    }
    key = found
  }

  /// The document with its signature, made with a key that is in the list of those who may sign.
  func signed(
    _ bytes: [UInt8], _ verifier: DocumentVerifier
  ) throws(FleetError) -> SignedDocument {
    var template = Array("/tmp/waxwing-fleet-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw failure("a folder in /tmp", errno) }
    let folder = String(
      decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let (message, signature) = (folder + "/document", folder + "/document.sig")
    defer {
      unsafe unlink(message)
      unsafe unlink(signature)
      unsafe rmdir(folder)
    }
    try write(bytes, to: message)
    guard try run(from: message, to: signature) else {
      throw FleetError(
        .untrusted, "ssh-keygen did not sign with \(key)",
        remedy: "name a key with --key; `ssh-keygen -t ed25519` makes one")
    }
    let text = try read(signature)
    let document = SignedDocument(bytes: bytes, signature: text)
    // What agents would refuse is not published.
    _ = try verifier.signer(of: document, named: "the new document")
    return document
  }

  private func run(from message: String, to signature: String) throws(FleetError) -> Bool {
    let words = ["ssh-keygen", "-q", "-Y", "sign", "-n", SignedDocument.namespace, "-f", key]
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, message, O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, signature, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    let arguments = unsafe words.map { unsafe strdup($0) }
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let number = unsafe posix_spawnp(
      &process, words[0], &actions, nil, arguments + [nil], environ)
    guard number == 0 else {
      throw FleetError(
        .invalid, "cannot run ssh-keygen: \(ErrorNumber(value: number).text)",
        remedy: "install openssh-client")
    }
    var status: Int32 = 0
    _ = SystemCall.retrying { unsafe waitpid(process, &status, 0) }
    return status == 0
  }

  private func write(_ bytes: [UInt8], to path: String) throws(FleetError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    do throws(ErrorNumber) { try SystemCall.writeAll(bytes[...], to: descriptor) } catch {
      throw failure(path, error.value)
    }
  }

  private func read(_ path: String) throws(FleetError) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    do throws(ErrorNumber) {
      return String(
        decoding: try SystemCall.readAll(descriptor, limit: PatchVerifier.signatureLimit),
        as: UTF8.self)
    } catch { throw failure(path, error.value) }
  }

  private func failure(_ what: String, _ number: Int32) -> FleetError {
    FleetError(
      .invalid, "\(what): \(ErrorNumber(value: number).text)",
      remedy: "check that /tmp has room, and that you may write there")
  }
}
