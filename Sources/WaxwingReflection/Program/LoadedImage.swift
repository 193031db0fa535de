// SPDX-License-Identifier: MIT

internal import Synchronization

/// An image of this process with what is known of it: nothing until it is asked for.
final class LoadedImage: Sendable {
  let image: RunningImage
  private let knownSymbols = Mutex<SymbolIndex?>(nil)
  private let readSymbols = Mutex<SymbolIndex?>(nil)
  private let knownTypes = Mutex<[RunningType]?>(nil)
  private let knownProtocols = Mutex<[RunningProtocol]?>(nil)

  init(_ image: RunningImage) {
    self.image = image
  }

  /// The program's own images are read from their files, for private symbols; libraries of the
  /// system from memory, where they are already.
  var symbols: SymbolIndex {
    knownSymbols.withLock { known in
      if let known { return known }
      let made =
        if let read = readSymbols.withLock({ $0 }), image.isKept {
          read
        } else if image.isSystem {
          SymbolIndex(exportedBy: image)
        } else {
          SymbolIndex(allOf: image)
        }
      known = made
      return made
    }
  }

  /// All of them have been read already. The image is kept when they are asked for, not before.
  func use(_ symbols: SymbolIndex) {
    readSymbols.withLock { $0 = symbols }
  }

  /// The classes, structs and enums that the image's symbols name.
  var types: [RunningType] {
    knownTypes.withLock { known in
      if let known { return known }
      let made = symbols.symbols(suffix: "Mn").compactMap {
        RunningType(descriptorSymbol: $0.name, descriptor: $0.address)
      }
      known = made
      return made
    }
  }

  /// The protocols that the image's symbols name.
  var protocols: [RunningProtocol] {
    knownProtocols.withLock { known in
      if let known { return known }
      let made = symbols.symbols(suffix: "Mp").compactMap {
        RunningProtocol(descriptorSymbol: $0.name, descriptor: $0.address)
      }
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
