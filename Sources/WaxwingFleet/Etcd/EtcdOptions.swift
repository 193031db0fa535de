// SPDX-License-Identifier: MIT

/// Where etcd is, and who asks.
package struct EtcdOptions: Hashable, Sendable {
  /// The addresses of its members: `https://10.0.0.1:2379`.
  package var endpoints: [String]
  /// The user; nil: etcd has no users.
  package var user: String?
  /// The user's password.
  package var password: String?
  /// The file of the certificates that the members' are signed with; nil: the system's.
  package var authority: String?
  /// The file of the certificate that etcd knows this client by; nil: it has none.
  package var certificate: String?
  /// The file of the certificate's key; nil: the certificate's file has it, too.
  package var certificateKey: String?
  /// After how many seconds a request has failed that was not answered.
  package var timeout: Double

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
