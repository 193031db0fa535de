// SPDX-License-Identifier: MIT

import CWaxwingTransport
import WaxwingSystem

/// A connection by libcurl. One thread uses it at a time; any thread may wake it. Unchecked: the
/// user takes it from a pool or owns its watch; `wake` is atomic in C. Safe: only this class sees
/// its pointer, which is valid as long as it is.
@safe
final class Transport: @unchecked Sendable {
  /// A received part of an answer.
  enum Part {
    case bytes([UInt8])
    case end
    case late
    case woken
  }

  private let transport: OpaquePointer
  private static let bufferSize = 64 * 1024
  private static let connectMilliseconds = 3000

  init() throws(FleetError) {
    guard let transport = unsafe wax_transport_create() else {
      throw FleetError(.unavailable, "libcurl cannot start", remedy: "check this host's memory")
    }
    unsafe self.transport = transport
  }

  deinit { unsafe wax_transport_destroy(transport) }

  /// Begins a request.
  func start(
    url: String, body: [UInt8], authorization: String?, options: EtcdOptions, needsLeader: Bool
  ) throws(FleetError) {
    let transport = unsafe transport
    let isStarted = unsafe url.withCString { url in
      unsafe body.withUnsafeBufferPointer { body in
        unsafe Self.withOptional(authorization) { authorization in
          unsafe Self.withFiles(options) { authority, certificate, key in
            var request = unsafe wax_transport_request(
              url: url, body: body.baseAddress, body_size: body.count,
              authorization: authorization, authority: authority, certificate: certificate,
              certificate_key: key, needs_leader: needsLeader,
              connect_milliseconds: Self.connectMilliseconds)
            return unsafe wax_transport_start(transport, &request)
          }
        }
      }
    }
    guard isStarted else { throw failure(url) }
  }

  /// Waits for more of the answer.
  func read(until deadline: Deadline, of url: String) throws(FleetError) -> Part {
    var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
    let timeout = min(deadline.pollTimeout < 0 ? .max : deadline.pollTimeout, 3_600_000)
    let count = unsafe wax_transport_read(transport, &buffer, buffer.count, timeout)
    switch count {
    case Int(WAX_TRANSPORT_END): return .end
    case Int(WAX_TRANSPORT_LATE): return .late
    case Int(WAX_TRANSPORT_WOKEN): return .woken
    case 1...: return .bytes(Array(buffer[..<count]))
    default: throw failure(url)
    }
  }

  /// The HTTP status of the answer.
  var status: Int { unsafe wax_transport_status(transport) }

  /// Whether a failed request certainly did not reach the server.
  var neverSent: Bool { unsafe wax_transport_never_sent(transport) }

  /// Lets the thread that reads return.
  func wake() { unsafe wax_transport_wake(transport) }

  private func failure(_ url: String) -> FleetError {
    let wasShutOut = unsafe wax_transport_was_shut_out(transport)
    // What libcurl says of that depends on how far it was.
    let reason =
      wasShutOut
      ? "it closed the connection right after the TLS handshake"
      : unsafe String(cString: wax_transport_error(transport))
    let remedy =
      if unsafe wax_transport_distrusts(transport) {
        "name with --ca the certificate that etcd's are signed with, and etcd by a name that its have"
      } else if reason.contains("certificate") || reason.contains("private key") {
        "name with --cert and --cert-key a certificate of clients that etcd accepts, and its key"
      } else if wasShutOut {
        "name with --cert and --cert-key a certificate of clients that etcd accepts, and its key, if it demands one; "
          + "its log tells why it closed"
      } else {
        "check the address, the network and etcd"
      }
    return FleetError(
      .unavailable, "etcd does not answer at \(url): \(reason)", remedy: remedy)
  }

  private static func withFiles<Result>(
    _ options: EtcdOptions,
    _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Result
  ) -> Result {
    unsafe withOptional(options.authority) { authority in
      unsafe withOptional(options.certificate) { certificate in
        unsafe withOptional(options.certificateKey ?? options.certificate) { key in
          unsafe body(authority, certificate, key)
        }
      }
    }
  }

  private static func withOptional<Result>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let text else { return body(nil) }
    return unsafe text.withCString { unsafe body($0) }
  }
}
