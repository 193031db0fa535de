// SPDX-License-Identifier: MIT

import SeededRandom
import Synchronization
import WaxwingControl

extension ByteTrial {
  /// The stream of a control socket: frames, and the requests in them. Most of the damaged requests
  /// are in frames that are whole.
  public static let frames = ByteTrial(
    name: "frames", samples: Corpus.files(in: "requests").map(frame),
    damage: { mutation, sample, samples in
      guard Int.random(in: 0..<4, using: &mutation.random) > 0 else {
        return mutation.damaged(sample, among: samples)
      }
      var json = words.of(Array(sample.dropFirst(headerLength)), &mutation.random)
      if Int.random(in: 0..<4, using: &mutation.random) == 0 {
        json = mutation.damaged(json, among: samples)
      }
      let next = samples.randomElement(using: &mutation.random) ?? []
      return Bool.random(using: &mutation.random) ? frame(json) + next : frame(json)
    },
    read: { bytes in
      var decoder = FrameDecoder()
      var verdict = Verdict.refused
      // In pieces, as a socket delivers them.
      for start in stride(from: 0, to: bytes.count, by: 37) {
        decoder.append(bytes[start..<min(start + 37, bytes.count)])
        do throws(ControlFailure) {
          while let json = try decoder.next() {
            guard let request = request(json) else { continue }
            guard isStable(request) else { return .mistake("read again it is another request") }
            verdict = .accepted
          }
        } catch { return .refused }
        if decoder.pendingBytes > bytes.count { return .mistake("more is kept than came") }
      }
      return verdict
    })

  private static let headerLength = 4

  private static let words = WordMutation(
    words: [
      "null", "true", "false", "0", "-1", "1.5", "1e308", "1e400", "-0.0", "9223372036854775807",
      "9223372036854775808", "18446744073709551616", "\"\"", "\"\\u0000\"", "\"\\ud800\"",
      "\"\u{202e}\"", "[]", "{}", "{", "}", "[", "]", ":", ",", "\"", "\\", "list", "apply", "boot",
      "show", "retry", "drop", "confirm", "name", "verb", "protocol", "patches", "files", "bytes",
      "signature", "options", "waitSeconds", "trialSeconds", "keeps", "last",
      "\"" + String(repeating: "a.", count: 2048) + "\"",
      "\"" + String(repeating: "a.", count: 2049) + "\"", "-9223372036854775808", "-1e308",
      String(repeating: "[", count: 600), String(repeating: "{\"a\":", count: 600),
    ])

  private static func frame(_ json: [UInt8]) -> [UInt8] {
    let length = UInt32(json.count)
    return (0..<headerLength).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + json
  }

  /// The request in a frame; nil: there is none.
  private static func request(_ json: [UInt8]) -> (any ControlRequest)? {
    let found = Mutex<(any ControlRequest)?>(nil)
    let answers = ControlAnswers { request, _ in
      found.withLock { $0 = request }
      return .failure(ControlFailure(.unsupported, message: ""))
    }
    guard let received = try? WireCoder.request(json, for: answers) else { return nil }
    _ = received.answer(ControlPeer(pid: 0, uid: 0, gid: 0))
    return found.withLock { $0 }
  }

  private static func isStable<Request: ControlRequest>(_ request: Request) -> Bool {
    guard let frame = try? WireCoder.frame(of: request) else { return false }
    return self.request(Array(frame.dropFirst(headerLength))) as? Request == request
  }
}
