// SPDX-License-Identifier: MIT

import WaxwingTestSupport

/// An authority of a test's own, and a certificate of it for 127.0.0.1, by `openssl`.
final class EtcdCertificates {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try openssl(["req", "-x509"] + newKey("authority") + ["-days", "2", "-out", authority])
    try openssl(["req"] + newKey("member") + ["-out", path("request")])
    try directory.write("subjectAltName = IP:127.0.0.1\n", to: "extensions")
    try openssl([
      "x509", "-req", "-in", path("request"), "-CA", authority, "-CAkey", path("authority.key"),
      "-CAcreateserial", "-days", "2", "-extfile", path("extensions"), "-out", certificate,
    ])
  }

  /// The files.
  var authority: String { path("authority.pem") }
  var certificate: String { path("member.pem") }
  var key: String { path("member.key") }

  private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

  private func newKey(_ name: String) -> [String] {
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
      + ["-keyout", path("\(name).key"), "-subj", "/CN=\(name)"]
  }

  private func openssl(_ arguments: [String]) throws {
    let result = try Command("openssl", arguments).run()
    guard result.isSuccess else { throw TestSupportError("openssl \(arguments): \(result)") }
  }
}
