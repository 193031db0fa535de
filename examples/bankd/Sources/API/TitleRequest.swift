// SPDX-License-Identifier: MIT

/// The body of a request for another title.
struct TitleRequest: Decodable {
  /// Empty for the title that the bank gives.
  let title: String
}
