// SPDX-License-Identifier: MIT

internal import CWaxwingProcess

extension RunningProgram {
  /// The Swift symbols at this address.
  package func symbols(at address: UInt) -> [String] {
    image(at: address)?.symbols.names(at: address) ?? []
  }

  /// The Swift symbols that begin like this, in the image that has the address.
  package func symbols(prefix: String, near address: UInt) -> [String] {
    image(at: address)?.symbols.symbols(prefix: prefix).map(\.name) ?? []
  }

  /// The Swift symbols that begin like this, in the program and its own libraries.
  package func ownSymbols(prefix: String) -> [String] {
    images.filter { !$0.image.isSystem }.flatMap { image in
      image.symbols.symbols(prefix: prefix).map(\.name)
    }
  }

  /// Where the Swift symbols that begin like this are, in the image that has the address.
  package func addresses(prefix: String, near address: UInt) -> [UInt] {
    image(at: address)?.symbols.symbols(prefix: prefix).map(\.address) ?? []
  }

  /// Where the Swift symbol of this name is, in the image that has the address.
  package func address(ofSymbol name: String, near address: UInt) -> UInt? {
    image(at: address)?.symbols.address(of: name)
  }

  /// Whether one of the system's or Swift's own libraries has the address.
  package func isInSystem(_ address: UInt) -> Bool { image(at: address)?.image.isSystem == true }

  /// The size in bytes of the code at an address that has one Swift symbol; nil if it has none, or several.
  package func sizeOfOnlyFunction(at address: UInt) -> UInt? {
    let found = image(at: address)?.symbols.symbols(at: address) ?? []
    return found.count == 1 && found[0].isFunction && found[0].size > 0 ? found[0].size : nil
  }

  /// Whether the object file alone that has the code at an address has named it.
  package func isPrivate(_ address: UInt) -> Bool {
    guard let index = image(at: address)?.symbols else { return false }
    // What is private in its file has the name of that in its own.
    return index.symbols(at: address).contains {
      $0.isPrivate && (index.keepsVisibility || $0.name.contains("LL"))
    }
  }

  /// The Swift symbols of the code that has this address. Of code that has none, as the top level of `main.swift`, those
  /// before and behind it, of which one is of the same object file.
  package func symbols(around address: UInt) -> [String] {
    guard let index = image(at: address)?.symbols, let start = index.last(upTo: address)
    else { return [] }
    let found = index.symbols(at: start)
    let size = found.map(\.size).max() ?? 0
    let next = size > 0 && address - start >= size ? index.next(after: address) : nil
    return found.map(\.name) + (next.map(index.names) ?? [])
  }

  /// The code of functions that is near enough to an address for a jump over a short distance; of the last one a part.
  package func codeNear(_ address: UInt) -> [Range<UInt>] {
    guard let index = image(at: address)?.symbols else { return [] }
    let distance: UInt = 130
    var found: [Range<UInt>] = []
    var start = index.last(upTo: address - distance) ?? address
    while start < address + distance, let end = index.next(after: start) {
      let symbols = index.symbols(at: start)
      // C's functions, which have no Swift symbols, may stand between two of Swift's.
      let middle = min(start + (symbols.map(\.size).max() ?? 0), end)
      if symbols.contains(where: \.isFunction) {
        found += [start..<middle, middle..<end].map { $0.clamped(to: 0..<address + distance) }
      }
      start = end
    }
    return found.filter { !$0.isEmpty }
  }

  /// Where the code of a function that has a Swift symbol ends.
  package func endOfCode(at address: UInt) -> UInt {
    guard let index = image(at: address)?.symbols else { return address }
    let size = index.symbols(at: address).map(\.size).max() ?? 0
    return size > 0 ? address + size : index.next(after: address) ?? address
  }

  /// The name that the image which has the address gives it for others; nil: none.
  package func exportedName(at address: UInt) -> String? {
    unsafe wax_process_symbol_at(UnsafeRawPointer(bitPattern: address)).map {
      unsafe String(cString: $0)
    }
  }

  /// Whether the image that has the address names it for others.
  package func isExported(_ address: UInt) -> Bool { exportedName(at: address) != nil }

  /// What in its image leads to the code of a function. The first time all code and data of the image are read.
  package func uses(ofCodeAt address: UInt) -> CodeUses {
    image(at: address)?.codeUses[address] ?? CodeUses()
  }

  /// The address of the next symbol of the image after this address.
  package func nextSymbol(after address: UInt) -> UInt? {
    image(at: address)?.symbols.next(after: address)
  }
}

/// What leads to the code of a function in its image.
package struct CodeUses: Sendable {
  /// The places in the code that may refer to it: the last four of an instruction's bytes.
  package var places: [UInt] = []
  /// Whether a word of the data is its address.
  package var isInData = false

  package init() {}

  init(places: [UInt], isInData: Bool) {
    self.places = places
    self.isInData = isInData
  }
}
