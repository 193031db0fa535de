// SPDX-License-Identifier: MIT

import CWaxwingProcess
import Synchronization
import WaxwingBridge
import WaxwingInterception
import WaxwingReflection

/// Knows the overrides of each session, the words before them, and the versions of the types that
/// are changed. Only the registry puts overrides into the program and takes them out.
///
/// Any thread may use it, also one that is in a call of an override: scripts add and remove advice
/// while they run. No code of the program or of a script runs under its lock.
package final class OverrideRegistry: Sendable {
  struct Record {
    let name: String
    let gate: SessionSwitch
    /// Where its overrides are among those of other sessions: a higher one is nearer to the caller.
    let place: Int
    /// The overrides in the order of declaration.
    var overrides: [Override] = []
    var layers: [ObjectIdentifier: InstalledPlaces] = [:]
    /// How overrides of classes made in Lua go on after the end, for objects that are still alive.
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
    /// Whether its calls are measured whatever is asked for patches of its name.
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

  struct Contents {
    var records: [Int: Record] = [:]
    /// The words of entries, by the address of the entry.
    var snapshot: [UInt: EntrySnapshot] = [:]
    /// Those of them that have no layer.
    var vacant: Set<UInt> = []
    /// The layers of the records by their entries.
    var stacks = EntryStacks()
    /// Types at version 0 are not in it.
    var versions: [String: Int] = [:]
    var shutdowns = 0
    var measured = MeasuredPatches()

    /// Takes layers of a record in.
    mutating func add(_ layers: [InstalledOverride], of override: Override, in session: Int) {
      for layer in layers {
        stacks.add(layer, of: override, in: session)
        unsafe vacant.remove(UInt(bitPattern: layer.point.entry))
      }
    }

    /// Takes layers of records out.
    mutating func remove(_ layers: [InstalledOverride]) {
      for entry in stacks.remove(layers) where snapshot[entry] != nil { vacant.insert(entry) }
    }

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
  let conformances = ConformanceRegistry()
}

// Overrides come and go.
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
    guard override.target?.isInVtable != true else { return }
    try override.point.check()
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
          contents.vacant.insert(key)
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
      contents.add(installed, of: override, in: session)
      if record.isLive, override.function.witness == nil {
        for made in override.target?.classes ?? [] { keepVtable(of: made, for: override) }
      }
      record.made += 1
      record.overrides.append(override)
      contents.change(override.owner, in: &record, by: 1)
    }
  }

  /// Installs one layer of an override at one point.
  func install(
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

  /// Prepares the vtables of a session's classes before the session is live. The words that its
  /// overrides will go on by after its end lead to these vtables for good. The compiler reads such
  /// a word once if a loop calls a method again and again, and a thread may pause between the read
  /// and the call. So a call sees either the override of the program's entry before the end, or the
  /// code that goes on after it.
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

  /// Asks the dynamic linker whether the entry is right, and keeps its library loaded. It takes none of our
  /// locks, since the program's code may hold the linker's.
  private func prepare(_ point: InterceptionPoint) throws(InterceptionError) {
    let key = unsafe UInt(bitPattern: point.entry)
    guard contents.withLock({ $0.snapshot[key] == nil }) else { return }
    try point.check()
    guard point.needsImage else { return }
    // Whoever closes the library later must not take the entry away.
    if let path = unsafe wax_process_image_path(point.entry) {
      _ = unsafe wax_process_image_keep(path)
    }
  }

  /// The rank of an override: sessions by their places, and of two sessions in one place the newer
  /// above all of the older's overrides. Within a session, overrides around others come after
  /// these, and the rest is in the order of declaration.
  private func rank(_ session: Int, _ record: Record, _ override: Override) -> LayerRank {
    let isAround: UInt64 = override.role == .observers ? 1 << 63 : 0
    // A subclass's come before its superclass's, whoever overrides that.
    let depth = UInt64(override.target?.luaClass.depth ?? 0)
    let place = UInt64(record.place) << 32 | UInt64(session & 0xffff_ffff)
    return LayerRank(
      session: place | (depth > 0 ? 1 << 63 : 0),
      order: isAround | depth << 40 | UInt64(record.made))
  }

  /// Removes one override, and writes its entry back if no other override is there. Does nothing if
  /// it is removed already.
  func remove(_ override: Override, from session: Int) {
    let removed = contents.withLock { contents -> [InstalledOverride]? in
      let layers = contents.records[session]?.layers
        .removeValue(forKey: ObjectIdentifier(override))
      if let layers {
        contents.remove(layers.all)
        contents.records[session]?.overrides.removeAll { $0 === override }
        contents.change(override.owner, of: session, by: -1)
      }
      return layers?.all
    }
    guard let removed else { return }
    takeOut(removed)
  }

  /// Removes layers, and writes the baseline words back where no other is left.
  func takeOut(_ layers: [InstalledOverride]) {
    if layers.isEmpty { return }
    interceptor.remove(layers)
    interceptor.restore(Set(layers.map(\.point)))
  }
}

extension OverrideRegistry.InstalledPlaces? {
  fileprivate mutating func add(_ layer: InstalledOverride) {
    if self == nil { self = Wrapped(first: layer) } else { self?.more.append(layer) }
  }
}
