// SPDX-License-Identifier: MIT

import Glibc
import WaxwingPatches
import WaxwingSystem
package import WaxwingToolKit

/// The store that a command works on, and the fleet in it: from its options, else from the environment, else
/// from `fleet.conf` in the folder of the configuration.
package struct FleetStore: Sendable {
  /// The options of every command.
  static let options = [
    Option("--etcd", "URLS", "the members of etcd, with commas between them (WAXWING_ETCD)"),
    Option("--folder", "DIR", "a folder in place of etcd (WAXWING_FLEET_FOLDER)", .folder),
    Option("--fleet", "NAME", "the fleet (WAXWING_FLEET)"),
    Option("--user", "NAME", "etcd's user (WAXWING_ETCD_USER)"),
    Option(
      "--password-file", "FILE", "the file of the user's password (WAXWING_ETCD_PASSWORD_FILE)",
      .file),
    Option("--ca", "FILE", "the certificate that etcd's are signed with (WAXWING_ETCD_CA)", .file),
    Option(
      "--cert", "FILE", "the certificate that etcd knows this host by (WAXWING_ETCD_CERT)", .file,
      allowsEmpty: true),
    Option(
      "--cert-key", "FILE", "the key of the certificate (WAXWING_ETCD_CERT_KEY)", .file,
      allowsEmpty: true),
    Option(
      "--signers", "FILE", "who may sign sets and rollouts (default /etc/waxwing/allowed_signers)",
      .file),
    Option(
      "--revoked", "FILE", "whose keys are revoked (default /etc/waxwing/revoked_signers)",
      .file),
  ]

  /// What takes the place of options that are not given.
  static let environment = [
    HelpEntry(
      "WAXWING_ETCD, WAXWING_FLEET_FOLDER, WAXWING_FLEET", "as --etcd, --folder and --fleet"),
    HelpEntry("WAXWING_ETCD_USER, WAXWING_ETCD_PASSWORD_FILE", "as --user and --password-file"),
    HelpEntry(
      "WAXWING_ETCD_CA, WAXWING_ETCD_CERT, WAXWING_ETCD_CERT_KEY",
      "as --ca, --cert and --cert-key"),
    HelpEntry(
      "WAXWING_CONFIG_DIR",
      "the folder of fleet.conf, which holds lines NAME = VALUE for the rest; default: /etc/waxwing"
    ),
  ]

  /// The store that has the documents.
  package let backend: any FleetBackend
  /// The fleet's keys in it.
  package let keys: FleetKeys
  /// Verifies what is read from it.
  package let verifier: DocumentVerifier

  /// Opens what the options name; nothing is asked of it yet.
  package init(_ arguments: ParsedArguments) throws(FleetError) {
    let settings = try FleetSettings(arguments)
    keys = try FleetKeys(fleet: try settings.demand("--fleet", "the fleet's name"))
    verifier = DocumentVerifier(
      signers: settings["--signers"] ?? ConfigurationFolder.signers,
      revoked: settings["--revoked"] ?? ConfigurationFolder.revoked)
    if let folder = settings["--folder"], arguments["--etcd"] == nil {
      backend = try FolderBackend(path: folder)
      return
    }
    let endpoints = try settings.demand("--etcd", "etcd's members, or --folder")
    backend = try EtcdBackend(
      EtcdOptions(
        endpoints: endpoints.split(separator: ",").map(String.init), user: settings["--user"],
        password: try settings.password(), authority: settings["--ca"],
        certificate: settings.path("--cert"), certificateKey: settings.path("--cert-key")))
  }
}

/// Values by the names of options.
struct FleetSettings {
  private static let variables = [
    "--etcd": "WAXWING_ETCD", "--folder": "WAXWING_FLEET_FOLDER", "--fleet": "WAXWING_FLEET",
    "--user": "WAXWING_ETCD_USER", "--password-file": "WAXWING_ETCD_PASSWORD_FILE",
    "--ca": "WAXWING_ETCD_CA", "--cert": "WAXWING_ETCD_CERT",
    "--cert-key": "WAXWING_ETCD_CERT_KEY",
  ]
  private static let fileLimit = 64 * 1024

  private let arguments: ParsedArguments
  private let file: [String: String]

  init(_ arguments: ParsedArguments) throws(FleetError) {
    self.arguments = arguments
    let path = ConfigurationFolder.path + "/fleet.conf"
    let bytes: [UInt8]
    do throws(TrustedFile.Problem) {
      bytes = try TrustedFile.read(path, limit: Self.fileLimit)
    } catch .missing {
      bytes = []
    } catch {
      throw FleetError(
        .invalid, "\(path) cannot be trusted or read: \(Self.text(error))",
        remedy: "give it and its folders to root, mode 0644 and 0755")
    }
    file = try Self.parsed(String(decoding: bytes, as: UTF8.self), path)
  }

  /// Lines of `NAME = VALUE`, with the names of options without their dashes.
  static func parsed(_ text: String, _ path: String) throws(FleetError) -> [String: String] {
    var values: [String: String] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let content = trimmed(line.prefix { $0 != "#" })
      if content.isEmpty { continue }
      let parts = content.split(separator: "=", maxSplits: 1).map { trimmed($0) }
      let name = "--" + (parts.first ?? "")
      guard parts.count == 2, FleetStore.options.contains(where: { $0.name == name }) else {
        let names = FleetStore.options.map { $0.name.dropFirst(2) }.joined(separator: ", ")
        throw FleetError(
          .invalid, "\(path):\(index + 1): '\(content)' is no setting",
          remedy: "write NAME = VALUE, with one of the names \(names)")
      }
      values[name] = parts[1]
    }
    return values
  }

  subscript(name: String) -> String? {
    if let value = arguments[name] { return value }
    if let variable = Self.variables[name], let value = ConfigurationFolder.environment(variable) {
      return value
    }
    return file[name]
  }

  /// A file; nil: none is named, or an empty text takes the place of one that is.
  func path(_ name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  func demand(_ name: String, _ what: String) throws(FleetError) -> String {
    if let value = self[name] { return value }
    let variable = Self.variables[name].map { ", set \($0)," } ?? ""
    throw FleetError(
      .invalid, "nothing says \(what)",
      remedy: "give \(name)\(variable) or write it into \(ConfigurationFolder.path)/fleet.conf")
  }

  /// What the file of the password holds, without the end of its line.
  func password() throws(FleetError) -> String? {
    guard let path = self["--password-file"] else { return nil }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FleetError(
        .invalid,
        "the file of the password, \(path), cannot be read: \(ErrorNumber(value: errno).text)",
        remedy: "name with --password-file a file of yours, mode 0600")
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & 0o077 == 0 else {
      throw FleetError(
        .invalid, "the file of the password, \(path), is open to other users",
        remedy: "chmod 600 \(path)")
    }
    let bytes = (try? SystemCall.readAll(descriptor, limit: 4096)) ?? []
    return String(decoding: bytes.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
  }

  private static func text(_ problem: TrustedFile.Problem) -> String {
    switch problem {
    case .missing: "it is not there"
    case .unsafe(let reason), .unreadable(let reason): reason
    }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\r" }.reversed())
  }
}
