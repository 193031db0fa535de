// SPDX-License-Identifier: MIT

/// An actor with members of all isolations.
actor Vault {
  private let live = Live("Vault")
  private var coins: [Int] = []
  let id: Int
  var observed = 0 {
    didSet { coins.append(oldValue) }
  }

  init(id: Int) { self.id = id }
  init(filling coins: [Int]) async throws {
    id = coins.count
    await Task.yield()
    if coins.isEmpty { throw ShelfError.missing("coins") }
    self.coins = coins
  }

  func put(_ coin: Int) -> Int {
    coins.append(coin)
    return coins.count
  }
  func take(minimum limit: Int) throws -> Int {
    guard let index = coins.firstIndex(where: { $0 >= limit }) else {
      throw ShelfError.missing("\(limit)")
    }
    return coins.remove(at: index)
  }
  func waitAndPut(_ coin: Int) async -> [Int] {
    await Task.yield()
    coins.append(coin)
    return coins
  }
  func each(_ body: @Sendable (Int) async -> Int) async -> [Int] {
    var all: [Int] = []
    for coin in coins { all.append(await body(coin)) }
    return all
  }
  var total: Int { coins.reduce(0, +) }
  subscript(index: Int) -> Int {
    get { coins[index] }
    set { coins[index] = newValue }
  }
  nonisolated func name() -> String { "vault \(id)" }
  nonisolated var doubled: Int { id * 2 }
  func bump(_ index: Int) { self[index] += 100 }
  func observe(_ value: Int) { observed = value }
  func other(_ vault: Vault) async -> Int { await vault.total + total }
  static func make(_ id: Int) -> Vault { Vault(id: id) }
}

private func move(from vault: isolated Vault, _ limit: Int) -> Int { vault.total + limit }
private func moveLater(_ vault: isolated Vault) async -> Int {
  await Task.yield()
  return vault.total
}
private func optionally(_ vault: isolated Vault?) -> Bool { vault == nil }
private func inherited(
  _ text: String, isolation: isolated (any Actor)? = #isolation
) async -> String {
  await Task.yield()
  return text + (isolation == nil ? " free" : " isolated")
}

@globalActor actor Ring: GlobalActor {
  static let shared = Ring()
}

@Ring private var ringCount = 0

@Ring private func ring(_ times: Int) -> Int {
  ringCount += times
  return ringCount
}

@Ring private final class Bellringer {
  private let live = Live("Bellringer")
  private var rings = 0
  init() {}
  func ring(_ times: Int) -> Int {
    rings += times
    return rings
  }
  func ringLater() async -> String {
    await Task.yield()
    return "rang \(rings)"
  }
  var loud: Bool { rings > 2 }
  nonisolated func quiet() -> String { "quiet" }
}

@MainActor private final class Screen {
  private let live = Live("Screen")
  private var lines: [String] = []
  init(first: String) { lines = [first] }
  func show(_ text: String) -> Int {
    lines.append(text)
    return lines.count
  }
  func showLater(_ text: String) async throws -> [String] {
    await Task.yield()
    if text.isEmpty { throw ShelfError.missing("text") }
    return lines + [text]
  }
  var last: String {
    get { lines.last ?? "" }
    set { lines[lines.count - 1] = newValue }
  }
  func rename() { last += "*" }
}

@MainActor private func onMain(_ number: Int) -> Int { number + 1 }
@MainActor private func onMainLater(_ body: @MainActor (Int) -> Int) async -> Int {
  await Task.yield()
  return body(5)
}

@Ring private func runRing(_ say: Say) async {
  let ringer = Bellringer()
  say("ring \(ring(2)) \(ring(1)) \(ringer.ring(3)) \(ringer.loud) \(await ringer.ringLater())")
  say("quiet \(ringer.quiet()) \(await inherited("r"))")
  ringCount = 0
}

@MainActor private func runScreen(_ say: Say) async {
  let screen = Screen(first: "f")
  say("screen \(screen.show("a")) \(screen.last) \(onMain(1))")
  screen.rename()
  do {
    say("later \(try await screen.showLater("z"))")
    _ = try await screen.showLater("")
  } catch {
    say("error \(error)")
  }
  say("main \(await onMainLater { $0 * 2 }) \(await inherited("m"))")
}

func runActors(_ say: Say) async {
  let vault = Vault.make(7)
  say("put \(await vault.put(5)) \(await vault.put(6)) \(await vault.waitAndPut(7))")
  do {
    say("take \(try await vault.take(minimum: 6))")
    _ = try await vault.take(minimum: 99)
  } catch {
    say("error \(error)")
  }
  await vault.bump(0)
  await vault.observe(3)
  say("observed \(await vault.observed)")
  say("each \(await vault.each { $0 + 1 }) \(await vault.total) \(await vault[1])")
  say(
    "free \(vault.name()) \(vault.doubled) \(await move(from: vault, 10)) \(await moveLater(vault))"
  )
  say("optional \(await optionally(vault)) \(optionally(nil)) \(await inherited("n"))")
  do {
    let other = try await Vault(filling: [1, 2])
    say("other \(await vault.other(other)) \(other.id)")
    _ = try await Vault(filling: [])
  } catch { say("error \(error)") }
  await runRing(say)
  await runScreen(say)
}
