// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingControl
import WaxwingCore
import WaxwingOperations
import WaxwingPatches
import WaxwingScripting

/// Objects of classes that are noted for clients when they are made, by patches of the engine's own.
final class Instances: Sendable {
  private struct Look {
    let session: Session
    let type: String
    let condition: String?
  }

  private let engine: Engine
  private let queries: PatchQueries
  private let patches: PatchOperations
  private let watches: Watches
  private let last = Atomic(0)
  /// The looks by the whole name of the class. They may have ended.
  private let looks = Mutex<[String: Look]>([:])

  init(
    _ engine: Engine, _ queries: PatchQueries, _ patches: PatchOperations, _ watches: Watches
  ) {
    self.engine = engine
    self.queries = queries
    self.patches = patches
    self.watches = watches
  }

  /// The living objects of a class that were made since the first request.
  /// - Throws: `WaxwingError` if there is no such class, if its initializers cannot be overridden, or
  ///   if the condition is not the one of the first request.
  func list(_ request: InstancesRequest, by actor: AuditRecord.Actor) throws -> InstancesReport {
    try Watches.demandMayShow(request.showsFields)
    let (type, initializers) = try initializers(of: request.type)
    if request.ends {
      guard let look = live(type) else {
        throw WaxwingError(.notFound, "no objects of \(type) are noted")
      }
      let report = try report(look, request)
      _ = try patches.end(look.session, waitAtMost: .seconds(5))
      return report
    }
    if let look = live(type) {
      guard look.condition == request.condition else {
        throw WaxwingError(
          .conflict,
          "\(look.session.name) notes objects of \(type) "
            + (look.condition.map { "with the condition \($0)" } ?? "without a condition"),
          remedy: "use the same --where, or end it with --end")
      }
      return try report(look, request)
    }
    try watches.prepare()
    let name = "instances-\(last.add(1, ordering: .relaxed).newValue)"
    let source = try InstancesPatch(
      name: name, condition: request.condition, initializers: initializers
    ).source()
    let application = try patches.applyOwn(source, by: actor)
    guard let session = application.applied.first?.session else { throw Watches.ended(name) }
    let look = Look(session: session.handle, type: type, condition: request.condition)
    looks.withLock { $0[type] = look }
    watches.add(session, patience: request.patience)
    return try report(look, request, isNew: true)
  }

  private func live(_ type: String) -> Look? {
    looks.withLock { $0[type] }.flatMap { look in
      engine.registry.isLive(look.session.number) ? look : nil
    }
  }

  /// The class's whole name, and its initializers.
  private func initializers(of name: String) throws -> (String, [PointEntry]) {
    let all = try points(matching: name)
    let found = all.filter { point in
      point.isInitializer && (point.owner == name || point.owner.hasSuffix(".\(name)"))
    }
    let owners = Set(found.map(\.owner)).sorted()
    guard let owner = owners.first else {
      throw WaxwingError(
        .notFound, "no class `\(name)` has initializers that can be overridden",
        remedy: all.isEmpty
          ? queries.question(forPart: name) + "`waxwing points` lists the functions"
          : "`waxwing points \(name)` lists what it has")
    }
    guard owners.count == 1 else {
      throw WaxwingError(
        .refused, "`\(name)` may be \(owners.joined(separator: " or "))",
        remedy: "give the whole name")
    }
    let usable = found.filter { $0.refusal == nil }
    guard !usable.isEmpty else {
      throw WaxwingError(
        .refused, "no initializer of \(owner) can be overridden",
        details: found.prefix(10).map { "\($0.selector): \($0.refusal ?? "")" })
    }
    return (owner, usable)
  }

  private func points(matching pattern: String) throws -> [PointEntry] {
    let page = try queries.points(matching: pattern, from: 0, most: .max)
    if let failure = page.failure { throw WaxwingError(.unavailable, failure) }
    return page.points
  }

  private func report(
    _ look: Look, _ request: InstancesRequest, isNew: Bool = false
  ) throws -> InstancesReport {
    try watches.ask(look.session.name, .objects, [.boolean(request.showsFields == true)]) { table in
      InstancesReport(
        name: look.session.name, type: look.type, isNew: isNew, made: try table.integer("made"),
        living: try table.integer("living"), missed: try table.integer("missed"),
        objects: try table.texts("objects"), failure: try table.optionalText("failure"))
    }
  }
}
