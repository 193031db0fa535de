// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingBridge
import WaxwingDeclarations
import WaxwingInterception

extension OverrideRegistry {
  /// Measures the calls of patches from now on, or not any more. What was counted stays.
  /// - Parameter names: Of patches that are loaded; what is said of them holds for later patches of the
  ///   name, too. None: all that are loaded, and all that come later.
  /// - Returns: The names of the live patches that are measured now, oldest first.
  package func measure(_ isMeasured: Bool, _ names: [String]) throws -> [String] {
    try contents.withLock { contents in
      let loaded = Set(contents.records.values.map(\.name))
      if let unknown = names.first(where: { !loaded.contains($0) }) {
        let known = loaded.sorted().map { "`\($0)`" }.joined(separator: ", ")
        let near = NearestNames.question(for: unknown, in: loaded).map { "\($0) " } ?? ""
        throw WaxwingError(
          .notFound, "no patch named `\(unknown)` is loaded",
          remedy: known.isEmpty ? "no patch is loaded at all" : "\(near)loaded are \(known)")
      }
      contents.measured.set(isMeasured, names)
      for session in contents.records.keys { try contents.settleMeasuring(session) }
      return contents.records.filter { $0.value.isLive && $0.value.isMeasured }
        .sorted { $0.key < $1.key }.map(\.value.name)
    }
  }

  /// Measures the calls of one session until it ends, whatever is said of patches of its name.
  package func measureAlways(_ session: Int) throws {
    try contents.withLock { contents in
      contents.records[session]?.isAlwaysMeasured = true
      try contents.settleMeasuring(session)
    }
  }

  /// How many replacement entries do not hold their baseline word.
  package var entriesNotAtBaseline: Int {
    contents.withLock { $0.snapshot.values.count { !$0.isAtBaseline } }
  }

  /// Whether the calls of a session's overrides are measured.
  func isMeasured(_ session: Int) -> Bool {
    contents.withLock { $0.records[session]?.isMeasured ?? false }
  }
}

extension OverrideRegistry.Contents {
  /// Tells the overrides of a session and their layers whether they are measured.
  fileprivate mutating func settleMeasuring(_ session: Int) throws(WaxwingError) {
    guard let record = records[session] else { return }
    let isMeasured = record.isAlwaysMeasured || measured.contains(record.name)
    if isMeasured == record.isMeasured { return }
    for override in record.overrides {
      do throws(InterceptionError) { try override.setMeasured(isMeasured) } catch {
        throw WaxwingError(.unavailable, error.message)
      }
      for layer in record.layers(override) { layer.measure(override.activeRecorder) }
    }
    for (override, layer) in record.lingering?.layers ?? [] {
      layer.measure(override.activeRecorder)
    }
    records[session]?.isMeasured = isMeasured
  }
}
