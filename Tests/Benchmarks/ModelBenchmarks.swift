// SPDX-License-Identifier: MIT

import BenchmarkFixture
import Foundation
import Waxwing

/// JSON and objects: what the library's modules take for it, and what Foundation does. One turn is a list
/// of 20 albums of two tracks each.
enum ModelBenchmarks {
  private static let text: String = {
    let albums = (1...20).map { number in
      """
      {"id": \(number), "title": "Album \(number)", "genre": "folk", "seconds": \(number).5, "tracks": \
      [{"title": "One", "position": 1}, {"title": "Two", "position": 2}]}
      """
    }
    return "[" + albums.joined(separator: ", ") + "]"
  }()

  private static let makesByHand = """
    local function make(source)
      local tracks = {}
      for index, track in ipairs(source.tracks) do tracks[index] = Track(track.title, track.position) end
      return Album(source.id, source.title, source.genre, source.seconds, tracks)
    end
    """

  /// Each adds 20 to `sum` in one turn.
  static var all: [Measurement] {
    [
      decoder,
      patched(
        "model.list of JSON text", comparedTo: "JSONDecoder",
        body: "sum = sum + #model.list(Album, json.decode(text))"),
      patched(
        "objects made by hand-written initializers, through the bridge",
        body: "for _, source in ipairs(list) do make(source) sum = sum + 1 end"),
      patched(
        "model.from a table",
        comparedTo: "objects made by hand-written initializers, through the bridge",
        body: "for _, source in ipairs(list) do model.from(Album, source) sum = sum + 1 end"),
      parser,
      patched(
        "json.decode", comparedTo: "JSONSerialization reads", body: "sum = sum + #json.decode(text)"
      ),
      writer,
      patched(
        "json.encode", comparedTo: "JSONSerialization writes",
        body: "if #json.encode(list) > 0 then sum = sum + 20 end"),
    ]
  }

  private static var decoder: Measurement {
    Measurement("JSONDecoder") { count in
      let data = Data(text.utf8)
      for _ in 0..<count {
        let albums = try? JSONDecoder().decode([Album].self, from: data)
        precondition(albums?.count == 20, "JSONDecoder failed")
      }
    }
  }

  private static var parser: Measurement {
    Measurement("JSONSerialization reads") { count in
      let data = Data(text.utf8)
      for _ in 0..<count {
        let albums = (try? JSONSerialization.jsonObject(with: data)) as? [Any]
        precondition(albums?.count == 20, "JSONSerialization failed")
      }
    }
  }

  private static var writer: Measurement {
    Measurement("JSONSerialization writes") { count in
      guard let list = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else {
        preconditionFailure("JSONSerialization failed")
      }
      for _ in 0..<count {
        let data = try? JSONSerialization.data(withJSONObject: list)
        precondition(data?.isEmpty == false, "JSONSerialization failed")
      }
    }
  }

  private static func patched(
    _ name: String, comparedTo floor: Floor? = nil, body: String
  ) -> Measurement {
    let workload = Workload()
    let patch = """
      local json, model = require "json", require "model"
      local Album, Track = class "BenchmarkFixture.Album", class "BenchmarkFixture.Track"
      local workload = class "BenchmarkFixture.Workload"
      local text = [==[\(text)]==]
      local list = json.decode(text)
      \(makesByHand)
      function workload:run(n)
        local sum = 0
        for _ = 1, n do \(body) end
        return sum
      end
      """
    return Measurement(name, comparedTo: floor.map { [$0] } ?? [], patches: [patch]) { count in
      precondition(workload.run(count) == count * 20, "wrong sum of \(name)")
    }
  }
}
