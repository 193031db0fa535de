// SPDX-License-Identifier: MIT

import Core
import Glibc

struct Account {
  var money: Money
  var count = 0
  mutating func pay(_ other: Money, _ choice: Choice) -> Choice {
    money = other
    count += 1
    return choice
  }
}

func structs() -> [Int] {
  var money = Money(cents: 3)
  var found = [money.add(Money(cents: 4)), money.doubled.cents, money.total(money), money[2].cents]
  money[2] = Money(cents: 10)
  found += [money.cents, Nothing().number(), Step(size: 2).plus(money).size]
  let point = Point(x: 1.5, name: "a name that is long enough for the heap").moved(
    Point(x: 2, name: "!"))
  found += [Int(point.x * 2), point.name.count]
  var account = Account(money: money)
  found += [
    account.pay(Money(cents: 9), .three("four")).value(), account.money.cents, account.count,
  ]
  return found + [tagged(3).sum(tagged(4))]
}

func classes() -> [Int] {
  let till = Till()
  till.money = till.add(Money(cents: 2), to: Money(cents: 3))
  Till.shared = Money(cents: 8)
  var found = [till.money.cents, Till.shared.cents]
  let note = till.note("a note that is long enough for the heap")
  found += [note.length(), note.longer(than: till.note("b")) ? 1 : 0]
  found += [
    till.maybe(till.money, Nothing())?.cents ?? -1, till.maybe(till.money, nil)?.cents ?? -1,
  ]
  let point = Point(x: 6, name: "point")
  found += till.all([till.money], [point]).map(\.cents)
  let pair = till.pair((till.money, point))
  found += [pair.0, Int(pair.1.x), pair.2.cents]
  found += [
    till.call { $0.cents > 1 ? $1 : .one }.value(), till.body()(till.money, point).1.value(),
  ]
  var (money, choice) = (Money(cents: 1), Choice.one)
  found += [till.change(&money, &choice, note), money.cents, choice.value()]
  for cents in [2, 6] {
    do {
      found.append(try till.refuse(Money(cents: cents)))
    } catch {
      if case .tooMuch(let money) = error { found.append(-money.cents) }
    }
  }
  let same = till.same("text", money)
  return found + [same.0.count, same.1.cents, till.pocketed(money)]
}

func later() async -> [Int] {
  let found = await Till().later(.three("abc"), .right("four"))
  return [found.0.value(), found.1.value(), Side.left.value(), Choice.two(8).value()]
}

setvbuf(stdout, nil, Int32(_IOLBF), 0)
while readLine() != nil { print(structs(), classes(), await later(), "--") }
