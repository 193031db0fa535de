// SPDX-License-Identifier: MIT

/// Why a balance changed.
enum EntryKind: String, Codable {
  case deposit
  case withdrawal
}
