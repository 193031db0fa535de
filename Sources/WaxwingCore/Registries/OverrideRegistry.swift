// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Synchronization
package import WaxwingBridge
import WaxwingInterception
import WaxwingReflection

/// Which session overrides what, what was there before, and the versions of the types that are
/// changed. The only one that puts overrides into the program and takes them out.
///
/// Any thread may use it, also one that is in a call of an override: scripts add and remove advice
/// while they run. No code of the program or of a script runs under its lock.
package final class OverrideRegistry: Sendable {
  struct Record {
    let name: String
    let gate: SessionSwitch
    /// Where its overrides are among those of other sessions: a higher one is nearer to the caller.
    let place: Int
    /// In the order of declaration.
    var overrides: [Override] = []
    var layers: [ObjectIdentifier: InstalledPlaces] = [:]
    /// By which overrides for classes of Lua's go on after the end, for the objects that are alive.
    var lingering: Lingering?
    /// Taken out, but kept until the session is closed: a Lua function that still runs, called by name
    /// or as a closure, may ask for originals by them.
    var withdrawn: [InstalledOverride] = []
    /// How many overrides and added methods each type has.
    var changes: [String: Int] = [:]
    var made = 0
    var isLive = false
    var hasEnded = false
    /// Whether its calls are measured.
    var isMeasured: Bool
    /// Whether they are, whatever is said of patches of its name.
    var isAlwaysMeasured = false

    func layers(_ override: Override) -> [InstalledOverride] {
      layers[ObjectIdentifier(override)]?.all ?? []
    }
  }

  /// Where an override is installed: in one place, but for vtables.
  struct InstalledPlaces {
    let first: InstalledOverride
    var more: [InstalledOverride] = []

    var all: [InstalledOverride] { [first] + more }
  }

  /// What goes on after the session's end, by the class of Lua's: another session may take over some.
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

  struct Contents {
    var records: [Int: Record] = [:]
    /// By the address of the entry.
    var snapshot: [UInt: EntrySnapshot] = [:]
    /// Types at version 0 are not in it.
    var versions: [String: Int] = [:]
    var shutdowns = 0
    var measured = MeasuredPatches()

    mutating func change(_ owner: String, of session: Int, by count: Int) {
      guard var record = records.removeValue(forKey: session) else { return }
      change(owner, in: &record, by: count)
      records[session] = record
    }

    mutating func change(_ owner: String, in record: inout Record, by count: Int) {
      let old = record.changes[owner, default: 0]
      record.changes[owner] = old + count == 0 ? nil : old + count
      guard record.isLive else { return }
      if old == 0 { raise(owner, by: 1) }
      if old + count == 0 { raise(owner, by: -1) }
    }

    mutating func setLive(_ isLive: Bool, _ session: Int) {
      guard let record = records[session], record.isLive != isLive else { return }
      records[session]?.isLive = isLive
      for owner in record.changes.keys { raise(owner, by: isLive ? 1 : -1) }
    }

    /// - Returns: The layers that are to be taken out.
    mutating func endLingering(_ classes: [ObjectIdentifier], of session: Int)
      -> [InstalledOverride]
    {
      let over = classes.compactMap { records[session]?.lingering?.classes[$0] }
      SessionSwitch.flip(off: over.map(\.gate))
      for made in classes { records[session]?.lingering?.classes[made]?.layers = [] }
      let layers = over.flatMap { $0.layers.map(\.layer) }
      records[session]?.withdrawn += layers
      return layers
    }

    private mutating func raise(_ owner: String, by count: Int) {
      let version = versions[owner, default: 0] + count
      versions[owner] = version == 0 ? nil : version
    }
  }

  let interceptor = Interceptor()
  let contents = Mutex(Contents())
  private let conformances = ConformanceRegistry()
}

// MARK: - Overrides come and go

extension OverrideRegistry {
  /// Begins the record of a session, whose overrides are off.
  /// - Parameter place: Those of a session in a higher place are nearer to the caller. Of two in one
  ///   place, of which one ends when the other begins, those of the newer.
  func open(_ session: Int, _ name: String, _ gate: SessionSwitch, place: Int) {
    contents.withLock {
      $0.records[session] = Record(
        name: name, gate: gate, place: place, isMeasured: $0.measured.contains(name))
    }
  }

  /// Takes in what a session lets conform to protocols; live when the session is.
  /// - Returns: The reason if another patch does so already.
  func open(_ declared: [DeclaredConformance], of session: Int, _ name: String) -> String? {
    conformances.open(session, name, declared)
  }

  /// Puts an override in its place: above those of older sessions, and live if its session is.
  func install(_ override: Override, in session: Int) throws(InterceptionError) {
    if override.target?.isInVtable != true { try prepare(override.point) }
    var installed: [InstalledOverride] = []
    do throws(InterceptionError) {
      try install(override, in: session, &installed)
    } catch {
      takeOut(installed)
      throw error
    }
  }

  /// Refuses an override that could not be put in its place, and changes nothing.
  func check(_ override: Override) throws(InterceptionError) {
    guard override.target?.isInVtable != true, !override.point.isWitness else { return }
    try Lookup.check(override.point)
  }

  /// - Parameter installed: Gets the layers, which are in no record if this throws.
  private func install(
    _ override: Override, in session: Int, _ installed: inout [InstalledOverride]
  ) throws(InterceptionError) {
    try contents.withLock { (contents) throws(InterceptionError) in
      // Taken out while it changes: a copy for each override would take time by the square of them.
      guard var record = contents.records.removeValue(forKey: session) else { return }
      defer { contents.records[session] = record }
      guard !record.hasEnded, record.layers[ObjectIdentifier(override)] == nil else { return }
      // The vtables of Lua's classes are not the program's.
      if override.target?.isInVtable != true {
        let key = unsafe UInt(bitPattern: override.point.entry)
        if contents.snapshot[key] == nil {
          contents.snapshot[key] = EntrySnapshot(override)
        }
      }
      let rank = rank(session, record, override)
      if record.isMeasured { try override.setMeasured(true) }
      for point in override.points {
        let isFirst = installed.isEmpty
        let layer = try install(override, at: point, record.gate, rank) {
          // Of several the first: below each of them is the same.
          if isFirst { override.attach($0.reference) }
        }
        installed.append(layer)
      }
      for layer in installed { record.layers[ObjectIdentifier(override)].add(layer) }
      if record.isLive, override.function.witness == nil {
        for made in override.target?.classes ?? [] { keepVtable(of: made, for: override) }
      }
      record.made += 1
      record.overrides.append(override)
      contents.change(override.owner, in: &record, by: 1)
    }
  }

  private func install(
    _ override: Override, at point: InterceptionPoint, _ gate: SessionSwitch, _ rank: LayerRank,
    prepared: (InstalledOverride) -> Void = { _ in }
  ) throws(InterceptionError) -> InstalledOverride {
    try unsafe interceptor.install(
      at: point, session: gate, rank: rank, context: override.context, owner: override,
      handler: override.isAsync
        ? .asynchronous(override.asyncHandler) : .synchronous(override.handler)
    ) {
      $0.measure(override.activeRecorder)
      prepared($0)
    }
  }

  /// Before a session is live: in the vtables of its classes, the words that its overrides go on by after
  /// its end lead to these for good. The compiler reads such a word once where a loop calls a method
  /// again and again, and a thread may be held up between the reading and the call: a call must see
  /// either what overrides the program's entry before the end or what goes on after it.
  func keepVtables(of session: Int, for classes: [LuaClass]) {
    var overrides = ClassOverrides(overrides(of: session))
    for made in classes {
      for place in overrides.inVtable(of: made) {
        if let override = place.overrides.last { keepVtable(of: made, for: override) }
      }
    }
  }

  private func keepVtable(of made: LuaClass, for override: Override) {
    guard let point = override.vtablePoint(in: made) else { return }
    let lower = override.target?.isInVtable == true ? nil : override.point
    // Where there is no room, the end says so.
    try? interceptor.keepReplaced(point, over: lower)
  }

  /// What asks the dynamic linker, whose own lock the program's code may hold: without ours.
  private func prepare(_ point: InterceptionPoint) throws(InterceptionError) {
    let key = unsafe UInt(bitPattern: point.entry)
    // A word of a witness table is called by who has the table, and asks nobody.
    guard !point.isWitness, contents.withLock({ $0.snapshot[key] == nil }) else { return }
    try Lookup.check(point)
    // Who closes the library later must not take the entry away.
    if let path = unsafe wax_process_image_path(point.entry) {
      _ = unsafe wax_process_image_keep(path)
    }
  }

  /// Sessions by their places, of two in one place the newer above all of the older's; within one, what
  /// the script has around its other overrides after those, else in the order of declaration.
  private func rank(_ session: Int, _ record: Record, _ override: Override) -> LayerRank {
    let isAround: UInt64 = override.role == .observers ? 1 << 63 : 0
    // A subclass's come before its superclass's, whoever overrides that.
    let depth = UInt64(override.target?.luaClass.depth ?? 0)
    let place = UInt64(record.place) << 32 | UInt64(session & 0xffff_ffff)
    return LayerRank(
      session: place | (depth > 0 ? 1 << 63 : 0),
      order: isAround | depth << 40 | UInt64(record.made))
  }

  /// Takes one override out, and writes its entry back if nothing else is there. A no-op if it is out.
  func remove(_ override: Override, from session: Int) {
    let removed = contents.withLock { contents -> [InstalledOverride]? in
      let layers = contents.records[session]?.layers
        .removeValue(forKey: ObjectIdentifier(override))
      if layers != nil {
        contents.records[session]?.overrides.removeAll { $0 === override }
        contents.change(override.owner, of: session, by: -1)
      }
      return layers?.all
    }
    guard let removed else { return }
    interceptor.remove(removed)
    interceptor.restore(Set(removed.map(\.point)))
  }

  /// Says that a session changes a type otherwise than by an override.
  func change(_ owner: String, of session: Int, by count: Int) {
    contents.withLock { $0.change(owner, of: session, by: count) }
  }

  /// The names of the sessions that are live, oldest first.
  package var liveNames: [String] {
    contents.withLock { contents in
      contents.records.filter(\.value.isLive).sorted { $0.key < $1.key }.map(\.value.name)
    }
  }

  /// Whether a session is live. Any thread.
  package func isLive(_ session: Int) -> Bool {
    contents.withLock { $0.records[session]?.isLive ?? false }
  }

  /// How often all sessions were switched off.
  var shutdowns: Int { contents.withLock { $0.shutdowns } }

  /// Ends all sessions as far as the program is concerned, whatever else is going on: calls go to its own
  /// code, and the entries hold it again.
  /// - Returns: The names of the sessions that were live.
  package func switchAllOff() -> [String] {
    let live = contents.withLock { contents in
      let live = contents.records.filter { $0.value.isLive }.sorted { $0.key > $1.key }
      contents.shutdowns += 1
      conformances.flip(on: [], off: live.map(\.key))
      let lingering = contents.records.values.compactMap(\.lingering?.gates)
      SessionSwitch.flip(on: [], off: live.map(\.value.gate) + lingering.joined())
      for (session, _) in live { contents.setLive(false, session) }
      return live.map { (number: $0.key, name: $0.value.name) }
    }
    withdraw(live.map(\.number))
    restore()
    return live.map(\.name)
  }

  /// Makes some sessions live and lets others end, in one store: no call sees a part of it.
  /// - Parameters:
  ///   - taken: The classes of Lua's that those which start have: no other goes on with them.
  ///   - shutdowns: How many there were when the operation began; nil: whatever there was.
  /// - Returns: False if there has been another: then nothing has changed.
  func flip(
    on starting: [Int], off ending: [Int], taking taken: Set<ObjectIdentifier> = [],
    unlessAfter shutdowns: Int? = nil
  ) -> Bool {
    conformances.prepare(starting)
    return contents.withLock { contents in
      if let shutdowns, contents.shutdowns != shutdowns { return false }
      // Who finds a conformance of the program's types finds its functions live: it begins after them,
      // and ends before. Those of classes in Lua have no objects before.
      conformances.beginMade(starting)
      let replaced = starting.isEmpty ? ending : []
      let lingering = Set(ending.filter { contents.records[$0]?.lingering != nil })
      conformances.flip(on: [], off: replaced, lingering: lingering)
      defer { conformances.flip(on: starting, off: ending, lingering: lingering) }
      SessionSwitch.flip(
        on: starting.compactMap { contents.records[$0]?.gate }
          + ending.flatMap { contents.records[$0]?.lingering?.gates ?? [] },
        off: ending.compactMap { contents.records[$0]?.gate }
          + contents.records.values.flatMap { record in
            taken.compactMap { record.lingering?.classes[$0]?.gate }
          })
      for session in starting { contents.setLive(true, session) }
      for session in ending {
        contents.setLive(false, session)
        contents.records[session]?.hasEnded = true
      }
      return true
    }
  }

  /// Takes all overrides of sessions out, newest sessions first.
  func withdraw(_ sessions: [Int]) {
    let layers = contents.withLock { contents in
      sessions.sorted(by: >).flatMap { session -> [InstalledOverride] in
        guard let layers = contents.records[session]?.layers.values else { return [] }
        let sorted = layers.flatMap(\.all).sorted { $0.rank > $1.rank }
        contents.records[session]?.hasEnded = true
        contents.records[session]?.withdrawn += sorted
        contents.records[session]?.layers = [:]
        return sorted
      }
    }
    interceptor.remove(layers)
  }

  /// Writes baseline words back wherever no override is left.
  func restore() { interceptor.restore() }

  /// Forgets a session of which no call is in flight.
  func close(_ session: Int) {
    withdraw([session])
    endLingering(of: session)
    conformances.close(session)
    contents.withLock { contents in
      contents.setLive(false, session)
      _ = contents.records.removeValue(forKey: session)
    }
  }
}

// MARK: - Objects that outlive their session

extension OverrideRegistry {
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

  /// Installs in the vtable of a class what it has at a place. What the classes above it have there is reached by
  /// their own vtables, so that a line of classes takes as many layers as it has overrides; of those that another
  /// session has it gets copies.
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

  /// Before another session has some of the classes: what goes on by their vtables for classes below them goes on by
  /// copies.
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

  /// Another session has some of the classes from here on.
  func endLingering(of session: Int, for taken: Set<ObjectIdentifier>) {
    settleLingering(of: session, without: taken)
    takeOut(
      contents.withLock { contents in
        let known = contents.records[session]?.lingering?.classes.keys
        return contents.endLingering(known?.filter(taken.contains) ?? [], of: session)
      })
  }

  /// From here on the objects answer as their superclasses do, or as another session says.
  func endLingering(of session: Int) {
    let ended = contents.withLock { contents in
      let known = contents.records[session]?.lingering?.classes.keys
      return contents.endLingering(known.map { Array($0) } ?? [], of: session)
    }
    conformances.endLingering(session)
    takeOut(ended)
  }

  private func takeOut(_ layers: [InstalledOverride]) {
    if layers.isEmpty { return }
    interceptor.remove(layers)
    interceptor.restore(Set(layers.map(\.point)))
  }

  /// Whether no call is in an override of a session's that goes on after its end.
  func isLingeringIdle(_ session: Int) -> Bool {
    let gates = contents.withLock { $0.records[session]?.lingering?.gates ?? [] }
    return SessionSwitch.areIdle(gates)
  }
}

// MARK: - What there is

extension OverrideRegistry {
  /// A session's overrides, in the order of declaration.
  package func overrides(of session: Int) -> [Override] {
    contents.withLock { $0.records[session]?.overrides ?? [] }
  }

  /// How many live sessions change each type; those that none changes are not in it.
  package var versions: [String: Int] { contents.withLock { $0.versions } }

  /// The versions of the types that one session changes.
  func versions(changedBy session: Int) -> [String: Int] {
    contents.withLock { contents in
      let changed =
        contents.records[session]?.changes.keys.map { ($0, contents.versions[$0]) } ?? []
      return Dictionary(uniqueKeysWithValues: changed).compactMapValues { $0 }
    }
  }

  /// The overrides of one patch point in live sessions, in the order in which a call comes to them.
  func stack(at entry: UInt) -> [(session: Int, override: Override)] {
    stacks(at: [entry])[entry] ?? []
  }

  /// The same for several patch points: each layer is looked at once, however many are asked for.
  func stacks(at entries: Set<UInt>) -> [UInt: [(session: Int, override: Override)]] {
    contents.withLock { contents in
      var found: [UInt: [(session: Int, override: Override, rank: LayerRank)]] = [:]
      for (session, record) in contents.records where record.isLive {
        for override in record.overrides {
          for layer in record.layers(override) {
            let entry = unsafe UInt(bitPattern: layer.point.entry)
            if !entries.contains(entry) { continue }
            found[entry, default: []].append((session, override, layer.rank))
          }
        }
      }
      return found.mapValues { stack in
        stack.sorted { $0.rank > $1.rank }.map { ($0.session, $0.override) }
      }
    }
  }

  /// The requirement that a live session lets a type fulfil: `Bank.Account.greet(_:) of Greeter`.
  func requirement(named name: String) -> RunningFunction? {
    contents.withLock { contents in
      contents.records.values.lazy.filter(\.isLive).flatMap(\.overrides).map(\.function)
        .first { $0.witness != nil && $0.qualifiedName == name }
    }
  }

  /// Where an override is among the live ones of its function.
  struct Position {
    /// In the order of a call, from 1; 0: it is not live.
    var order = 0
    /// How many there are.
    var count = 0
  }

  /// Where the overrides of a session are among the live ones of their functions.
  func positions(of session: Int) -> [ObjectIdentifier: Position] {
    let own = overrides(of: session)
    let stacks = stacks(at: Set(own.map(\.entry)))
    var positions: [ObjectIdentifier: Position] = [:]
    for override in own {
      positions[ObjectIdentifier(override)] = Position(count: stacks[override.entry]?.count ?? 0)
    }
    for (entry, stack) in stacks {
      for (index, one) in stack.enumerated() where one.override.entry == entry {
        positions[ObjectIdentifier(one.override)]?.order = index + 1
      }
    }
    return positions
  }

  /// The function whose entry this is, if it was ever overridden.
  package func function(at entry: UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> String? {
    contents.withLock { $0.snapshot[UInt(bitPattern: entry)]?.function }
  }

  /// Compares what is there with what should be: the entries without override with the snapshot, the
  /// versions with the sessions that are live.
  /// - Parameter points: Which entries; nil for all.
  func verify(_ points: Set<InterceptionPoint>?) -> Verification {
    contents.withLock { contents in
      let inPlace = Set(
        contents.records.values.flatMap(\.layers.values).flatMap(\.all).map(\.point))
      let entries = contents.snapshot.values.filter { entry in
        !inPlace.contains(entry.point) && points?.contains(entry.point) != false
      }
      let changed = contents.records.values.filter(\.isLive).flatMap(\.changes.keys)
      let changing = Dictionary(changed.map { ($0, 1) }, uniquingKeysWith: +)
      return Verification(
        entries: entries.count, changed: entries.filter { !$0.isAtBaseline },
        versions: contents.versions.filter { $0.value != changing[$0.key] ?? 0 }.keys.sorted())
    }
  }

  /// What a comparison found.
  struct Verification {
    /// How many entries were compared.
    let entries: Int
    let changed: [EntrySnapshot]
    /// The types whose version is not the number of live sessions that change them.
    let versions: [String]

    /// All of it, for the user.
    var sentences: [String] { changed.map(\.difference) + versions.map(Self.difference) }

    static func difference(version type: String) -> String {
      "the class version of \(type) is not the number of live patches that change it"
    }
  }

  /// Whether an entry holds the word that it held before the first patch.
  func isAtBaseline(entry: UInt) -> Bool {
    contents.withLock { $0.snapshot[entry]?.isAtBaseline ?? true }
  }

  /// Whether an override of a live session is anywhere.
  var isAtBaseline: Bool {
    contents.withLock { $0.records.values.allSatisfy { $0.layers.isEmpty || !$0.isLive } }
  }

  /// Frees what no call can see any more.
  func reclaim() { interceptor.reclaim() }
}

extension OverrideRegistry.InstalledPlaces? {
  fileprivate mutating func add(_ layer: InstalledOverride) {
    if self == nil { self = Wrapped(first: layer) } else { self?.more.append(layer) }
  }
}
