// SPDX-License-Identifier: MIT

// A program that is compiled without implicit dynamic, as most are.

import Glibc
import Shop

func build(_ router: Router, _ prefix: String, _ till: Till) {
  router.on("a") { argument in prefix + ":" + argument }
  router.on("b") { argument in try till.ring(argument, count: prefix.count) }
  router.on("c") { argument in "plain " + argument }
  router.onGeneric("d") { argument in argument.count + prefix.count }
  router.onGeneric("e") { (argument: String) -> String in
    if argument == "x" { throw ShopError.tooMuch(3) }
    return argument + "!"
  }
  router.count { number, money in Money(cents: money.cents + number, code: money.code + prefix) }
  router.count { number, money in money.plus(Money(cents: number, code: "k")) }
}

func shown<T>(_ body: () throws -> T) -> String {
  do { return "\(try body())" } catch { return "error \(error)" }
}

func round(_ router: Router, _ till: Till) async -> [String] {
  var lines: [String] = []
  for path in ["a", "b", "c", "d", "e", "f"] {
    for argument in ["", "x", "a long argument, which is on the heap"] {
      lines.append(path + " " + shown { try router.go(path, argument) })
    }
  }
  let counted = router.counted(3, Money(cents: 4, code: "m"))
  lines.append("counted \(counted.cents) \(counted.code)")
  lines.append(
    "parse " + shown { try Money.parse("12").text } + " " + shown { try Money.parse("q").text })
  var money = Money(cents: 5, code: "z")
  money.double()
  lines.append("money \(money.text) \(till.total([money, money], tax: 0.25))")
  lines.append("coded \(money.code(for: 100))")
  // Not a constant, of which the compiler would make a copy of the function.
  let one = CommandLine.arguments.count
  lines.append("many \(till.many(one, 2, 3, 4, 5, 6, 7, 8))")
  lines.append("simple \(till.simple(one, 5))")
  lines.append("greet " + greet("ada") + greet("bob", times: 1))
  lines.append("largest \(largest([3, 9, 2]) ?? 0) \(largest(["a", "z"]) ?? "")")
  lines.append("tuple \(tuple(2)) \(tuple(5))")
  var all = [1]
  fill(&all, 2)
  lines.append("fill \(all)")
  lines.append("inner \(outer(3)) \(inlined(4))")
  lines.append("larger \(larger(one, 2)) \(larger("a", "b\(one)"))")
  lines.append("clients \(clients(one))")
  lines.append("notes \(notes(one))")
  lines.append("joins \(joins(4))")
  lines.append("later \(await later(4))")
  return lines
}

setvbuf(stdout, nil, _IOLBF, 0)
let router = Router()
let till = Till()
build(router, "pre", till)
while readLine() != nil {
  print(await round(router, till).joined(separator: "; "), "--")
}
