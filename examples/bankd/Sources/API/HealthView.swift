// SPDX-License-Identifier: MIT

/// How the daemon is.
struct HealthView: Encodable {
  let status: String
  let pid: Int32
  let accounts: Int
}
