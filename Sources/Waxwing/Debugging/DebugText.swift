// SPDX-License-Identifier: MIT

import WaxwingControl

/// What lua/tools/debug.lua answers, as text: records of parts.
enum DebugText {
  private static let recordEnd: Character = "\u{1e}"
  private static let partEnd: Character = "\u{1f}"

  private static func records(_ text: String) -> [[String]] {
    text.split(separator: recordEnd, omittingEmptySubsequences: true).map { record in
      record.split(separator: partEnd, omittingEmptySubsequences: false).map(String.init)
    }
  }

  static func frames(_ text: String) -> [DebugFrame] {
    records(text).compactMap { parts in
      guard parts.count == 4, let level = Int(parts[0]), let line = Int(parts[2]) else {
        return nil
      }
      return DebugFrame(level: level, file: parts[1], line: line, name: parts[3])
    }
  }

  static func handles(_ text: String) -> [Int] {
    records(text).first?.compactMap { Int($0) } ?? []
  }

  static func variables(_ text: String) -> [DebugVariable] {
    records(text).compactMap { parts in
      guard parts.count == 6, let handle = Int(parts[3]) else { return nil }
      return DebugVariable(
        name: parts[0], value: parts[1], type: parts[2], handle: handle, expression: parts[4],
        isReadLater: parts[5] == "later" ? true : nil)
    }
  }
}
