// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// How SwiftPM compiled modules: it leaves each command line in a file beside the folder of the build.
struct BuildManifest {
  /// How one module was compiled.
  struct Compilation: Equatable {
    /// The folder that the compiler is in.
    let toolchain: String
    /// The compiler's arguments that say where the module finds its imports.
    let searchPaths: [String]
  }

  /// The command lines by the files that the modules were written to.
  private let commandLines: [String: [String]]

  /// - Parameter folder: Where the program is: `.build/x86_64-unknown-linux-gnu/release`.
  init(besideFolder folder: String) {
    let parts = folder.split(separator: "/")
    guard let configuration = parts.last, parts.count > 2 else {
      self.init(text: "")
      return
    }
    let path = "/" + parts.dropLast(2).joined(separator: "/") + "/\(configuration).yaml"
    let data = try? Data(contentsOf: URL(fileURLWithPath: path))
    self.init(text: String(decoding: data ?? Data(), as: UTF8.self))
  }

  /// - Parameter text: A YAML document in which each command line is a list on one line, as in JSON.
  init(text: String) {
    var found: [String: [String]] = [:]
    for line in text.split(separator: "\n") {
      let line = line.drop { $0 == " " }
      guard line.hasPrefix("args: ["), line.contains("\"-emit-module-path\"") else { continue }
      let list = Data(line.dropFirst("args: ".count).utf8)
      guard let words = try? JSONDecoder().decode([String].self, from: list),
        let index = words.firstIndex(of: "-emit-module-path"), index + 1 < words.count
      else { continue }
      found[words[index + 1]] = words
    }
    commandLines = found
  }

  /// How the module in this file was compiled; nil: the build was not SwiftPM's, or another one.
  func compilation(of module: String) -> Compilation? {
    guard let words = commandLines[module], let compiler = words.first else { return nil }
    var paths: [String] = []
    var index = 1
    while index < words.count {
      let word = words[index]
      if ["-I", "-F", "-Xcc", "-sdk", "-resource-dir", "-target"].contains(word),
        index + 1 < words.count
      {
        paths += [word, words[index + 1]]
        index += 1
      } else if word.hasPrefix("-I") || word.hasPrefix("-F") {
        paths.append(word)
      }
      index += 1
    }
    let folder = compiler.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return Compilation(toolchain: folder.joined(separator: "/"), searchPaths: paths)
  }
}
