// SPDX-License-Identifier: MIT

import Foundation

/// Relates an editor's files to a patch's files, and tells which lines have code.
struct DebugSources {
  /// The patch's own names: `overdraft.lua`, `overdraft/rates/eur.lua`.
  let files: [String]
  /// The place of the patch according to the editor, a file or a folder; nil if the editor gave
  /// none.
  let place: String?
  /// The editor's paths by the patch's names of the files.
  private var paths: [String: String] = [:]

  init(files: [String], place: String?) {
    self.files = files
    self.place = place
  }

  /// The patch's name of a file that the editor has; nil: it is none of the patch's.
  mutating func file(at path: String) -> String? {
    let fitting = files.filter { path == $0 || path.hasSuffix("/" + $0) }
    let last = { (path: String) in path.split(separator: "/").last.map(String.init) ?? path }
    let named = files.filter { last($0) == last(path) }
    // A patch of one file may be called otherwise in the folder that the editor shows.
    let found = fitting.max { $0.count < $1.count } ?? (named.count == 1 ? named[0] : nil)
    if let found { paths[found] = path }
    return found
  }

  /// The editor's path of a file of the patch; nil if it is not known.
  func path(of file: String) -> String? {
    if let known = paths[file] { return known }
    guard let place else { return nil }
    let rest = file.split(separator: "/").dropFirst().joined(separator: "/")
    let candidates = [
      place.hasSuffix("/" + file) ? place : nil, "\(place)/\(file)",
      rest.isEmpty ? nil : "\(place)/\(rest)",
    ]
    return candidates.lazy.compactMap(\.self).first { path in
      var isFolder = ObjCBool(false)
      return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }

  /// The first line from one on that may have code: it is neither empty nor a comment nor only words
  /// that run nothing; nil: there is none.
  static func codeLine(from line: Int, in text: String) -> Int? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard line >= 1, line <= lines.count else { return nil }
    let isCode = { (line: Substring) -> Bool in
      let code = line.trimmingCharacters(in: .whitespaces)
      return !code.isEmpty && !code.hasPrefix("--") && !["else", "do", "then"].contains(code)
    }
    return lines.indices.dropFirst(line - 1).first { isCode(lines[$0]) }.map { $0 + 1 }
  }
}
