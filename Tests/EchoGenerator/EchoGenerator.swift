// SPDX-License-Identifier: MIT

import Foundation
import SeededRandom

/// Writes the echo fixture's functions: FOLDER [SEED]. The same seed gives the same functions.
@main
enum EchoGenerator {
  static let seed: UInt64 = 0x5761_7877_696e_6721

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 1 else { fatalError("usage: EchoGenerator FOLDER [SEED]") }
    let seed = arguments.dropFirst(2).first.flatMap(UInt64.init) ?? seed
    var fixture = EchoFixture(seed: seed)
    fixture.generate()
    let folder = URL(filePath: arguments[1], directoryHint: .isDirectory)
    for (name, text) in fixture.files {
      try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }
  }
}
