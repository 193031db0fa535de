// SPDX-License-Identifier: MIT

internal import Synchronization

/// An image of this process with its symbols and types, which are read when they are asked for.
final class LoadedImage: Sendable {
  let image: RunningImage
  private let knownSymbols = Mutex<SymbolIndex?>(nil)
  private let readSymbols = Mutex<SymbolIndex?>(nil)
  private let knownTypes = Mutex<[RunningType]?>(nil)
  private let knownProtocols = Mutex<[RunningProtocol]?>(nil)
  private let knownClosures = Mutex<[ProgramClosure]?>(nil)
  private let knownOwners = Mutex<[String: [ProgramClosure]]?>(nil)
  private let knownReferences = Mutex<[UInt: [UInt]]?>(nil)
  private let knownUses = Mutex<[UInt: CodeUses]?>(nil)
  private let knownRegistered = Mutex(false)

  init(_ image: RunningImage) {
    self.image = image
  }

  /// The program's own images are read from their files, for private symbols; libraries of the
  /// system from memory, where they are already.
  var symbols: SymbolIndex {
    remembered(knownSymbols) {
      if let read = readSymbols.withLock({ $0 }), image.isKept { return read }
      return image.isSystem ? SymbolIndex(exportedBy: image) : SymbolIndex(allOf: image)
    }
  }

  /// Sets the symbols, which have all been read already. The image is kept from the time when they
  /// are asked for, not before.
  func use(_ symbols: SymbolIndex) {
    readSymbols.withLock { $0 = symbols }
  }

  /// Whether Swift's runtime knows the image's types. It does those of libraries of the system and of Swift.
  var isRegistered: Bool {
    if image.isSystem || knownRegistered.withLock({ $0 }) { return true }
    guard RegisteredImages.contains(base: image.base) else { return false }
    knownRegistered.withLock { $0 = true }
    return true
  }

  /// The classes, structs and enums that the image's symbols name.
  var types: [RunningType] {
    remembered(knownTypes) {
      symbols.symbols(suffix: "Mn").compactMap {
        RunningType(descriptorSymbol: $0.name, descriptor: $0.address)
      }
    }
  }

  /// The protocols that the image's symbols name.
  var protocols: [RunningProtocol] {
    remembered(knownProtocols) {
      symbols.symbols(suffix: "Mp").compactMap {
        RunningProtocol(descriptorSymbol: $0.name, descriptor: $0.address)
      }
    }
  }

  /// The closures whose values can be called.
  var closures: [ProgramClosure] { remembered(knownClosures) { symbols.closures } }

  /// They by the type or module whose functions they stand in.
  var closuresByOwner: [String: [ProgramClosure]] {
    remembered(knownOwners) { Dictionary(grouping: closures, by: \.owner) }
  }

  /// The places in the image's code that may refer to its closures, their pointers and their code, by the
  /// address: the last four of an instruction's bytes.
  var closureReferences: [UInt: [UInt]] {
    remembered(knownReferences) {
      let pointers = closures.flatMap(\.pointers)
      let addresses =
        pointers.map(\.address)
        + pointers.compactMap(\.code) + closures.flatMap { $0.codes + $0.copies + $0.merged }
      return image.references(to: Array(Set(addresses)))
    }
  }

  /// What leads to the code of the image's functions, and to their async function pointers, by the address of that. All code
  /// and data of the image are read.
  var codeUses: [UInt: CodeUses] {
    remembered(knownUses) {
      let symbols = symbols
      var addresses: Set<UInt> = []
      for place in 0..<symbols.count {
        let symbol = symbols[place]
        if symbol.isFunction
          ? unsafe RunningProgram.mayBeFunction(symbol.bytes) : symbol.hasSuffix("Tu")
        {
          addresses.insert(symbol.address)
        }
      }
      let all = Array(addresses)
      let (places, inData) = (image.references(to: all), image.inData(all))
      return Dictionary(
        uniqueKeysWithValues: all.map {
          ($0, CodeUses(places: places[$0] ?? [], isInData: inData.contains($0)))
        })
    }
  }

  /// What has been found out once stays. It is found out without the lock, as that asks the dynamic
  /// linker: a thread may have the linker's lock, run a library's initializer, and come here. Two
  /// threads may find it out at once.
  private func remembered<Value: Sendable>(
    _ known: borrowing Mutex<Value?>, _ make: () -> Value
  ) -> Value {
    if let value = known.withLock({ $0 }) { return value }
    let made = make()
    return known.withLock { known in
      if let known { return known }
      known = made
      return made
    }
  }
}

/// The images of this process, kept up to date with what the program loads.
final class ImageCatalog: Sendable {
  private struct State {
    var imagesAdded: UInt64 = 0
    var images: [LoadedImage] = []
  }

  private let state = Mutex(State())

  /// The program first, then its libraries in the order of loading.
  var images: [LoadedImage] {
    let added = RunningImage.countAdded
    return state.withLock { state in
      if state.imagesAdded == added { return state.images }
      let known = Dictionary(
        state.images.map { ($0.image, $0) }, uniquingKeysWith: { first, _ in first })
      state.images = RunningImage.all().map { known[$0] ?? LoadedImage($0) }
      state.imagesAdded = added
      return state.images
    }
  }
}
