// SPDX-License-Identifier: MIT

/// The body of a request that the feed of rates do something else.
struct FeedRequest: Decodable {
  let condition: MarketFeed.Condition
}
