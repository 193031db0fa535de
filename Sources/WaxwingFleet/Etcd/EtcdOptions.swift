// SPDX-License-Identifier: MIT

/// The addresses of etcd, and the credentials of the client.
package struct EtcdOptions: Hashable, Sendable {
  /// The addresses of its members: `https://10.0.0.1:2379`.
  var endpoints: [String]
  /// The user; nil: etcd has no users.
  var user: String?
  /// The password of the user.
  var password: String?
  /// The file of the certificates that the members' are signed with; nil: the system's.
  var authority: String?
  /// The file of the certificate that etcd knows this client by; nil: it has none.
  var certificate: String?
  /// The file of the certificate's key; nil: the certificate's file has it, too.
  var certificateKey: String?
  /// The seconds after which a request without an answer has failed.
  var timeout: Double

  /// Creates options.
  package init(
    endpoints: [String], user: String? = nil, password: String? = nil, authority: String? = nil,
    certificate: String? = nil, certificateKey: String? = nil, timeout: Double = 5
  ) {
    self.endpoints = endpoints.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    self.user = user
    self.password = password
    self.authority = authority
    self.certificate = certificate
    self.certificateKey = certificateKey
    self.timeout = timeout
  }
}
