// SPDX-License-Identifier: MIT

private func later(_ number: Int) async -> Int {
  await Task.yield()
  return number + 1
}
private func laterText(_ text: String, _ times: Int) async -> String {
  await Task.yield()
  return String(repeating: text, count: times)
}
private func laterThrows(_ number: Int) async throws -> Int {
  await Task.yield()
  if number < 0 { throw SeedError.noDays(seed: number) }
  return number
}
private func laterTyped(_ number: Int) async throws(ShelfError) -> [Int] {
  if number == 0 { throw .missing("zero") }
  await Task.yield()
  return [number]
}
private func laterNothing(_ purse: Purse) async {
  await Task.yield()
  _ = purse.put(1, memo: "later")
}
private func recursive(_ depth: Int) async -> Int {
  if depth == 0 { return 0 }
  await Task.yield()
  return await recursive(depth - 1) + depth
}
private func gathered(_ count: Int) async -> [Int] {
  await withTaskGroup(of: (Int, Int).self) { group in
    for index in 0..<count { group.addTask { (index, await later(index)) } }
    var all = Array(repeating: 0, count: count)
    for await (index, value) in group { all[index] = value }
    return all
  }
}
private func wide(_ a: Int, _ b: Double, _ c: String, _ d: [Int], _ e: Point, _ f: Sheet) async
  -> Sheet
{
  await Task.yield()
  return f.with(a: a + Int(b) + c.count + d.count + e.x)
}
private func withoutSuspending(_ number: Int) async -> Int { number * 3 }
private func applied(_ number: Int, _ body: (Int) async throws -> Int) async rethrows -> Int {
  try await body(number) + 1
}
private func repeated(_ body: @escaping @Sendable () async -> Int) -> @Sendable () async -> Int {
  { await body() + 1 }
}
@concurrent private func concurrent(_ number: Int) async -> Int {
  await Task.yield()
  return number - 1
}
nonisolated(nonsending) private func caller(_ purse: Purse) async -> Int {
  await Task.yield()
  return purse.total()
}

/// Async members of several kinds of types.
struct Courier: Sendable {
  var name = "c"
  private(set) var trips = 0
  init() {}
  init(waiting name: String) async {
    await Task.yield()
    self.name = name
  }
  init(checking name: String) async throws {
    await Task.yield()
    if name.isEmpty { throw ShelfError.missing("name") }
    self.name = name
  }
  func deliver(_ items: [String]) async -> [String] {
    await Task.yield()
    return items.map { "\(name):\($0)" }
  }
  mutating func travel(_ count: Int) async -> Int {
    trips += count
    await Task.yield()
    trips += 1
    return trips
  }
  static func standard() async -> Courier {
    await Task.yield()
    return Courier()
  }
}

class Station {
  fileprivate let live = Live("Station")
  var log: [String] = []
  func arrive(_ name: String) async -> Int {
    log.append("in " + name)
    await Task.yield()
    log.append("out " + name)
    return log.count
  }
  func title() async throws -> String {
    if log.isEmpty { throw ShelfError.missing("log") }
    await Task.yield()
    return log.joined(separator: ",")
  }
}

final class Terminus: Station {
  override func arrive(_ name: String) async -> Int { await super.arrive(name + "!") * 10 }
}

func runAsync(_ say: Say) async {
  say("later \(await later(1)) \(await laterText("é", 3)) \(await withoutSuspending(4))")
  do {
    say("throws \(try await laterThrows(2))")
    _ = try await laterThrows(-2)
  } catch {
    say("error \(error)")
  }
  do {
    say("typed \(try await laterTyped(2))")
    _ = try await laterTyped(0)
  } catch {
    say("error \(error)")
  }
  let purse = Purse(cents: 1)
  await laterNothing(purse)
  say("purse \(purse.total()) \(await caller(purse)) \(await recursive(5)) \(await concurrent(5))")
  say("gathered \(await gathered(6))")
  let sheet = await wide(1, 2.5, "abc", [1], Point(7, 0), Sheet())
  say("wide \(sheet.a) \(sheet.sum())")
  say("applied \(await applied(2) { await later($0) })")
  do { _ = try await applied(2) { _ in throw SeedError.noDays(seed: 4) } } catch {
    say("error \(error)")
  }
  say("repeated \(await repeated { 5 }()) \(await repeated(repeated { 1 })())")
}

func runAsyncMembers(_ say: Say) async {
  var courier = await Courier(waiting: "w")
  say("courier \(await courier.deliver(["a", "b"])) \(await courier.travel(3)) \(courier.trips)")
  do { say("checked \(try await Courier(checking: "k").name)") } catch { say("never") }
  do { _ = try await Courier(checking: "") } catch { say("error \(error)") }
  say("standard \(await Courier.standard().name)")
  for station in [Station(), Terminus()] {
    do { _ = try await station.title() } catch { say("error \(error)") }
    say("arrive \(await station.arrive("x")) \((try? await station.title()) ?? "-")")
  }
}
