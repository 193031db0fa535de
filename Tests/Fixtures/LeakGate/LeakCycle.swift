// SPDX-License-Identifier: MIT

import Bank
import Glibc
import HeapProbe
import Synchronization
import Waxwing

/// Applies a patch that uses everything, calls what it overrides, restores, and looks at what is
/// left.
public struct LeakCycle {
  /// Something is not as it was, or not as the patch wants it.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// What is counted before and after.
  public struct Census: Equatable, Sendable {
    public let mayflies: Int
    public let accounts: Int
    public let parcels: Int
    public let patches: Int
  }

  private let throwsErrors: Bool

  /// - Parameter throwsErrors: Whether errors are thrown as well. The testing library keeps a
  ///   backtrace of every error.
  public init(throwsErrors: Bool) {
    self.throwsErrors = throwsErrors
    WaxwingEngine.setLogHandler { _ in }
  }

  /// Bytes that malloc has given out.
  public static var heapBytes: Int { Int(heap_probe_bytes()) }

  public static func census() throws -> Census {
    Census(
      mayflies: Mayfly.record.withLock { $0.alive }, accounts: Bank.Census.accounts.alive,
      parcels: AsyncParcel.census.alive, patches: try WaxwingEngine.list().count)
  }

  /// - Throws: `Failure`, or what the engine throws.
  public func run(_ number: Int) throws {
    // What the fixture's own deinitializers write down is no leak.
    Sketch.ends.withLock { $0.removeAll() }
    let before = try Self.census()
    try WaxwingEngine.start(text: Self.patch, name: "leaks")
    try use(number)
    try useErrors(number)
    try AsyncUse.run(number)
    let held = try WaxwingEngine.liveObjects()
    try check(held.first?.objects == [:], "Lua still holds \(held)")
    let left = AsyncUse.Left(number)
    let restoration = try WaxwingEngine.restore(waitAtMost: .milliseconds(1))
    try left.finish()
    try check(restoration.isComplete && restoration.entriesVerified > 0, "restore is not complete")
    try waitForLaggards()
    let after = try Self.census()
    try check(before == after, "before the cycle \(before), after it \(after)")
  }

  /// A call that has returned to its caller may still be leaving its patch on another thread.
  private func waitForLaggards() throws {
    let end = ContinuousClock.now + .seconds(10)
    while try !WaxwingEngine.list().isEmpty, ContinuousClock.now < end { usleep(1000) }
  }

  private func check(_ condition: Bool, _ message: String) throws {
    if !condition { throw Failure(description: message) }
  }

  private func use(_ number: Int) throws {
    let mayfly = Mayfly(name: "a name that is long enough \(number)")
    let big = BigMayfly(name: "a name that is long enough as well \(number)")
    try check(mayfly.rest() == mayfly.number + 1, "rest")
    try check(mayfly.rest() == mayfly.number + 2, "rest again")
    try check(big.rest() == big.number + 1001, "rest of a subclass")
    try check(mayfly.meet(big).hasSuffix("with a text that is long enough"), "meet")
    try check(mayfly.same(nil)?.name == "made in Lua", "same(nil)")
    try check(mayfly.same(big) === big, "same")
    try check(mayfly.swarm() == 0, "a fault")
    let cocoon = Keeper().open(Cocoon(size: number, content: mayfly))
    try check(cocoon.size == number + 1 && cocoon.content is BigMayfly, "open")
    try check(Account(id: number, owner: "Ada").owner == "Ada, patched", "an initializer")
    try useMethods(mayfly, number)
    try useClasses(number)
  }

  /// Objects of classes in Lua, that are delegates and hold what holds them.
  private func useClasses(_ number: Int) throws {
    let book = SketchBook()
    try check(book.run(number) == number, "a class's objects")
    try check(book.totalArea() == Double(number) * 2 + 1.5, "a class's method")
    try check(book.figures[0].title.hasSuffix("sketch made in Lua"), "a class's getter")
    let made = book.make(type(of: book.figures[0]))
    try check(made.area() == 1.5 + Double(number), "an object that Swift has made")
    let holder = WatcherHolder()
    try check(holder.adopt(made) && holder.fire(number) == number * 3, "a delegate")
    try check(holder.see(number) == number, "a delegate's property")
    if let value = book.figures[1] as Any as? any CustomStringConvertible {
      try check(value.description == "described", "a conformance")
    } else {
      try check(false, "no conformance")
    }
  }

  private func useMethods(_ mayfly: Mayfly, _ number: Int) throws {
    let text: String = try WaxwingEngine.call("tell", on: mayfly, "a text that is long enough", nil)
    try check(text.hasSuffix("a text that is long enough") && text.count > 50, "tell")
    let line: [Mayfly] = try WaxwingEngine.call("line", on: BigMayfly(name: "big"), mayfly, number)
    try check(line.count == 2 && line[1] === mayfly, "line")
    let made: Mayfly = try WaxwingEngine.call("made", on: BigMayfly.self, ["names": ["a", "b"]])
    try check(made.name == "b", "made")
    let cocoon: Cocoon = try WaxwingEngine.call("grown", on: Cocoon(size: 1, content: mayfly))
    try check(cocoon.size == 2 && cocoon.content === mayfly, "grown")
  }

  private func useErrors(_ number: Int) throws {
    guard throwsErrors else { return }
    let keeper = Keeper()
    try check((try? keeper.fail(number * 2)) == nil, "an error is thrown on")
    try check((try? keeper.fail(number * 2 + 1)) == 0, "an error is caught")
    let mayfly = Mayfly(name: "wrong")
    let line: [Mayfly]? = try? WaxwingEngine.call("line", on: mayfly, mayfly, "no number")
    let wrong: [Int]? = try? WaxwingEngine.call("line", on: mayfly, mayfly, number)
    let none: Int? = try? WaxwingEngine.call("none", on: mayfly)
    try check(line == nil && wrong == nil && none == nil, "errors of methods")
  }

  /// Objects, fields, weak references, structs, strings, errors, a fault, an initializer, methods,
  /// callbacks.
  private static let patch = """
    local M, K = class "Bank.Mayfly", class "Bank.Keeper"
    local Sketch, Book = class "Bank.Sketch", class "Bank.SketchBook"
    local ended, counted = 0, 0
    local Made = class("MadeSketch", Sketch, { "Bank.ExhibitWatcher" })
    function Made:init(name, size)
      self.text = "a text that is long enough for " .. name
      self.super:init{name = name}
      self.size = size
      self.again = function() return self end
    end
    function Made:area() return self.super:area() + (self.size or counted or 0) end
    function Made.get:title() return self.text .. ", " .. self.super.title end
    function Made:watched(n) return n * 3 end
    function Made:maker() return self.text end
    function Made.get:seen() return self.count or 0 end
    function Made.set:seen(n) self.count = n end
    function Made:deinit() ended = ended + #self.text end
    local Deeper = class("DeeperSketch", Made)
    function Deeper:area() return self.super:area() - 1.5 end
    conform(Sketch, "CustomStringConvertible", { get = { description = function() return "described" end } })
    Sketch:deinit(function(self) ended = ended + #self.name end)
    function Book:run(n)
      counted = n
      local one, two = Made("made in Lua", n), Deeper("made below", n)
      one.friend, two.friend = two, one
      self:add(one)
      self:add(two)
      assert(not pcall(Made))
      return n
    end
    M:field("seen", function() return {} end)
    M:field("last")
    function M:rest()
      self.seen[#self.seen + 1] = self.name .. " and a text that is long enough"
      self.last = weak(self)
      self.other = self.last.object.other
      return self:ORIGrest() + #self.seen
    end
    function M:meet(other)
      self.last, other.last = other, weak(self)
      return self:ORIGmeet(other) .. ", with a text that is long enough"
    end
    function M:same(other) return original(self, other) or M.static:hatch("made in Lua") end
    function M:swarm() return self.nothing.at.all end
    function K:open(cocoon)
      cocoon.size = cocoon.size + 1
      cocoon.content = M.static:hatchBig("in a cocoon")
      return cocoon
    end
    function K:fail(n)
      local ok, reason = pcall(self.ORIGfail, self, n)
      if n % 2 == 0 then throw(reason) end
      return ok and 1 or 0
    end
    local V, G = class "Bank.AsyncValues", class "Bank.AsyncGate"
    function V:parcel(parcel)
      local other = self:ORIGparcel(parcel):doubled()
      sleep(0)
      return other
    end
    function V:string(text) return self:ORIGstring(text .. " and more") .. ", patched" end
    function G:carry(parcel, label) return self:ORIGcarry(parcel, label) end
    function G:stamp(text) return self:ORIGstamp(text) end
    local A = class "Bank.Account"
    M:method("tell", function(self, text) return self.name .. " tells: " .. text end)
    class("Bank.BigMayfly"):method("line", function(self, other) return { self, other } end)
    M:method("line", function(self, other, n) return { self, other, n + 1 > 0 and self or nil } end)
    M.static:method("made", function(self, all) return M.static:hatch(all.names[2]) end)
    class("Bank.Cocoon"):method("grown", function(self) self.size = self.size + 1 return self end)
    for _, event in ipairs { "starting", "started", "ending", "ended" } do
      on(event, function() M.static:hatch("for " .. event) log.info(event, { of = M }) end)
    end
    function A:init_id_owner(id, owner) self:ORIGinit_id_owner(id, owner .. ", patched") end
    """
}
