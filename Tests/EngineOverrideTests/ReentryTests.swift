// SPDX-License-Identifier: MIT

import Bank
import Dispatch
import EngineTestSupport
import Expectations
import Glibc
import Synchronization
import Testing
import Waxwing

extension EngineSuite {
  /// Overrides of what the engine itself uses: each test has a deadline, as what goes wrong here does
  /// not return.
  @Suite struct ReentryTests {
    /// Fails if `body` does not end within ten seconds.
    private func withDeadline(
      _ body: @escaping @Sendable () throws -> Void,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let thread = StartedThread {
        do { try body() } catch { Issue.record(error, sourceLocation: sourceLocation) }
      }
      #expect(thread.join(), "it hangs", sourceLocation: sourceLocation)
    }

    @Test func `hashing and comparing that are overridden, of keys that cross`() {
      withDeadline {
        let office = BoxOffice()
        let tickets = [TicketKey(number: 1): 10, TicketKey(number: 2): 20]
        let seats: Set<SeatKey> = [SeatKey(row: 1), SeatKey(row: 2)]
        try withPatch(
          """
          local O, T, S = class "Bank.BoxOffice", class "Bank.TicketKey", class "Bank.SeatKey"
          hashes, equals = 0, 0
          function T:hash_into(hasher) hashes = hashes + 1 return self:ORIGhash_into(hasher) end
          T.static["=="] = function(self, a, b) equals = equals + 1 return self["ORIG=="](self, a, b) end
          function S:hash_into(hasher) hashes = hashes + 1 return self:ORIGhash_into(hasher) end
          S.static["=="] = function(self, a, b) equals = equals + 1 return self["ORIG=="](self, a, b) end
          function O:sell(tickets)
            local copy = {}
            for key, count in pairs(tickets) do copy[key] = count + 1 end
            return self:ORIGsell(copy)
          end
          function O:seat(seats) return self:ORIGseat(seats) end
          function O:same(a, b) return a == b end
          """
        ) {
          expectEqual(office.sell(tickets), tickets.mapValues { $0 + 1 })
          expectEqual(office.seat(seats), seats)
          #expect(office.same(SeatKey(row: 1), SeatKey(row: 1)))
          #expect(!office.same(SeatKey(row: 1), SeatKey(row: 2)))
          expectEqual(faults(), [])
          #expect((patches().first?.overrides.first?.calls ?? 0) > 0)
        }
        #expect(office.sell(tickets) == tickets && office.seat(seats) == seats)
      }
    }

    @Test func `hashing and comparing that fail go back to the original`() {
      withDeadline {
        let office = BoxOffice()
        let tickets = [TicketKey(number: 1): 10, TicketKey(number: 2): 20]
        try withPatch(
          """
          local O, T = class "Bank.BoxOffice", class "Bank.TicketKey"
          function T:hash_into(hasher) error(tostring(self)) end
          T.static["=="] = function(self, a, b) return { [a] = b } end
          function T.get:description() return error(self) end
          function O:sell(tickets)
            local copy = {}
            for key, count in pairs(tickets) do copy[key] = count end
            return self:ORIGsell(copy)
          end
          """
        ) {
          expectEqual(office.sell(tickets), tickets)
          expectEqual(TicketKey(number: 7), TicketKey(number: 7))
          expectEqual("\(TicketKey(number: 7))", "ticket 7")
          expectEqual(
            patches().flatMap(\.overrides).map { $0.errors > 0 }, [true, true, true, false])
        }
        expectEqual(office.sell(tickets), tickets)
      }
    }

    @Test func `a description that describes itself ends in the original`() {
      withDeadline {
        let office = BoxOffice()
        let (ticket, seat) = (TicketKey(number: 3), SeatKey(row: 3))
        try withPatch(
          """
          local O, S = class "Bank.BoxOffice", class "Bank.SeatKey"
          function S.get:description() return "<" .. tostring(self) .. ">" end
          function O:announce(ticket) return tostring(ticket.number) .. #tostring(S(3)) end
          """
        ) {
          #expect(office.announce(ticket).hasPrefix("3"))
          #expect(!seat.description.isEmpty)
          #expect(patches().first?.overrides.first?.errors == 2)
        }
        #expect(seat.description == "row 3" && office.announce(ticket) == "baseline")
      }
    }

    @Test func `a description that returns its object is answered by the original`() {
      withDeadline {
        let ticket = TicketKey(number: 3)
        try withPatch(
          """
          local T = class "Bank.TicketKey"
          function T.get:description() log.info("asked", { ticket = self }) return self end
          """
        ) {
          expectEqual(ticket.description, "ticket 3")
          expectEqual(patches().first?.overrides.first?.errors, 1)
        }
      }
    }

    @Test func `a log handler whose functions are overridden, and fail`() {
      withDeadline {
        let logger = HostLogger()
        try withPatch(
          """
          local L = class "Bank.HostLogger"
          function L:log(text) error("cannot log") end
          function L:format(text) log.info("formatting") return self:ORIGformat(text) end
          local V = class "Bank.Vault"
          function V:look(n) error("looked") end
          """
        ) {
          WaxwingEngine.setLogHandler { logger.log($0.message) }
          expectEqual(Vault().look(3), 3)
          logger.log("direct")
          WaxwingEngine.setLogHandler { _ in }
          // An event of the look, and one of the direct call, which itself is the last line.
          expectEqual(logger.lines.filter { $0.hasSuffix("looked") }.count, 1)
          expectEqual(logger.lines.filter { $0.hasSuffix("cannot log") }.count, 1)
          expectEqual(logger.lines.last, "[host] direct")
        }
        logger.log("after")
        expectEqual(logger.lines.last, "[host] after")
      }
    }

    @Test func `a log handler that causes events without end is heard eight times`() {
      withDeadline {
        let handled = Atomic<Int>(0)
        let vault = Vault()
        WaxwingEngine.policy.limits.faults = 0
        defer { WaxwingEngine.policy = Policy() }
        try withPatch("local V = class 'Bank.Vault'\nfunction V:look(n) error('no ' .. n) end") {
          WaxwingEngine.setLogHandler { _ in
            handled.add(1, ordering: .relaxed)
            for n in 0..<1000 where vault.look(n) != n { handled.add(1000, ordering: .relaxed) }
          }
          expectEqual(vault.look(1), 1)
          expectEqual(handled.load(ordering: .relaxed), 1)
          expectEqual(vault.look(2), 2)
          expectEqual(handled.load(ordering: .relaxed), 2)
          WaxwingEngine.setLogHandler { _ in }
          expectEqual(patches().first?.overrides.first?.errors, 2002)
        }
      }
    }

    @Test func `a lock and an allocator of the program`() {
      withDeadline {
        let (vault, arena) = (Vault(), Arena())
        try withPatch(
          """
          local L, V, A = class "Bank.VaultLock", class "Bank.Vault", class "Bank.Arena"
          local held, taken = 0, 0
          function L:lock() self:ORIGlock() held = held + 1 taken = taken + 1 end
          function L:unlock() held = held - 1 self:ORIGunlock() end
          function V:weigh() assert(held == 1) return self:ORIGweigh() + 1000 * taken end
          function A:allocate(size) return self:ORIGallocate(size * 2) end
          function A:release(memory) return self:ORIGrelease(memory) end
          """
        ) {
          #expect(vault.put(5) == 1005 && vault.put(5) == 2010)
          let memory = arena.allocate(64)
          let isThere = memory != nil
          arena.release(memory)
          #expect(isThere && arena.allocated == 128)
          expectEqual(faults(), [])
        }
        expectEqual(vault.put(1), 11)
      }
    }

    @Test
    func `a thread in the script and one that holds a lock, each wanting the other's`() {
      let vault = Vault()
      withDeadline {
        try withPatch(
          """
          local V = class "Bank.Vault"
          function V:put(n) return self:ORIGput(n) end
          function V:weigh() return self:ORIGweigh() end
          function V:look(n) self:put(1) return n end
          """
        ) {
          // One goes into the script and then for the lock, the other has the lock and then goes into
          // the script.
          let threads = (0..<4).map { index in
            StartedThread {
              for n in 0..<2000 {
                if index % 2 == 0 { _ = vault.look(n) } else { _ = vault.put(1) }
              }
            }
          }
          #expect(threads.allSatisfy { $0.join() })
          expectEqual(vault.gold, 8000)
          expectEqual(faults(), [])
        }
      }
    }

    @Test func `one thread waits for another's override, in an override`() {
      withDeadline {
        let vault = Vault()
        try withPatch(
          """
          local V, G = class "Bank.Vault", class "Bank.Greeter"
          function V:look(n) return n + 100 end
          function G:welcome(ask) return self:ORIGwelcome(ask) .. "!" end
          G:method("ask", function(self, ask) return self:welcome(ask) end)
          """
        ) {
          let greeter = Greeter(name: "g")
          let text = greeter.welcome { _ in
            let answer = Mutex(0)
            let worker = StartedThread {
              let value = vault.look(1)
              answer.withLock { $0 = value }
            }
            guard worker.join() else { return "deadlock" }
            return "\(answer.withLock { $0 })"
          }
          expectEqual(text, "101!")
          expectEqual(faults(), [])
        }
      }
    }

    @Test func `objects that the collector lets go call overrides as they die, on threads`() {
      withDeadline {
        Dying.heard.withLock { $0 = 0 }
        try withPatch(
          """
          local D = class "Bank.Dying"
          function D:lastWords() return self:ORIGlastWords() .. self:touch() end
          function D:touch() return 1 end
          """
        ) {
          onThreads(4) { _ in
            for _ in 0..<300 { _ = Dying().touch() }
            _ = try? WaxwingEngine.liveObjects()
          }
          _ = try WaxwingEngine.liveObjects()
          expectEqual(Dying.heard.withLock { $0 }, 1200 * "bye1".count)
          expectEqual(faults(), [])
        }
      }
    }

    @Test func `a member of an option set that another thread makes, by way of the patch`() {
      withDeadline {
        try withPatch(
          """
          local O = class "Bank.GrantOffice"
          function O:lateBits() return self:ORIGlateBits() + 1 end
          function O:run()
            self:letGo()
            return self:bits("late")
          end
          """
        ) {
          let maker = StartedThread { _ = Grant.late }
          GrantOffice.latch.waitUntilHeld()
          expectEqual(GrantOffice().run(), 5)
          #expect(maker.join())
          expectEqual(faults(), [])
        }
      }
    }

    @Test func `an original's error number comes through overrides, and no other`() throws {
      let text = """
        local bank = module "Bank"
        function bank.openNothing(number)
          bank.scrambleErrorNumber()
          local before = bank.ORIGopenNothing(number)
          bank.scrambleErrorNumber()
          return before
        end
        function bank.errorNumber(body) return bank.ORIGerrorNumber(body) end
        local V = class "Bank.Vault"
        function V:look(n) bank.scrambleErrorNumber() error("after") end
        """
      let vault = Vault()
      for _ in 0..<2 {
        try withPatch(text) {
          errno = 11
          let before = openNothing(22)
          let after = errno
          #expect(before == 11 && after == 22)
          errno = 12
          _ = vault.look(1)
          let untouched = errno
          expectEqual(untouched, 12)
          let inClosure = errorNumber { _ = vault.look(2) }
          expectEqual(inClosure, 44)
        }
        errno = 11
        let before = openNothing(22)
        let after = errno
        #expect(before == 11 && after == 22)
      }
    }

    @Test func `a Lua function that Swift calls as a closure leaves the error number alone`()
      throws
    {
      let number = Mutex<Int32>(0)
      try withPatch(
        """
        local bank = module "Bank"
        local V = class "Bank.Vault"
        function V:look(n) return bank.errorNumber(function() bank.scrambleErrorNumber() end) end
        """
      ) {
        let after = Int32(Vault().look(1))
        number.withLock { $0 = after }
        expectEqual(faults(), [])
      }
      expectEqual(number.withLock { $0 }, 44)
    }
  }
}
