// SPDX-License-Identifier: MIT

/// Values to be made from tables and JSON.
public enum Genre: String, Sendable {
  case jazz, folk
  case hipHop = "hip-hop"
}

public struct Size: Equatable, Sendable {
  public let width: Double
  public let height: Double

  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

public struct Cover: Equatable, Sendable {
  public let url: String
  public var size: Size
  public var isFront: Bool

  public init(url: String, size: Size, isFront: Bool) {
    self.url = url
    self.size = size
    self.isFront = isFront
  }
}

open class Artist {
  public var name = ""
  public var born: Int?

  public init() {}
}

open class Track {
  public var title = ""
  public var seconds = 0.0
  public var isBonus = false

  public init() {}
}

/// A track of another class.
public final class LiveTrack: Track {
  public var place = ""
}

open class Album {
  public var id = 0
  public var title = ""
  public var genre: Genre?
  public var artist: Artist?
  public var tracks: [Track] = []
  public var ratings: [String: Int] = [:]
  public var tags: Set<String> = []
  /// Seconds since 1970.
  public var released = 0.0
  public var cover: Cover?
  public var cache = "kept"

  public init() {}

  public func summary() -> String {
    "\(id) \(title) by \(artist?.name ?? "nobody"), \(tracks.count) tracks"
  }
}

/// What a hand-written initializer makes of plain values.
public final class FlatAlbum {
  public let id: Int
  public let title: String
  public let released: Double

  public init(id: Int, title: String, released: Double) {
    self.id = id
    self.title = title
    self.released = released
  }
}
