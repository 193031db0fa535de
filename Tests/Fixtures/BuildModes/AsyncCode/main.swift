// SPDX-License-Identifier: MIT

// A program that calls async functions of a module, of which none is compiled with implicit dynamic.

import Depot
import Glibc

/// Checks that it is still on its actor after calls of functions that run where their caller does.
actor Office {
  let depot: Depot

  init(_ depot: Depot) { self.depot = depot }

  func visit() async -> String {
    let near = await depot.near(4)
    preconditionIsolated()
    let here = await depot.here()
    preconditionIsolated()
    return "near \(near) here \(here > 0)"
  }
}

/// Calls functions all the time, whether an override is there or not.
actor Load {
  private(set) var wrong = 0
  private(set) var calls = 0

  func run(_ depot: Depot, _ stock: Stock) async {
    while true {
      let number = await later(calls)
      if number != calls * 3, number != calls * 3 + 1000 { wrong += 1 }
      let sent = try? await depot.send("load", to: calls)
      let isLight = calls <= 9
      if isLight ? sent?.lowercased() != "sent load to \(calls)" : sent != nil { wrong += 1 }
      let near = await depot.near(calls)
      preconditionIsolated()
      if near != calls + 1, near != calls + 101 { wrong += 1 }
      if (try? await stock.add("load", 0)) != 0 { wrong += 1 }
      calls = (calls + 1) % 20
    }
  }
}

func shown<T>(_ body: () async throws -> T) async -> String {
  do { return "\(try await body())" } catch { return "error \(error)" }
}

@MainActor func round(_ depot: Depot, _ stock: Stock, _ office: Office) async -> [String] {
  var lines: [String] = []
  let one = CommandLine.arguments.count
  lines.append("later \(await later(4)) \(await onMain(one))")
  for what in ["", "a", "a long thing, which is on the heap"] {
    lines.append("send " + (await shown { try await depot.send(what, to: one) }))
  }
  lines.append("heavy " + (await shown { try await depot.send("x", to: 10 * one) }))
  let parts = await depot.split(Parcel(weight: 9, label: "p"))
  lines.append(
    "split \(parts.0.weight) \(parts.0.label) \(parts.1.weight) \(parts.1.label) \(parts.2)")
  lines.append("many \(await depot.many(one, 2, 3, 4, 5, 6, 7, 8, 9))")
  var parcel = Parcel(weight: 3, label: "l")
  await parcel.grow(2)
  lines.append("parcel \(parcel.weight) \(parcel.label) \(await parcel.priced(0.5))")
  lines.append("add " + (await shown { try await stock.add("a", 2) }))
  lines.append("add " + (await shown { try await stock.add("", 2) }))
  lines.append("count \(await stock.count()) \(await stock.title(3))")
  await stock.clear()
  lines.append(await office.visit())
  lines.append("largest \(await largest([3, 9, one]) ?? 0) \(await largest(["a", "z"]) ?? "")")
  lines.append("unused \(await unused(one, 2))")
  let sleeper = Task { await shown { try await depot.sleep("s") } }
  sleeper.cancel()
  lines.append("sleep \(await sleeper.value)")
  return lines
}

setvbuf(stdout, nil, _IOLBF, 0)
let (depot, stock) = (Depot(), Stock())
let office = Office(depot)
let loads = [Load(), Load()]
for load in loads { Task.detached { await load.run(depot, Stock()) } }
var held: Task<Int, Never>?
while readLine() != nil {
  var lines = await round(depot, stock, office)
  if held != nil {
    while !depot.open() { await Task.yield() }
  }
  lines.append("held \(await held?.value ?? 1)")
  held = Task { await depot.hold(1) }
  var wrong = 0
  for load in loads { wrong += await load.wrong }
  lines.append("wrong \(wrong)")
  print(lines.joined(separator: "; "), "--")
}
