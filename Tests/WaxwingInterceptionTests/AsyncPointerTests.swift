// SPDX-License-Identifier: MIT

import Expectations
import InterceptionFixture
import OptimizedRoutes
import PlainRoutes
import Synchronization
import Testing

@testable import WaxwingInterception

typealias Sum = @Sendable (Int, Int) async throws -> Int
typealias Many = @Sendable (Int, Int, Int, Int, Int, Int, Int, Int, Int) async throws -> Int

/// What the three modules with the same closures have in common.
struct ClosureModule: Sendable, CustomTestStringConvertible {
  let name: String
  let waiting, plain, generic: Sum
  let many: Many
  /// Calls each of the table's, as text: what they return or throw.
  let table: @Sendable (_ sku: Int) async -> [String]
  /// The async function pointers of the table's values.
  let tablePointers: [UInt]

  var testDescription: String { name }

  static let all = [plain, optimized, dynamic]

  static let plain: ClosureModule = {
    let routes = PlainRoutes.makeRoutes(PlainRoutes.Stock(), base: 100, prefix: "p")
    return ClosureModule(
      name: "plain", waiting: routes.waiting, plain: routes.plain, generic: routes.generic,
      many: routes.many,
      table: { sku in
        await texts(routes.table) { try await $0(PlainRoutes.Order(sku: sku, note: "n"), 2) }
      }, tablePointers: pointers(routes.table))
  }()

  static let optimized: ClosureModule = {
    let routes = OptimizedRoutes.makeRoutes(OptimizedRoutes.Stock(), base: 100, prefix: "p")
    return ClosureModule(
      name: "optimized", waiting: routes.waiting, plain: routes.plain, generic: routes.generic,
      many: routes.many,
      table: { sku in
        await texts(routes.table) { try await $0(OptimizedRoutes.Order(sku: sku, note: "n"), 2) }
      }, tablePointers: pointers(routes.table))
  }()

  static let dynamic: ClosureModule = {
    let routes = InterceptionFixture.makeRoutes(
      InterceptionFixture.Stock(), base: 100, prefix: "p")
    return ClosureModule(
      name: "dynamic", waiting: routes.waiting, plain: routes.plain, generic: routes.generic,
      many: routes.many,
      table: { sku in
        await texts(routes.table) {
          try await $0(InterceptionFixture.Order(sku: sku, note: "n"), 2)
        }
      }, tablePointers: pointers(routes.table))
  }()

  private static func texts<Route, Result>(
    _ routes: [Route], _ call: (Route) async throws -> Result
  ) async -> [String] {
    var texts: [String] = []
    for route in routes {
      do { texts.append("\(try await call(route))") } catch { texts.append("\(error)") }
    }
    return texts
  }

  /// A function value in an array is its async function pointer and its context.
  private static func pointers<Route>(_ routes: [Route]) -> [UInt] {
    routes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 16).map {
        bytes.load(fromByteOffset: $0, as: UInt.self)
      }
    }
  }
}

/// A function value as a field of a struct: there it is what its type says.
private struct KeptSum { var value: Sum }
private struct KeptMany { var value: Many }

private func pointer(_ value: @escaping Sum) throws -> UInt {
  withUnsafeBytes(of: KeptSum(value: value)) { $0.load(as: UInt.self) }
}

private func pointer(_ value: @escaping Many) throws -> UInt {
  withUnsafeBytes(of: KeptMany(value: value)) { $0.load(as: UInt.self) }
}

private func point(_ pointer: UInt, stackBytes: Int = 0) throws -> InterceptionPoint {
  InterceptionPoint(
    asyncPointer: try #require(UnsafeMutablePointer(bitPattern: pointer)), stackBytes: stackBytes)
}

/// An override of an async function: calls its original and looks at the frame, or does without.
final class AsyncOverride: @unchecked Sendable {
  enum Way {
    case around((FramePointer) -> Void)
    case instead((FramePointer) -> Void)
    case declines
  }

  private let way: Way
  let calls = Atomic(0)
  // Written before any call comes.
  nonisolated(unsafe) private var layer: InstalledOverride.Reference?

  init(_ way: Way) { self.way = way }

  static func adding(_ amount: Int) -> AsyncOverride {
    AsyncOverride(.around { $0.pointee.firstResult += amount })
  }

  func install(
    at point: InterceptionPoint, _ session: SessionSwitch, _ interceptor: Interceptor
  ) throws -> InstalledOverride {
    try interceptor.install(
      at: point, session: session, context: Unmanaged.passUnretained(self).toOpaque(), owner: self,
      handler: .asynchronous { context, call in
        guard let context, let call else { return nil }
        return Unmanaged<AsyncOverride>.fromOpaque(context).takeUnretainedValue().step(call)
      }
    ) { [self] in layer = $0.reference }
  }

  private func step(_ call: UnsafeMutablePointer<AsyncCall>) -> UnsafePointer<Suspension>? {
    guard let frame = call.pointee.callFrame, let layer else { return nil }
    if let state = call.pointee.handlerState {
      Unmanaged<AwaitedOriginal>.fromOpaque(state).release()
      call.pointee.handlerState = nil
      if case .around(let look) = way, frame.pointee.thrownError == 0 { look(frame) }
      return nil
    }
    calls.add(1, ordering: .relaxed)
    switch way {
    case .declines:
      call.pointee.isDeclined = true
      return nil
    case .instead(let answer):
      answer(frame)
      return nil
    case .around:
      let original = AwaitedOriginal(layer, frame, in: nil)
      call.pointee.handlerState = Unmanaged.passRetained(original).toOpaque()
      return original.suspension
    }
  }
}

/// Calls again and again until it is stopped.
final class Callers: Sendable {
  private let stopping = Atomic(false)

  func stop() { stopping.store(true, ordering: .relaxed) }

  /// How many results were none of the legal ones.
  func wrong(
    _ legal: Set<Int>, _ call: @Sendable () async throws -> Int
  ) async throws -> Int {
    var wrong = 0
    while !stopping.load(ordering: .relaxed) {
      if !legal.contains(try await call()) { wrong += 1 }
    }
    return wrong
  }
}

/// Closures of modules that may be compiled without implicit dynamic: by their async function pointers.
extension FixtureTests {
  @Suite struct AsyncPointerTests {
    let interceptor = Interceptor()
    let session: SessionSwitch

    init() throws { session = try SessionSwitch() }

    private func end(_ layers: [InstalledOverride]) {
      session.deactivate()
      interceptor.remove(layers)
      #expect(interceptor.restore().isComplete)
    }

    @Test(arguments: ClosureModule.all)
    func `an override sees every call of a closure's value and its original is called`(
      module: ClosureModule
    ) async throws {
      for closure in [module.waiting, module.plain, module.generic] {
        let point = try point(try pointer(closure))
        let (before, word) = (try await closure(3, 4), point.word)
        let override = AsyncOverride.adding(1000)
        let layer = try override.install(at: point, session, interceptor)
        expectEqual(try await closure(3, 4), before)
        expectEqual(override.calls.load(ordering: .relaxed), 0)
        session.activate()
        for _ in 0..<100 { expectEqual(try await closure(3, 4), before + 1000) }
        expectEqual(override.calls.load(ordering: .relaxed), 100)
        #expect(point.word != word)
        expectEqual(point.word >> 32, word >> 32)
        end([layer])
        expectEqual(point.word, word)
        expectEqual(try await closure(3, 4), before)
        expectEqual(override.calls.load(ordering: .relaxed), 100)
      }
    }

    @Test(arguments: ClosureModule.all)
    func `arguments on the stack reach the original and are popped once`(
      module: ClosureModule
    ) async throws {
      let point = try point(try pointer(module.many), stackBytes: 24)
      let expected = try await module.many(1, 2, 3, 4, 5, 6, 7, 8, 9)
      let layers = [
        try AsyncOverride.adding(1_000_000).install(at: point, session, interceptor),
        try AsyncOverride(.declines).install(at: point, session, interceptor),
      ]
      session.activate()
      for _ in 0..<100 {
        expectEqual(try await module.many(1, 2, 3, 4, 5, 6, 7, 8, 9), expected + 1_000_000)
      }
      end(layers)
      expectEqual(try await module.many(1, 2, 3, 4, 5, 6, 7, 8, 9), expected)
    }

    @Test(arguments: ClosureModule.all)
    func `an override may do without the original, and errors pass through`(
      module: ClosureModule
    ) async throws {
      let point = try point(try pointer(module.plain))
      let instead = AsyncOverride(
        .instead { frame in frame.pointee.firstResult = frame.pointee.argument(0) * 7 })
      let layer = try instead.install(at: point, session, interceptor)
      session.activate()
      expectEqual(try await module.plain(-3, 4), -21)
      end([layer])

      let around = try AsyncOverride.adding(1).install(at: point, session, interceptor)
      session.activate()
      expectEqual(try await module.plain(3, 4), 8)
      do {
        _ = try await module.plain(-3, 4)
        Issue.record("it throws")
      } catch {
        expectEqual("\(error)", "Missing(sku: -3)")
      }
      end([around])
    }

    @Test(arguments: ClosureModule.all)
    func `overrides of a table's closures that only call the original change nothing`(
      module: ClosureModule
    ) async throws {
      let expected = [await module.table(5), await module.table(0)]
      let points = try Set(module.tablePointers).map { try point($0) }
      let words = points.map(\.word)
      let overrides = points.map { _ in AsyncOverride(.around { _ in }) }
      let layers = try zip(points, overrides).map {
        try $1.install(at: $0, session, interceptor)
      }
      session.activate()
      for _ in 0..<100 {
        expectEqual([await module.table(5), await module.table(0)], expected)
      }
      expectEqual(overrides.map { $0.calls.load(ordering: .relaxed) }.reduce(0, +), 600)
      end(layers)
      expectEqual(points.map(\.word), words)
      expectEqual([await module.table(5), await module.table(0)], expected)
    }

    @Test(arguments: ClosureModule.all)
    func `overrides come and go while tasks call and every result is the one or the other`(
      module: ClosureModule
    ) async throws {
      let point = try point(try pointer(module.waiting))
      let (before, word) = (try await module.waiting(3, 4), point.word)
      let callers = Callers()
      let wrong = try await withThrowingTaskGroup(of: Int.self) { [interceptor] group in
        for _ in 0..<4 {
          group.addTask {
            try await callers.wrong([before, before + 1000]) { try await module.waiting(3, 4) }
          }
        }
        for round in 0..<1000 {
          let session = try SessionSwitch()
          let layer = try AsyncOverride.adding(1000).install(at: point, session, interceptor)
          session.activate()
          if round % 10 == 0 { await Task.yield() }
          session.deactivate()
          interceptor.remove([layer])
          #expect(interceptor.restore().isComplete)
        }
        callers.stop()
        return try await group.reduce(0, +)
      }
      expectEqual(wrong, 0)
      expectEqual(point.word, word)
      expectEqual(try await module.waiting(3, 4), before)
    }

    @Test func `a word of somebody else's is left alone`() throws {
      let point = try point(try pointer(ClosureModule.plain.generic))
      let word = point.entry.pointee
      let layer = try AsyncOverride(.declines).install(at: point, session, interceptor)
      let foreign = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: word) ^ 0x10)
      point.entry.pointee = foreign
      #expect(throws: InterceptionError.self) {
        try AsyncOverride(.declines).install(at: point, session, interceptor)
      }
      interceptor.remove([layer])
      #expect(!interceptor.restore([point]).isComplete)
      expectEqual(point.entry.pointee, foreign)
      point.entry.pointee = word
    }

    @Test func `memory that is no async function pointer is refused`() throws {
      let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: 2)
      defer { memory.deallocate() }
      memory.initialize(repeating: 64 << 32 | 16, count: 2)
      let word = try pointer(ClosureModule.plain.generic)
      for address in [UInt(bitPattern: memory), word + 4] {
        let point = try point(address)
        let failure = #expect(throws: InterceptionError.self) {
          try AsyncOverride(.declines).install(at: point, session, interceptor)
        }
        #expect(failure?.message.contains("async function pointer") == true)
      }
    }
  }
}
