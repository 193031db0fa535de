// SPDX-License-Identifier: MIT

import FoundationEssentials
internal import WaxwingBridge
import WaxwingControl
import WaxwingReflection
import WaxwingToolKit

/// The libraries of Swift's that this tool has too: their types are no mistakes.
enum Libraries {
  private static let resolver: NameResolver? = (try? RunningProgram()).map { NameResolver($0) }

  static func has(type name: String) -> Bool { ((try? resolver?.type(named: name)) ?? nil) != nil }

  static func has(module name: String) -> Bool {
    resolver?.program.hasModule(name) ?? false
      || ["Foundation", "Glibc", "Dispatch"].contains(name)
  }

  /// Whether the libraries have a function whose name this may be: then any type may have it by a protocol.
  static func mention(_ name: String) -> Bool {
    let word = MangledWord(name)
    return images.contains { image in
      let found = try? unsafe image.symbols(in: .dynamic, where: word.isIn)
      return found?.isEmpty == false
    }
  }

  /// Whether a library, by its path or name, is one of the system's, of Swift's, or the engine.
  static func isSystem(_ library: String) -> Bool {
    if library.split(separator: "/").last?.hasPrefix("libWaxwing") == true { return true }
    if library.hasPrefix("/") { return RunningImage.isSystem(library) }
    let folders = ["/lib/x86_64-linux-gnu/", "/usr/lib/x86_64-linux-gnu/", "/lib64/"]
    return RunningImage.isSystem("/" + library)
      || folders.contains { FileManager.default.fileExists(atPath: $0 + library) }
  }

  private static let images: [ElfImage] = {
    let paths = LoadedFiles.images(ofProcess: "self").map(\.path)
    return paths.filter { $0.contains("libswift") || $0.contains("libFoundation") }
      .compactMap { try? ElfImage(symbolsOf: $0) }
  }()
}
