// SPDX-License-Identifier: MIT

protocol Named {
  var name: String { get set }
  func hail() -> String
  static var kind: String { get }
}

extension Named {
  func greeting(_ word: String) -> String { "\(word), \(name)" }
  mutating func rename(to name: String) -> String {
    defer { self.name = name }
    return self.name
  }
  static func kinds(_ count: Int) -> [String] { Array(repeating: kind, count: count) }
  var initial: String {
    get { String(name.prefix(1)) }
    set { name = newValue + name.dropFirst() }
  }
  func isNamed(like other: some Named) -> Bool { name == other.name }
  func twin() -> Self { self }
}

extension Named where Self: AnyObject {
  func label() -> String { "object \(name)" }
}

private struct Pet: Named {
  var name: String
  var age = 3
  func hail() -> String { "pet \(name)" }
  static var kind: String { "pet" }
}

private final class Person: Named {
  private let live = Live("Person")
  var name: String
  init(name: String) { self.name = name }
  func hail() -> String { "person \(name)" }
  static var kind: String { "person" }
}

private enum Star: Named {
  case sun
  case other(String)
  var name: String {
    get { if case .other(let name) = self { name } else { "Sun" } }
    set { self = newValue == "Sun" ? .sun : .other(newValue) }
  }
  func hail() -> String { "star" }
  static var kind: String { "star" }
}

private func hailAll(_ all: [any Named]) -> [String] { all.map { $0.hail() } }

private func renamed(_ named: any Named, _ name: String) -> any Named {
  var copy = named
  copy.name = name
  return copy
}

/// A protocol for classes only.
protocol Bell: AnyObject {
  func ring(_ times: Int) -> String
}

private final class Brass: Bell {
  private let live = Live("Brass")
  func ring(_ times: Int) -> String { String(repeating: "ding", count: times) }
}

private func loudest(_ bells: [any Bell], _ weakest: (any Bell)?) -> (any Bell)? {
  bells.first ?? weakest
}

func runProtocols(_ say: Say) {
  var pet = Pet(name: "Rex")
  say("pet \(pet.greeting("Hi")) \(pet.rename(to: "Bo")) \(pet.name) \(pet.age)")
  pet.initial = "Z"
  say("initial \(pet.initial) \(pet.name) \(pet.twin())")
  var person = Person(name: "Ada")
  say("person \(person.rename(to: "Eva")) \(person.name) \(person.label())")
  person.initial = "I"
  say("person \(person.name) \(person.isNamed(like: Pet(name: "Iva"))) \(person.twin() === person)")
  var star = Star.sun
  star.initial = "F"
  say("star \(star) \(star.greeting("O")) \(Star.kinds(2)) \(Pet.kinds(1)) \(Person.kinds(0))")
  say("all \(hailAll([pet, person, star]))")
  say("renamed \(described(renamed(pet, "new"))) \(renamed(star, "Sun").name)")
  say("shared \(renamed(person, "Shared").name) \(person.name)")
  let bell = Brass()
  say("bell \(loudest([bell], nil)?.ring(2) ?? "-") \(loudest([], nil) == nil)")
  say("same \(loudest([], bell) === bell)")
}
