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
  say("punched \(punched(Ticket(log: purse, id: 6))) \(purse.history)")
}
