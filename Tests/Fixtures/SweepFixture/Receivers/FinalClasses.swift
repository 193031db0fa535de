// SPDX-License-Identifier: MIT

/// An account of a final class, with members of all levels of access.
final class Purse {
  private let live = Live("Purse")
  private var cents: Int
  var history: [String] = []

  init(cents: Int) { self.cents = cents }

  convenience init() { self.init(cents: 100) }

  convenience init?(text: String) {
    guard let cents = Int(text) else { return nil }
    self.init(cents: cents)
  }

  init(checking cents: Int) throws {
    guard cents >= 0 else { throw PurseError.negative(cents) }
    self.cents = cents
  }

  func put(_ cents: Int, memo: String) -> Bool {
    self.cents += cents
    note("put \(cents) \(memo)")
    return cents > 0
  }

  func take(_ cents: Int) throws(PurseError) -> Int {
    history.append("take")
    if cents > self.cents { throw .short(by: cents - self.cents) }
    self.cents -= cents
    return self.cents
  }

  private func note(_ text: String) { history.append(text) }

  fileprivate func merge(_ other: Purse) {
    cents += other.cents
    other.cents = 0
  }

  func total() -> Int { cents }

  func itself() -> Purse { self }

  func other(_ purse: Purse?) -> Purse? { purse === self ? nil : purse }

  func pair(with other: Purse) -> (Purse, Int) { (other, other.cents - cents) }

  @discardableResult func clear() -> [String] {
    defer { history = [] }
    return history
  }
}

enum PurseError: Error, Equatable {
  case negative(Int)
  case short(by: Int)
}

func runFinalClasses(_ say: Say) {
  let purse = Purse()
  say("put \(purse.put(25, memo: "a")) \(purse.put(-5, memo: "ü\0b"))")
  say("took \(try! purse.take(20))")
  do { _ = try purse.take(1000) } catch { say("error \(error)") }
  say("equal \([PurseError.negative(1)].contains(.negative(1)))")
  let second = Purse(cents: 7)
  purse.merge(second)
  say("totals \(purse.total()) \(second.total())")
  say("same \(purse.itself() === purse) \(purse.other(purse) == nil)")
  say("other \(purse.other(second) === second) \(purse.other(nil) == nil)")
  let (partner, difference) = purse.pair(with: second)
  say("pair \(partner === second) \(difference)")
  say("parsed \(Purse(text: "12")?.total() ?? -1) \(Purse(text: "x") == nil)")
  do { _ = try Purse(checking: -3) } catch { say("error \(error)") }
  say("checked \((try? Purse(checking: 3))?.total() ?? -1)")
  say("history \(purse.clear()) \(purse.history)")
}
