// SPDX-License-Identifier: MIT

/// Static members that know the class that they are called on.
class Maker {
  fileprivate let live = Live("Maker")
  let mark: String

  required init(mark: String) { self.mark = mark }

  static func make() -> Self { self.init(mark: "made \(self)") }
  class func build(_ count: Int) -> [Maker] { (0..<count).map { self.init(mark: "\($0)") } }
  static func name() -> String { "\(self)" }
  class func family() -> String { "base of \(self)" }
  class var motto: String { "plain \(self)" }
  static var title: String { "title \(self)" }
  static func same(_ other: Maker.Type) -> Bool { other == self }
  static func type() -> Maker.Type { self }
  func remade() -> Self { Self.make() }
  nonisolated(unsafe) static var shared: Maker?
  static func share(_ maker: Maker?) -> Maker? {
    defer { shared = maker }
    return shared
  }
  class subscript(index: Int) -> String { "\(self)[\(index)]" }
}

class Toolmaker: Maker {
  override class func family() -> String { "tools, " + super.family() }
  override class var motto: String { "tool " + super.motto }
}

final class Watchmaker: Toolmaker {
  var time = 0
  required init(mark: String) {
    super.init(mark: "watch " + mark)
    time = mark.count
  }
  override class func family() -> String { "watch, " + super.family() }
}

private func made(_ types: [Maker.Type]) -> [String] { types.map { $0.make().mark } }

private func born(_ type: Maker.Type, _ mark: String) -> Maker { type.init(mark: mark) }

func runStaticMethods(_ say: Say) {
  for type in [Maker.self, Toolmaker.self, Watchmaker.self] {
    let maker = type.make()
    say("make \(Swift.type(of: maker)) \(maker.mark) \(type.name()) \(type.family())")
    say("build \(type.build(2).map { "\(Swift.type(of: $0)) \($0.mark)" })")
    say("words \(type.motto) \(type.title) \(type.same(Toolmaker.self)) \(type.type()) \(type[3])")
    say("remade \(Swift.type(of: maker.remade())) \(born(type, "m").mark)")
  }
  say("made \(made([Watchmaker.self, Maker.self])) \(Watchmaker.make().time)")
  let maker = Toolmaker.make()
  say("share \(Maker.share(maker) == nil) \(Toolmaker.share(nil) === maker)")
}
