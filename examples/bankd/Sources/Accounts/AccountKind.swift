// SPDX-License-Identifier: MIT

/// What the bank offers.
enum AccountKind: String, CaseIterable, Codable {
  case checking
  case savings
}
