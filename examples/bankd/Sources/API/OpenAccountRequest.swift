// SPDX-License-Identifier: MIT

/// The body of a request for a new account.
struct OpenAccountRequest: Decodable {
  let owner: String
  let kind: AccountKind?
  let nickname: String?
}
