// SPDX-License-Identifier: MIT

/// What debugging information tells of the code of a function.
package struct CodeDescription: Sendable {
  /// How it uses `self`; nil: it is no method of an instance, or that is not told.
  let selfKind: SelfKind?
  /// Whether it gets the actor of its caller, as `nonisolated(nonsending)` functions do; nil: that is not told, as of functions
  /// that are no members.
  package var takesCallerActor: Bool?
  /// The registers that have the parameters of the source in them when the function begins, in order: bit n for the one that
  /// DWARF numbers n; 0: none.
  package var parameters: [UInt32] = []
  /// Those that have `self` in them.
  package var receiver: UInt32 = 0

  init(selfKind: SelfKind?) {
    self.selfKind = selfKind
  }
}

/// A range of the code, and the unit that describes it.
struct CodeUnit: Sendable {
  let code: Range<UInt64>
  /// Where the unit begins.
  let start: Int
  /// Whether it was compiled with optimisation.
  let isOptimized: Bool
}

extension DebugInformation {
  /// The code in Swift that debugging information describes, in order.
  ///
  /// Cost: one pass over the units' headers and their first entries.
  static func codeUnits(of image: ElfImage) -> [CodeUnit] {
    guard image.section(named: ".debug_info") != nil else { return [] }
    let found = DwarfSections.with(image) { sections in
      var found: [CodeUnit] = []
      var position = 0
      while let unit = unsafe DwarfUnit(at: position, in: sections.info) {
        position = unit.end
        guard let root = root(of: unit, sections) else { continue }
        found += ranges(of: root, unit, sections).map {
          CodeUnit(code: $0, start: unit.start, isOptimized: root.isOptimized)
        }
      }
      return found
    }
    return (found ?? []).sorted { ($0.code.lowerBound, $0.start) < ($1.code.lowerBound, $1.start) }
  }

  private static func ranges(
    of root: DwarfEntry, _ unit: DwarfUnit, _ sections: DwarfSections
  ) -> [Range<UInt64>] {
    if let offset = root.ranges {
      return unsafe DwarfRanges(
        sections.ranges, at: offset, base: root.lowAddress ?? 0, unit.addressSize
      ).all
    }
    guard let low = root.lowAddress, let high = root.highAddress else { return [] }
    let end = high.isOffset ? low &+ high.value : high.value
    return low < end ? [low..<end] : []
  }

  /// What these units tell of functions' code, by where that begins.
  static func descriptions(at path: String, units: Set<Int>) -> [UInt64: CodeDescription] {
    guard let image = try? ElfImage(path: path, sections: DwarfSections.names, units: units) else {
      return [:]
    }
    return DwarfSections.with(image) { sections in
      var found: [UInt64: CodeDescription] = [:]
      for start in units.sorted() {
        guard let unit = unsafe DwarfUnit(at: start, in: sections.info) else { continue }
        found.merge(DwarfFunctions(unit, sections).descriptions(sections)) { first, _ in first }
      }
      return found
    } ?? [:]
  }
}
