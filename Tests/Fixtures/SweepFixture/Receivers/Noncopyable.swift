// SPDX-License-Identifier: MIT

/// Cannot be copied.
struct Handle: ~Copyable {
  private let live = Live("Handle")
  var number: Int

  init(_ number: Int) { self.number = number }

  borrowing func shown() -> String { "handle \(number)" }
  mutating func advance(by step: Int) -> Int {
    number += step
    return number
  }
  consuming func closed() -> Int { number }
  consuming func moved() -> Handle { Handle(number + 1) }
  var isOpen: Bool { number > 0 }
}

private func inspect(_ handle: borrowing Handle) -> Int { handle.number * 2 }

private func finish(_ handle: consuming Handle) -> String { "finished \(handle.closed())" }

private func bump(_ handle: inout Handle) { handle.number += 100 }

private func opened(_ number: Int) -> Handle { Handle(number) }

private func tried(_ number: Int) throws -> Handle {
  if number < 0 { throw SeedError.noDays(seed: number) }
  return Handle(number)
}

/// Small, with a `deinit` that is seen in its class.
struct Ticket: ~Copyable {
  let log: Purse
  let id: Int32
  func use() -> Int32 { id + 1 }
  deinit { log.history.append("ticket \(id)") }
}

private func punched(_ ticket: consuming Ticket) -> Int32 { ticket.use() }

/// Cannot be copied, whatever it keeps.
struct Safe<Content: ~Copyable>: ~Copyable {
  private let live = Live("Safe")
  private var content: Content
  private(set) var openings = 0

  init(_ content: consuming Content) { self.content = content }

  borrowing func look<Seen>(_ body: (borrowing Content) -> Seen) -> Seen { body(content) }
  mutating func open() -> Int {
    openings += 1
    return openings
  }
  consuming func emptied() -> Content { content }
}

func runNoncopyable(_ say: Say) {
  var handle = opened(1)
  say("\(handle.shown()) \(handle.advance(by: 4)) \(inspect(handle)) \(handle.isOpen)")
  bump(&handle)
  say("bumped \(handle.number)")
  let next = handle.moved()
  say(finish(next))
  do {
    say("tried \(try tried(3).closed())")
    _ = try tried(-1)
  } catch { say("error \(error)") }
  let purse = Purse(cents: 0)
  var safe = Safe(Handle(7))
  say("safe \(safe.look { $0.number }) \(safe.open()) \(safe.openings) \(safe.emptied().closed())")
  say("safe of a copyable \(Safe(["a"]).look(\.count)) \(Safe("b").emptied())")
  say("punched \(punched(Ticket(log: purse, id: 6))) \(purse.history)")
}
