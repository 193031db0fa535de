// SPDX-License-Identifier: MIT

/// What a downloader tells its delegate.
public protocol DownloaderDelegate: AnyObject {
  func downloaderDidStart(_ downloader: Downloader)
  func downloader(_ downloader: Downloader, didReceive bytes: Int)
  func downloader(_ downloader: Downloader, shouldRetry attempt: Int) -> Bool
}

open class Downloader {
  public weak var delegate: (any DownloaderDelegate)?
  public private(set) var received = 0

  public init() {}

  /// Announces the start, two pieces, and asks how often it may try again.
  public func run() -> Int {
    delegate?.downloaderDidStart(self)
    for bytes in [3, 4] { receive(bytes) }
    var attempt = 1
    while attempt < 5, delegate?.downloader(self, shouldRetry: attempt) == true { attempt += 1 }
    return attempt
  }

  open func receive(_ bytes: Int) {
    received += bytes
    delegate?.downloader(self, didReceive: bytes)
  }
}

/// Remembers what it was told.
open class DownloadLog: DownloaderDelegate {
  public private(set) var lines: [String] = []

  public init() {}

  public func downloaderDidStart(_ downloader: Downloader) { lines.append("start") }
  public func downloader(_ downloader: Downloader, didReceive bytes: Int) {
    lines.append("\(bytes)")
  }
  public func downloader(_ downloader: Downloader, shouldRetry attempt: Int) -> Bool { attempt < 2 }
}
