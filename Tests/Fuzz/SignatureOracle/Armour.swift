// SPDX-License-Identifier: MIT

import Foundation

/// The Base64 that signatures are written in.
enum Armour {
  /// Changes the bytes under the armour of an SSH signature, and puts that on again.
  static func ssh(_ signature: [UInt8], _ random: inout some RandomNumberGenerator) -> [UInt8] {
    let lines = String(decoding: signature, as: UTF8.self).split(separator: "\n")
    let body = lines.dropFirst().dropLast().joined()
    guard lines.count > 2, let data = Data(base64Encoded: body) else { return signature }
    let changed = Mutation.binary.apply(to: Array(data), &random)
    let text = Data(changed).base64EncodedString(options: [
      .lineLength76Characters, .endLineWithLineFeed,
    ])
    return Array("\(lines[0])\n\(text)\n\(lines[lines.count - 1])\n".utf8)
  }

  /// The same of one of the two lines of a minisign signature that are Base64.
  static func minisign(
    _ signature: [UInt8], _ random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    var lines = String(decoding: signature, as: UTF8.self).components(separatedBy: "\n")
    let line = Bool.random(using: &random) ? 1 : 3
    guard line < lines.count, let data = Data(base64Encoded: lines[line]) else { return signature }
    lines[line] = Data(Mutation.binary.apply(to: Array(data), &random)).base64EncodedString()
    return Array(lines.joined(separator: "\n").utf8)
  }
}
