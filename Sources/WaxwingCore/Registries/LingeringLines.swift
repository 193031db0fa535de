// SPDX-License-Identifier: MIT

import WaxwingBridge
import WaxwingInterception

/// How the originals of overrides that go on after a session's end are found, from the vtable of a class to those of
/// the classes above it. Of each place of a vtable there is one head: a layer that no call enters, and below which
/// the layers of the place are.
/// Unchecked: only for the thread that is in an operation of the engine.
final class LingeringLines: @unchecked Sendable {
  /// The layers that the overrides had while the session was live.
  private var live: [ObjectIdentifier: InstalledOverride] = [:]
  /// The classes whose own vtables have their overrides.
  private var classes: Set<ObjectIdentifier>
  private var heads: [ObjectIdentifier: InstalledOverride] = [:]
  /// The copied overrides that are still installed.
  private var fresh: [InstalledOverride] = []
  private var never: SessionSwitch?

  init(_ record: OverrideRegistry.Record, _ classes: [LuaClass]) {
    self.classes = Set(classes.map(ObjectIdentifier.init))
    for override in record.overrides where override.target != nil {
      live[ObjectIdentifier(override)] = record.layers(override).first
    }
  }

  /// The layer that an override had.
  func live(_ override: Override) -> InstalledOverride? { live[ObjectIdentifier(override)] }

  /// Whether what a class has is in its own vtable.
  func has(_ made: LuaClass) -> Bool { classes.contains(ObjectIdentifier(made)) }

  /// Leaves these classes to another session from now on.
  func leave(_ taken: Set<ObjectIdentifier>) { classes.subtract(taken) }

  /// The layer below which the originals of the highest class's overrides are. It is in the
  /// program's entry, below the place of that override, because the newer sessions' overrides for
  /// the class there are not its original. Nil means the vtable itself.
  func end(of place: ClassOverrides.Place) -> InstalledOverride? {
    var highest = place
    while let above = highest.above { highest = above }
    guard let override = highest.overrides.first, override.target?.isInVtable == false else {
      return nil
    }
    return live(override)
  }

  /// The head of a place.
  /// - Parameter installed: Gets what was made.
  func head(
    _ place: ClassOverrides.Place, _ interceptor: Interceptor,
    _ installed: inout [InstalledOverride]
  ) throws(InterceptionError) -> InstalledOverride? {
    var pending: [ClassOverrides.Place] = []
    var next: ClassOverrides.Place? = place
    while let current = next, heads[ObjectIdentifier(current)] == nil {
      if has(current.luaClass) { pending.append(current) }
      next = current.above
    }
    var head = next.flatMap { heads[ObjectIdentifier($0)] } ?? end(of: place)
    for current in pending.reversed() {
      head = try make(current, above: head, interceptor)
      if let head { installed.append(head) }
    }
    return head
  }

  private func make(
    _ place: ClassOverrides.Place, above next: InstalledOverride?, _ interceptor: Interceptor
  ) throws(InterceptionError) -> InstalledOverride? {
    guard let override = place.overrides.last, let live = live(override),
      let point = override.vtablePoint(in: place.luaClass)
    else { return next }
    let gate: SessionSwitch
    if let never { gate = never } else { gate = try SessionSwitch() }
    never = gate
    // Above all of the session's.
    let rank = LayerRank(session: live.rank.session, order: .max)
    let head = try unsafe interceptor.install(
      at: point, session: gate, rank: rank, context: override.context, owner: override,
      handler: override.isAsync
        ? .asynchronous(override.asyncHandler) : .synchronous(override.handler)
    ) {
      if let next { $0.goOn(below: next) }
    }
    heads[ObjectIdentifier(place)] = head
    fresh.append(head)
    return head
  }

  /// Takes the heads out of the places. Calls that go on below a head find the layers by its rank.
  func close(_ interceptor: Interceptor) {
    interceptor.remove(fresh)
    fresh = []
  }
}
