// SPDX-License-Identifier: MIT

/// Methods that consume what they are called on.
struct Parcel {
  private let live = Live("Parcel")
  var items: [String]
  let owner: Purse

  init(_ items: [String], _ owner: Purse) {
    self.items = items
    self.owner = owner
  }
  consuming func adding(_ item: String) -> Parcel {
    items.append(item)
    return self
  }
  consuming func opened() -> [String] { items }
  consuming func sent(to purse: consuming Purse) -> (Parcel, Purse) { (self, purse) }
  consuming func checked() throws -> Parcel {
    guard !items.isEmpty else { throw ShelfError.missing("items") }
    return self
  }
  borrowing func count() -> Int { items.count }
  __consuming func old() -> Int { items.count * 2 }
}

/// A consuming method of a struct that fits in registers, one of a trivial one, one of an enum.
struct Stamp {
  let purse: Purse
  consuming func used() -> Purse { purse }
}

struct Coin {
  var cents: Int
  consuming func spent() -> Int { cents }
}

enum Letter {
  case plain(String)
  case sealed(Purse)
  consuming func contents() -> String {
    switch self {
    case .plain(let text): text
    case .sealed(let purse): "sealed \(purse.total())"
    }
  }
}

extension Purse {
  consuming func emptied() -> Purse {
    clear()
    return self
  }
}

private func swallow(_ purse: consuming Purse) -> Int { purse.total() }
private func keep(_ texts: __owned [String]) -> [String] { texts + ["kept"] }
private func look(_ parcel: borrowing Parcel) -> Int { parcel.count() }
private func join(_ left: consuming String, _ right: borrowing String) -> String {
  left.append(copy right)
  return left
}
private func refill<T>(_ value: consuming T, _ count: Int) -> [T] {
  Array(repeating: value, count: count)
}
private func swallowAll(_ purses: consuming [Purse], _ body: (consuming Purse) -> Int) -> Int {
  purses.reduce(0) { $0 + body($1) }
}

func runConsuming(_ say: Say) {
  let purse = Purse(cents: 9)
  say("types \(names([Parcel.self, Stamp.self, Letter.self, Coin.self]))")
  let parcel = Parcel(["a"], purse).adding("b").adding("c")
  say("parcel \(parcel.count()) \(look(parcel)) \(parcel.old()) \(parcel.opened())")
  let (sent, receiver) = parcel.sent(to: Purse(cents: 2))
  say("sent \(sent.items) \(sent.owner === purse) \(receiver.total())")
  do {
    say("checked \(try sent.checked().items)")
    _ = try Parcel([], purse).checked()
  } catch {
    say("error \(error)")
  }
  say("used \(Stamp(purse: purse).used() === purse) \(Coin(cents: 3).spent())")
  say("letter \(Letter.plain("p").contents()) \(Letter.sealed(purse).contents())")
  say("swallow \(swallow(purse)) \(swallow(Purse(cents: 4))) \(keep(["t"])) \(join("a", "b"))")
  say("refill \(refill("x", 2)) \(refill(purse, 3).allSatisfy { $0 === purse })")
  say("all \(swallowAll([purse, Purse(cents: 1)]) { $0.total() }) \(purse.emptied() === purse)")
}
