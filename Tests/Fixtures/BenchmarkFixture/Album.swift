// SPDX-License-Identifier: MIT

/// What JSON is turned into in the benchmarks of models.
public final class Album: Decodable {
  public var id = 0
  public var title = ""
  public var genre: String?
  public var seconds = 0.0
  public var tracks: [Track] = []

  public init() {}

  public init(id: Int, title: String, genre: String?, seconds: Double, tracks: [Track]) {
    self.id = id
    self.title = title
    self.genre = genre
    self.seconds = seconds
    self.tracks = tracks
  }
}

/// A part of one.
public final class Track: Decodable {
  public var title = ""
  public var position = 0

  public init() {}

  public init(title: String, position: Int) {
    self.title = title
    self.position = position
  }
}
