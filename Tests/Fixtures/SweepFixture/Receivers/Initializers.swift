// SPDX-License-Identifier: MIT

protocol Seeded {
  init(seed: Int)
  init?(text: String)
  var seed: Int { get }
}

extension Seeded {
  init(seeds: [Int]) { self.init(seed: seeds.reduce(0, +)) }
  static func pair() -> [Self] { [Self(seed: 1), Self(seed: 2)] }
}

private struct Seed: Seeded {
  var seed: Int
  init(seed: Int) { self.seed = seed }
  init?(text: String) {
    guard let seed = Int(text) else { return nil }
    self.seed = seed
  }
}

class Plant: Seeded {
  fileprivate let live = Live("Plant")
  let seed: Int
  var notes: [String] = []

  required init(seed: Int) { self.seed = seed }
  required init?(text: String) {
    guard let seed = Int(text, radix: 16) else { return nil }
    self.seed = seed
  }
  init(grown seed: Int, by days: Int...) throws {
    guard !days.isEmpty else { throw SeedError.noDays(seed: seed) }
    self.seed = seed + days.reduce(0, +)
    grow("grown")
  }
  convenience init(twice seed: Int, note: String = "twice") {
    self.init(seed: seed * 2)
    grow(note)
  }
  convenience init(copy plant: Plant) throws(SeedError) {
    if plant.seed == 0 { throw .noDays(seed: 0) }
    self.init(seed: plant.seed)
  }
  func grow(_ note: String) { notes.append("\(type(of: self)) \(note)") }
}

enum SeedError: Error { case noDays(seed: Int) }

class Flower: Plant {
  var color = "red"
  required init(seed: Int) {
    super.init(seed: seed + 1000)
    grow("flower")
  }
  required init?(text: String) {
    guard text != "0" else { return nil }
    super.init(text: text)
  }
  override init(grown seed: Int, by days: Int...) throws {
    try super.init(grown: seed, by: days.count)
  }
  init(color: String) throws {
    try super.init(grown: color.count, by: 1, 2)
    self.color = color
  }
  override func grow(_ note: String) { super.grow("flower " + note) }
}

private enum Grain: Seeded {
  case rice
  case corn(Int)
  init(seed: Int) { self = seed == 0 ? .rice : .corn(seed) }
  init?(text: String) {
    if text == "rice" { self = .rice } else { return nil }
  }
  var seed: Int { if case .corn(let seed) = self { seed } else { 0 } }
}

/// A generic struct whose initializers have labels of several kinds.
struct Packet<Content> {
  private let live = Live("Packet")
  var contents: [Content]
  init(_ contents: Content...) { self.contents = contents }
  init(repeating content: Content, times: Int) {
    contents = Array(repeating: content, count: times)
  }
  init(lazily body: () throws -> Content) rethrows { contents = [try body()] }
}

private func sown<S: Seeded>(_ type: S.Type, _ seed: Int) -> S { type.init(seed: seed) }

private func sownAny(_ type: any Seeded.Type) -> any Seeded { type.init(seeds: [1, 2, 3]) }

func runInitializers(_ say: Say) {
  say("seed \(Seed(seed: 3).seed) \(Seed(text: "4")?.seed ?? -1) \(Seed(text: "") == nil)")
  say("pairs \(Seed.pair().map(\.seed)) \(Plant.pair().map(\.seed)) \(Flower.pair().map(\.seed))")
  say("sown \(sown(Seed.self, 5).seed) \(sown(Flower.self, 5).notes) \(sown(Grain.self, 0))")
  say("any \(sownAny(Grain.self)) \(type(of: sownAny(Flower.self))) \(sownAny(Plant.self).seed)")
  say(
    "text \(Flower(text: "ff")?.seed ?? -1) \(Flower(text: "0") == nil) \(Plant(text: "z") == nil)")
  let twice = Flower(twice: 4)
  say("twice \(type(of: twice)) \(twice.seed) \(twice.notes) \(Plant(twice: 1, note: "n").notes)")
  do { say("grown \(try Plant(grown: 1, by: 2, 3).seed) \(try Flower(color: "blue").notes)") } catch
  {
    say("never")
  }
  do { _ = try Plant(grown: 7) } catch { say("error \(error)") }
  do { say("copy \(try Flower(copy: twice).seed)") } catch { say("never") }
  do { _ = try Plant(copy: Plant(seed: 0)) } catch { say("error \(error)") }
  say(
    "grain \(Grain(seeds: [4]).seed) \(Grain(text: "rice")?.seed ?? -1) \(Grain(text: "") == nil)")
  say("kept \((try? Flower(grown: 1, by: 5, 6))?.seed ?? -1)")
  say("packet \(Packet(1, 2, 3).contents) \(Packet(repeating: "x", times: 2).contents)")
  do { _ = try Packet<Int> { throw SeedError.noDays(seed: 9) } } catch { say("error \(error)") }
  say("packet \(Packet { 2.5 }.contents) \(Packet<Purse>().contents.count)")
}
