// SPDX-License-Identifier: MIT

/// Makes covers.
public final class Studio {
  public init() {}

  public func cover(_ url: String) -> Cover {
    Cover(url: url, size: Size(width: 300, height: 200), isFront: true)
  }
}
