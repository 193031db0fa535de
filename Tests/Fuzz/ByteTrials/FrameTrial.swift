// SPDX-License-Identifier: MIT

import WaxwingControl

extension ByteTrial {
  /// The stream of a control socket: frames, and the requests in them.
  public static let frames = ByteTrial(name: "frames", samples: requests.map(frame)) { bytes in
    var decoder = FrameDecoder()
    var verdict = Verdict.refused
    // In pieces, as a socket delivers them.
    for start in stride(from: 0, to: bytes.count, by: 37) {
      decoder.append(bytes[start..<min(start + 37, bytes.count)])
      do throws(ControlFailure) {
        while let json = try decoder.next() {
          if let request = try? WireCoder.request(json) {
            verdict = isStable(request) ? .accepted : .mistake("read again it is another request")
          }
        }
      } catch { return .refused }
      if decoder.pendingBytes > bytes.count { return .mistake("more is kept than came") }
    }
    return verdict
  }

  private static let requests = [
    #"{"verb":"hello","protocol":1}"#, #"{"verb":"list"}"#, #"{"verb":"status"}"#,
    #"{"verb":"objects","collect":false}"#, #"{"verb":"explain","selector":"Bank.fee(_:)"}"#,
    #"{"verb":"versions","type":"Bank.Account"}"#, #"{"verb":"audit","last":20}"#,
    #"{"verb":"metrics"}"#, #"{"verb":"revert","name":"a\u00e4\n","waitSeconds":1.5e1}"#,
    #"{"verb":"restore","waitSeconds":0}"#,
    #"{"verb":"apply","apply":{"patches":[{"files":[{"name":"a.lua","bytes":"cmV0dXJuIDE="}],"#
      + #""signature":{"name":"a.lua.sig","bytes":"AAAA"}}],"#
      + #""options":{"waitSeconds":10,"replacesAll":true}}}"#,
  ]

  private static func frame(_ json: String) -> [UInt8] {
    let length = UInt32(json.utf8.count)
    return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + Array(json.utf8)
  }

  private static func isStable(_ request: ControlRequest) -> Bool {
    guard let frame = try? WireCoder.frame(request) else { return false }
    return (try? WireCoder.request(Array(frame.dropFirst(4)))) == request
  }
}
