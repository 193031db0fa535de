// SPDX-License-Identifier: MIT

/// How the feed of rates does.
struct FeedView: Encodable {
  let condition: MarketFeed.Condition
  let requests: Int
}
