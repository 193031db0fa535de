// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingBridge
import WaxwingInterception

// Objects of classes made in Lua that outlive their session.
extension OverrideRegistry {
  /// The parts that go on after the session's end, by the class that a patch has made: another
  /// session may take some over.
  struct Lingering {
    var classes: [ObjectIdentifier: LingeringClass] = [:]
    let lines: LingeringLines
    var gates: [SessionSwitch] { classes.values.map(\.gate) }
    var layers: [(override: Override, layer: InstalledOverride)] {
      classes.values.flatMap(\.layers)
    }
  }

  /// Layers in the vtable of a class, whose switch is on from the session's end.
  struct LingeringClass {
    let luaClass: LuaClass
    let gate: SessionSwitch
    var layers: [(override: Override, layer: InstalledOverride)] = []
    /// Where the originals of its layers go on: in the vtable of a class above it.
    var goingOn: [ClassOverrides.Place] = []
  }

  /// Prepares that the overrides which are for classes of Lua's go on when the session ends, in the
  /// vtables of the classes: the program's own entries are as they were then.
  /// - Parameter classes: The session's, without those that another session has from now on.
  /// - Throws: `InterceptionError` if there is no room; then nothing goes on.
  func prepareLingering(of session: Int, for classes: [LuaClass]) throws(InterceptionError) {
    var installed: [InstalledOverride] = []
    do throws(InterceptionError) {
      try contents.withLock { (contents) throws(InterceptionError) in
        guard let record = contents.records[session], record.lingering == nil else { return }
        let lines = LingeringLines(record, classes)
        var lingering = Lingering(lines: lines)
        var overrides = ClassOverrides(record.overrides)
        for made in classes {
          var goingOn = LingeringClass(luaClass: made, gate: try SessionSwitch())
          for override in overrides.witnesses(of: made) {
            guard let live = record.layers(override).first else { continue }
            let point = override.point
            let layer = try install(override, at: point, goingOn.gate, live.rank)
            installed.append(layer)
            goingOn.layers.append((override, layer))
          }
          for place in overrides.inVtable(of: made) {
            try goOn(place, for: &goingOn, lines, &installed)
          }
          lingering.classes[ObjectIdentifier(made)] = goingOn
        }
        contents.records[session]?.lingering = lingering
      }
    } catch {
      takeOut(installed)
      throw error
    }
    closeLines(of: session)
  }

  private func closeLines(of session: Int) {
    contents.withLock { $0.records[session]?.lingering?.lines }?.close(interceptor)
  }

  /// Installs a class's overrides at a place of its vtable. The overrides of its superclasses there
  /// are reached by their own vtables, so that a line of classes takes as many layers as it has
  /// overrides. The class gets copies of overrides of classes that another session has.
  private func goOn(
    _ place: ClassOverrides.Place, for made: inout LingeringClass, _ lines: LingeringLines,
    _ installed: inout [InstalledOverride]
  ) throws(InterceptionError) {
    var places = [place]
    var above = place.above
    while let next = above, !lines.has(next.luaClass) {
      places.append(next)
      above = next.above
    }
    var continuation: InstalledOverride?
    if let above { continuation = try lines.head(above, interceptor, &installed) }
    if above == nil { continuation = lines.end(of: place) }
    for override in places.reversed().flatMap(\.overrides) {
      guard let live = lines.live(override), let point = override.vtablePoint(in: made.luaClass)
      else { continue }
      let layer = try install(override, at: point, made.gate, live.rank) {
        if let continuation { $0.goOn(below: continuation) }
      }
      LuaClasses.count(visits: 1)
      installed.append(layer)
      made.layers.append((override, layer))
    }
    if let above { made.goingOn.append(above) }
  }

  /// Copies the vtables by which classes below `taken` go on, before another session takes the
  /// classes over.
  /// - Throws: `InterceptionError` if there is no room; then nothing has changed.
  func copyLingering(
    of session: Int, for taken: Set<ObjectIdentifier>
  ) throws(InterceptionError) {
    var installed: [InstalledOverride] = []
    do throws(InterceptionError) {
      try contents.withLock { (contents) throws(InterceptionError) in
        guard var lingering = contents.records[session]?.lingering else { return }
        lingering.lines.leave(taken)
        for (id, made) in lingering.classes where !taken.contains(id) && !made.layers.isEmpty {
          var made = made
          let places = made.goingOn
          made.goingOn = []
          for place in places {
            if taken.contains(ObjectIdentifier(place.luaClass)) {
              try goOn(place, for: &made, lingering.lines, &installed)
            } else {
              made.goingOn.append(place)
            }
          }
          lingering.classes[id] = made
        }
        contents.records[session]?.lingering = lingering
      }
    } catch {
      takeOut(installed)
      throw error
    }
    // Both are there before the others go: an original that is asked for meanwhile is the same.
    settleLingering(of: session, without: taken)
    closeLines(of: session)
  }

  /// Lets the originals of a session that has ended be those below its layers in the vtables.
  /// - Parameter taken: The classes that another session has.
  func settleLingering(of session: Int, without taken: Set<ObjectIdentifier> = []) {
    var settled: Set<ObjectIdentifier> = []
    let classes = contents.withLock { $0.records[session]?.lingering?.classes ?? [:] }
    // Of several the first: below each of them is the same.
    for each in classes.filter({ !taken.contains($0.key) }).values.flatMap(\.layers)
    where settled.insert(ObjectIdentifier(each.override)).inserted {
      each.override.attach(each.layer.reference)
    }
  }

  /// Ends the session's classes in `taken`, which another session has from now on.
  func endLingering(of session: Int, for taken: Set<ObjectIdentifier>) {
    settleLingering(of: session, without: taken)
    takeOut(
      contents.withLock { contents in
        let known = contents.records[session]?.lingering?.classes.keys
        return contents.endLingering(known?.filter(taken.contains) ?? [], of: session)
      })
  }

  /// Ends all of the session's classes: their objects now answer as their superclasses do, or as
  /// another session says.
  func endLingering(of session: Int) {
    let ended = contents.withLock { contents in
      let known = contents.records[session]?.lingering?.classes.keys
      return contents.endLingering(known.map { Array($0) } ?? [], of: session)
    }
    conformances.endLingering(session)
    takeOut(ended)
  }

  /// Whether no call is in an override of a session's that goes on after its end.
  func isLingeringIdle(_ session: Int) -> Bool {
    let gates = contents.withLock { $0.records[session]?.lingering?.gates ?? [] }
    return SessionSwitch.areIdle(gates)
  }
}
