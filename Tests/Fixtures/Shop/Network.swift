// SPDX-License-Identifier: MIT

/// Requests that end, fail, and take time.
open class Network {
  public private(set) var requests: [String] = []
  /// So many requests fail.
  public var failures = 0

  public init() {}

  open func get(_ url: String) -> String {
    requests.append(url)
    return "GET \(url)"
  }

  open func fetch(_ url: String) throws -> String {
    requests.append(url)
    if failures > 0 {
      failures -= 1
      throw ShopError.unreachable(url)
    }
    return "body of \(url)"
  }

  open func load(_ url: String) async throws -> String {
    await Task.yield()
    return try fetch(url)
  }

  /// Waits for as long, in milliseconds.
  open func slow(_ milliseconds: Int) async throws -> Int {
    try await Task.sleep(for: .milliseconds(milliseconds))
    return milliseconds
  }

  /// Calls back at once, twice.
  open func notify(_ handler: (Int) -> Void) {
    handler(1)
    handler(2)
  }

  /// Elements that come one after the other.
  open func ticks(_ count: Int) -> AsyncStream<Int> {
    AsyncStream { continuation in
      for number in 1...max(count, 1) { continuation.yield(number) }
      continuation.finish()
    }
  }
}
