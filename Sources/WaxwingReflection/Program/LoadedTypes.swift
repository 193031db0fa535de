// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingDeclarations

/// The types of all libraries that are loaded, by name.
package struct LoadedTypes: Sendable {
  /// The types by their names without module, such as `URL` or `String.Index`.
  private let byPath: [String: [RunningType]]
  /// The modules that have types.
  package let modules: Set<String>

  init(_ images: [LoadedImage]) {
    // A type that is imported from C has a descriptor in every image that uses it.
    var seen: Set<NominalType> = []
    let types = images.flatMap(\.types).filter {
      $0.nominal.isHidden || seen.insert($0.nominal).inserted
    }
    byPath = Dictionary(grouping: types, by: \.path)
    modules = Set(types.compactMap(\.nominal.rootModule))
  }

  /// The types of this name, which has no module.
  package func types(path: String) -> [RunningType] { byPath[path] ?? [] }

  /// All names without modules.
  package var paths: some Collection<String> { byPath.keys }
}

extension RunningProgram {
  /// The types of the libraries that are loaded now.
  package var loadedTypes: LoadedTypes {
    let images = libraries
    if let known = cache.withLock({ $0.loadedTypes }), known.imageCount == images.count {
      return known.value
    }
    let made = LoadedTypes(images)
    cache.withLock { $0.loadedTypes = .init(imageCount: images.count, value: made) }
    return made
  }
}
