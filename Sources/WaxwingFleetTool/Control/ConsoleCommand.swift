// SPDX-License-Identifier: MIT

import Glibc
import WaxwingConsole
import WaxwingFleet
import WaxwingPatches
import WaxwingSystem
import WaxwingToolKit

/// `waxwing-fleet console`: a web page that shows the fleet.
struct ConsoleCommand: FleetCommand {
  let name = "console"
  let summary = "serves a web page, on this machine only, that shows the rollout as it happens"
  let usage = ["[--port N] [--key FILE]"]
  let options = [
    Option("--port", "N", "the port on 127.0.0.1 (default: any that is free)"),
    Option(
      "--key", "FILE", "let the page halt the fleet, for who types what is in FILE (mode 0600)",
      .file),
  ]
  let notes = [
    """
    Open the address that the command prints. It contains a token, without which nothing is shown.
    To look from another machine, forward the port: ssh -L 8080:127.0.0.1:PORT HOST, with the same
    port at both ends.
    """,
    """
    Without --key the page only shows. With it, a halt asks for the fleet's name, a reason and the key; etcd's
    user has to have the right to write the halt, too.
    """,
  ]

  private static let keyLimit = 1024
  private static let pause = 1500

  func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let store = try FleetStore(arguments)
    let key = try arguments["--key"].map { path throws(FleetError) in try Self.key(path) }
    let port = try arguments.number("--port") ?? 0
    guard let number = UInt16(exactly: port) else {
      throw FleetError(
        .invalid, "--port needs a number below 65536",
        remedy: "leave it out for any port that is free")
    }
    let signals = StopSignals()
    let server = try ConsoleServer(port: number)
    let access = ConsoleAccess(port: server.port, key: key)
    let routes = ConsoleRoutes(
      access, backend: store.backend, keys: store.keys,
      by: "console on \(HostName.own), user \(getuid())")
    var look = ConsoleLook(
      backend: store.backend, keys: store.keys, verifier: store.verifier)
    routes.show(look.document())
    server.serve(routes)
    console.print("http://127.0.0.1:\(server.port)\(access.path)")
    while !signals.come(within: Self.pause) { routes.show(look.document()) }
    return .success
  }

  /// The contents of the file without the line break at its end. Other users must not be able to
  /// read it.
  private static func key(_ path: String) throws(FleetError) -> [UInt8] {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw FleetError(
        .invalid, "the key's file \(path) cannot be read: \(ErrorNumber(value: errno).text)",
        remedy: "write a line of at least 8 characters into it, mode 0600")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw FleetError(
        .invalid, "others may read the key's file \(path)", remedy: "chmod 600 \(path)")
    }
    let bytes: [UInt8]
    do throws(TrustedFile.Problem) {
      bytes = try TrustedFile.read(path, limit: keyLimit)
    } catch {
      throw FleetError(
        .invalid, "the key's file \(path) cannot be trusted or read",
        remedy: "it has to be a file of yours or root's, in folders that no other user can change")
    }
    let key = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
    guard key.count >= 8 else {
      throw FleetError(
        .invalid, "the key in \(path) has fewer than 8 characters",
        remedy: "make it longer: `openssl rand -hex 16`")
    }
    return key
  }
}
