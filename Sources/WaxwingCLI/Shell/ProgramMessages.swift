// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import WaxwingControl
import WaxwingSystem

/// A request of the shell to its program.
struct ProgramRequest: Codable {
  let number: Int
  let request: ShellRequest
}

/// An answer of the program. It has the number 0 if it is no answer, but tells that the program has
/// started.
struct ProgramReply: Codable {
  let number: Int
  let reply: ShellReply
  /// The globals that have been made so far.
  var globals: [String] = []
}

/// The descriptors that the shell's program is started with, far from those that it opens itself.
enum ProgramDescriptor {
  static let channel: Int32 = 200
  static let trap: Int32 = 201
}

/// One end of the socket between the shell and its program.
struct ProgramChannel {
  let descriptor: Int32
  private var decoder = FrameDecoder()

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// - Returns: Whether the other end is there.
  func send(_ message: some Encodable) -> Bool {
    guard let frame = try? WireCoder.frame(message) else { return false }
    return (try? SystemCall.sendAll(frame[...], to: descriptor)) != nil
  }

  /// A message that has arrived as a whole.
  mutating func next<Message: Decodable>(_: Message.Type) -> Message? {
    guard let json = try? decoder.next() else { return nil }
    return try? JSONDecoder().decode(Message.self, from: Data(json))
  }

  /// Takes what has arrived, or waits for it.
  /// - Returns: Whether there may be more: false at the end of the stream.
  mutating func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    let result = SystemCall.retrying { unsafe recv(descriptor, &buffer, buffer.count, 0) }
    guard case .success(let count) = result, count > 0 else { return false }
    decoder.append(buffer[..<count])
    return true
  }
}
