// SPDX-License-Identifier: MIT

import SeededRandom
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
            guard let request = try? WireCoder.request(json) else { continue }
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

  private static func isStable(_ request: ControlRequest) -> Bool {
    guard let frame = try? WireCoder.frame(request) else { return false }
    return (try? WireCoder.request(Array(frame.dropFirst(headerLength)))) == request
  }
}
