// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingInterception
import WaxwingLua
import WaxwingPatches
package import WaxwingReflection
import WaxwingScripting

/// Describes live patches and the functions that they override. Only for the thread that is in an
/// operation of the engine, unless it says otherwise.
package final class PatchInspection: Sendable {
  private let sessions: PatchSessions
  private let registry: OverrideRegistry
  private let collector: IdleCollector

  init(_ sessions: PatchSessions, _ registry: OverrideRegistry, _ collector: IdleCollector) {
    self.sessions = sessions
    self.registry = registry
    self.collector = collector
  }

  /// The function that a whole name means. Can be called on any thread. For an unknown name it
  /// looks through the names of all functions, to suggest similar ones.
  /// - Parameter selector: `Bank.Account.withdraw(_:memo:)`, `Account.title.get`, `Bank.fee(_:)`.
  package func point(
    written selector: String, in program: RunningProgram
  ) throws -> RunningFunction {
    try registry.requirement(named: selector)
      ?? Self.named(program) { resolver throws(NameError) in
        try resolver.patchPoint(written: selector)
      }
  }

  /// The patches that override a function, in their order, and the place of the original.
  package func explain(_ function: RunningFunction, in program: RunningProgram) -> PatchPointInfo {
    let patches = Dictionary(uniqueKeysWithValues: sessions.all.map { ($0.number, $0) })
    let entries = function.entries.compactMap(\.entry)
    let stack = entries.flatMap { registry.stack(at: UInt($0)) }
    let steps = Self.inOrder(
      stack.map { session, override -> [PatchPointInfo.Step] in
        guard let session = patches[session] else { return [] }
        return self.steps(of: override, in: session)
      })
    // A closure is at a pointer to its code.
    let code = function.closure.flatMap { _ in program.address(ofSymbol: function.symbol) }
    let original = CodePlace(code ?? UInt(function.address))
    return PatchPointInfo(
      name: function.qualifiedName, steps: steps, image: original.image,
      offset: original.offset,
      isAtBaseline: entries.allSatisfy { registry.isAtBaseline(entry: UInt($0)) },
      source: function.closure?.described?.place,
      captures: function.closure?.described?.capturedText(by: function.declaration))
  }

  /// The pieces in the order in which they run. An `after` piece runs when all pieces below it have
  /// returned.
  private static func inOrder(_ overrides: [[PatchPointInfo.Step]]) -> [PatchPointInfo.Step] {
    let isAfter = { (step: PatchPointInfo.Step) in step.kind == .after }
    return overrides.flatMap { $0.filter { !isAfter($0) } }
      + overrides.reversed().flatMap { $0.filter(isAfter) }
  }

  /// The pieces before the call, or the body, and those after it.
  private func steps(of override: Override, in session: PatchSession) -> [PatchPointInfo.Step] {
    let recorder = override.recorder
    return override.pieces.filter { !$0.isRemoved }.enumerated().map { index, piece in
      PatchPointInfo.Step(
        patch: session.name, version: session.manifest.version, kind: .init(piece.kind),
        place: piece.declaredAt.map { "\($0.source):\($0.line ?? 0)" } ?? "",
        limits: limits(of: piece), calls: piece.calls, errors: piece.errors,
        lastError: piece.lastFault.map(ErrorInfo.init),
        times: index == 0 ? recorder.map { CallTimes($0.overrides) } : nil,
        originalTimes: index == 0 ? recorder.map { CallTimes($0.originals) } : nil)
    }
  }

  private func limits(of piece: Override.Piece) -> [String] {
    var limits: [String] = []
    if piece.isOnce { limits.append("once") }
    if piece.hasInstance { limits.append("one object") }
    if let thread = piece.thread { limits.append("thread \(thread)") }
    return limits
  }

  /// The class version of a type, and the live patches that change it.
  package struct ClassVersion: Sendable {
    package let type: String
    package let version: Int
    package let patches: [String]
  }

  /// The whole name of a type or module. On any thread.
  package func typeOrModule(named name: String, in program: RunningProgram) throws -> String {
    try Self.named(program) { resolver throws(NameError) in
      try resolver.typeOrModule(named: name)
    }
  }

  /// The class version of one type, or those of all that are changed.
  /// - Parameter name: Its whole name.
  package func versions(of name: String?) -> [ClassVersion] {
    let versions = registry.versions
    let types = name.map { [$0] } ?? versions.keys.sorted()
    return types.map { type in
      ClassVersion(
        type: type, version: versions[type] ?? 0,
        patches: sessions.live.filter { registry.versions(changedBy: $0.number)[type] != nil }
          .map(\.name))
    }
  }

  /// The differences between the program and the state that the live patches make, as sentences.
  /// Can be called on any thread.
  package func differences() -> [String] { registry.verify(nil).sentences }

  private static func named<Result>(
    _ program: RunningProgram, _ body: (NameResolver) throws(NameError) -> Result
  ) throws -> Result {
    let resolver = NameResolver(program)
    do throws(NameError) {
      return try body(resolver)
    } catch {
      throw WaxwingError(.notFound, error.description)
    }
  }

  // MARK: Objects

  /// The values that the loaded patches hold, oldest patch first.
  package func liveObjects(collecting: Bool) -> [LiveObjects] {
    if collecting {
      collectAll()
      // What it releases may be all that held other objects.
      if collector.waitForReleases() { collectAll() }
    }
    return sessions.all.map { session in
      let held = session.runtime.heldValues()
      return LiveObjects(
        patch: session.name, objects: held.objects, values: held.values, errors: held.errors,
        memory: session.runtime.memory)
    }
  }

  /// Collects what no patch reaches any more, also where several of them hold it together.
  private func collectAll() {
    let runtimes = sessions.all.map(\.runtime)
    for runtime in runtimes { runtime.collect() }
    let before = liveProxies
    ScriptRuntime.collectJointCycles(of: runtimes.flatMap(\.all))
    if liveProxies < before { for runtime in runtimes { runtime.collect() } }
  }

  private var liveProxies: Int { sessions.all.reduce(0) { $0 + $1.runtime.liveProxies } }
}

extension PatchPointInfo.Step.Kind {
  init(_ kind: Override.Piece.Kind) {
    switch kind {
    case .override: self = .override
    case .instead: self = .instead
    case .before: self = .before
    case .after: self = .after
    }
  }
}
