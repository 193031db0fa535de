// SPDX-License-Identifier: MIT

import Foundation
import WaxwingToolKit

/// The shared libraries that the loader would load for a program, asked of the loader itself: ld.so(8),
/// LD_TRACE_LOADED_OBJECTS. The program does not run.
struct SharedLibraries {
  /// Names and paths, in the order of loading.
  let found: [(name: String, path: String)]
  /// Names of those that are nowhere.
  let missing: [String]

  /// - Parameters:
  ///   - program: Has to have an interpreter: others run.
  ///   - variables: The whole environment that it would have.
  init(of program: String, _ variables: [String: String]) throws(FilteringError) {
    var found: [(name: String, path: String)] = []
    var missing: [String] = []
    let asked = variables.merging(["LD_TRACE_LOADED_OBJECTS": "1"]) { $1 }
    let text = try Filter([program], environment: asked).run(Data())
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      if words.count >= 3, words[1] == "=>" {
        if words[2] == "not" {
          missing.append(String(words[0]))
        } else {
          found.append((String(words[0]), String(words[2])))
        }
      } else if let word = words.first, word.hasPrefix("/") {
        found.append((String(word), String(word)))
      }
    }
    self.found = found
    self.missing = missing
  }

  /// Where a library is; nil: it is not loaded, or nowhere.
  subscript(name: String) -> String? { found.first { $0.name == name }?.path }
}
