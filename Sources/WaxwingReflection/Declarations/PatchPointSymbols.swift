// SPDX-License-Identifier: MIT

/// A function that has a replacement entry, as the symbols of its image tell, which are not parsed.
struct PatchPointSymbol: Sendable {
  /// The replacement entry's: by it they are in order.
  let entrySymbol: SymbolIndex.Symbol
  /// The symbol of the function itself.
  var symbol: SymbolIndex.Symbol { entrySymbol.dropping(2) }
  /// The address of the replacement entry.
  let entry: UInt
  /// The address of the function, or of its async function pointer; nil if the image does not name it.
  let implementation: UInt?
  let isAsync: Bool
}

extension SymbolIndex {
  /// The patch points, in the order of their entries' symbols. Of entries of one name the last one counts.
  ///
  /// What belongs to a function is named as it is, with something behind: it stands close by.
  var patchPoints: [PatchPointSymbol] {
    var found: [PatchPointSymbol] = []
    for place in 0..<count where self[place].hasSuffix("TX") {
      let entry = self[place]
      if place + 1 < count, self[place + 1].hasSameName(as: entry) { continue }
      let function = entry.dropping(2)
      let pointer = asyncPointer(of: function, behind: place)
      found.append(
        PatchPointSymbol(
          entrySymbol: entry, entry: entry.address,
          implementation: pointer ?? implementation(of: function, before: place),
          isAsync: pointer != nil))
    }
    return found
  }

  private func implementation(of function: Symbol, before place: Int) -> UInt? {
    for index in stride(from: place - 1, through: 0, by: -1) {
      let symbol = self[index]
      guard symbol.hasPrefix(function) else { return nil }
      if unsafe symbol.bytes.count == function.bytes.count { return symbol.address }
    }
    return nil
  }

  private func asyncPointer(of function: Symbol, behind place: Int) -> UInt? {
    var found: UInt?
    for index in (place + 1)..<max(count, place + 1) {
      let symbol = self[index]
      // `Tu`, before whatever else is further on in the order.
      guard symbol.hasPrefix(function), unsafe symbol.bytes[function.bytes.count...].first == 0x54,
        unsafe symbol.bytes[(function.bytes.count + 1)...].first.map({ $0 <= 0x75 }) == true
      else { break }
      if unsafe symbol.bytes.count == function.bytes.count + 2, symbol.hasSuffix("Tu") {
        found = symbol.address
      }
    }
    return found
  }
}
