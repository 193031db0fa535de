// SPDX-License-Identifier: MIT

import Glibc
import WaxwingSystem

/// The tool's end of a control socket: one connection, one request at a time.
package struct ControlClient: ~Copyable, Sendable {
  /// The path of the socket.
  let path: String

  /// The process at the other end.
  package let peerID: Int32

  /// The user that it runs as: as the kernel noted it, not as it says.
  package let peerUser: UInt32

  private let descriptor: FileDescriptor

  /// Connects to a daemon.
  /// - Throws: ``ControlError``: `noDaemon`, `staleSocket`, `notPermitted`, `busy` and others.
  package init(path: String, timeout seconds: Double) throws(ControlError) {
    let address = try SocketAddress(path: path)
    try Self.checkOwner(path)
    let socket = try FileDescriptor.streamSocket()
    try Self.connect(socket, to: address, deadline: .after(seconds: seconds))
    guard let peer = ControlPeer(of: socket.number) else {
      throw ControlError(.closed, message: "\(path) was closed", remedy: "try again")
    }
    let isOurs = peer.uid == geteuid() || peer.uid == 0 || geteuid() == 0
    guard isOurs || Self.isShared(path, by: peer.uid) else {
      throw .anothers(path, owner: peer.uid)
    }
    self.path = path
    peerID = peer.pid
    peerUser = peer.uid
    descriptor = socket
  }

  /// Sends one request and waits for its response.
  /// - Throws: ``ControlError``: `timedOut`, `closed`, `protocolViolation`. The connection is of no
  ///   further use after that.
  package func send<Request: ControlRequest>(
    _ request: Request, timeout seconds: Double
  ) throws(ControlError) -> Result<Request.Response, ControlFailure> {
    let deadline = Deadline.after(seconds: seconds)
    let frame = try WireCoder.frame(of: request)
    // A daemon that refuses the frame half way has said why: its answer is read all the same.
    let isSent = try write(frame, deadline, seconds)
    do throws(ControlError) {
      return try WireCoder.response(try read(deadline, seconds), to: Request.self)
    } catch {
      throw isSent || error.code != .closed ? error : closed()
    }
  }

  private func write(
    _ frame: [UInt8], _ deadline: Deadline, _ seconds: Double
  ) throws(ControlError) -> Bool {
    var rest = frame[...]
    while !rest.isEmpty {
      switch descriptor.send(rest) {
      case .success(let count): rest = rest.dropFirst(count)
      case .failure(let error) where error.wouldBlock:
        guard descriptor.wait(for: POLLOUT, until: deadline) != nil else { throw timedOut(seconds) }
      case .failure: return false
      }
    }
    return true
  }

  private func read(_ deadline: Deadline, _ seconds: Double) throws(ControlError) -> [UInt8] {
    var decoder = FrameDecoder(limit: ControlProtocol.maximumResponse)
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      do throws(ControlFailure) {
        if let json = try decoder.next() { return json }
      } catch {
        throw ControlError(
          .protocolViolation,
          message: "\(path) does not speak Waxwing's protocol: \(error.message)",
          remedy: "check that the path is a waxwing control socket")
      }
      guard descriptor.wait(for: POLLIN, until: deadline) != nil else { throw timedOut(seconds) }
      switch descriptor.receive(into: &buffer) {
      case .success(0): throw closed()
      case .success(let count): decoder.append(buffer[..<count])
      case .failure(let error) where error.wouldBlock: continue
      case .failure: throw closed()
      }
    }
  }
}

extension ControlClient {
  /// A path that is not there and one that is another user's are told apart before connecting,
  /// which would say no more than "permission denied".
  private static func checkOwner(_ path: String) throws(ControlError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw .noDaemon(path)
      case EACCES: throw .anothers(path, owner: folderOwner(path))
      case let number: throw .system("stat", number, "cannot look at \(path)")
      }
    }
    // What a link leads to may be another daemon the next moment.
    guard status.st_mode & S_IFMT != S_IFLNK else {
      throw ControlError(
        .unsafePath, message: "the socket \(path) is a symbolic link",
        remedy: "give the path that it leads to")
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw ControlError(
        .noDaemon, message: "no daemon: \(path) is not a socket",
        remedy: "give the daemon's control socket")
    }
    let isOurs = status.st_uid == geteuid() || geteuid() == 0
    guard unsafe isOurs || access(path, W_OK) == 0 else {
      throw .anothers(path, owner: status.st_uid)
    }
  }

  /// Whether the process at the other end shares its socket with a group of ours.
  private static func isShared(_ path: String, by uid: UInt32) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_uid == uid
      && SocketFolder.isSharedWithUs(status)
  }

  private static func folderOwner(_ path: String) -> UInt32? {
    var status = stat()
    guard let address = try? SocketAddress(path: path) else { return nil }
    return unsafe stat(address.folder, &status) == 0 ? status.st_uid : nil
  }

  /// Connecting to a Unix socket never waits in the system if the socket does not block: a daemon
  /// whose queue is full answers EAGAIN, and asking again is all that can be done.
  private static func connect(
    _ socket: borrowing FileDescriptor, to address: SocketAddress, deadline: Deadline
  ) throws(ControlError) {
    let number = socket.number
    while case .failure(let error) = SystemCall.retrying({
      unsafe address.withPointer { unsafe Glibc.connect(number, $0, $1) }
    }) {
      switch error.value {
      case EAGAIN where !deadline.isPast: usleep(5000)
      case EAGAIN:
        throw ControlError(
          .busy,
          message:
            "the daemon at \(address.path) is busy: it is there, but took no connection in time",
          remedy: "try again, allow more time with --timeout, or check what its other clients do")
      case EISCONN: return
      case ENOENT: throw .noDaemon(address.path)
      case ECONNREFUSED: throw .stale(address.path)
      case EACCES, EPERM: throw .anothers(address.path, owner: nil)
      default: throw .system("connect", error.value, "cannot connect to \(address.path)")
      }
    }
  }

  private func timedOut(_ seconds: Double) -> ControlError {
    let rounded = (seconds * 10).rounded() / 10
    let text = rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    return ControlError(
      .timedOut, message: "the daemon (pid \(peerID)) did not answer within \(text) s",
      remedy:
        "it may still carry out the request: see `waxwing list`, or allow more time with --timeout")
  }

  private func closed() -> ControlError {
    ControlError(
      .closed, message: "the daemon (pid \(peerID)) closed the connection without an answer",
      remedy: "check whether it is still running, and its log")
  }
}

extension ControlError {
  static func noDaemon(_ path: String) -> ControlError {
    ControlError(
      .noDaemon, message: "no daemon: there is no socket at \(path)",
      remedy: "start the program, and check that it calls WaxwingEngine.listen")
  }

  static func stale(_ path: String) -> ControlError {
    ControlError(
      .staleSocket, message: "no daemon: the process that made \(path) is gone",
      remedy: "start the program again; it replaces the socket")
  }

  static func anothers(_ path: String, owner: UInt32?) -> ControlError {
    let whose = owner.map { " (uid \($0))" } ?? ""
    return ControlError(
      .notPermitted, message: "not permitted: \(path) belongs to another user\(whose)",
      remedy: "run waxwing as that user or as root")
  }
}
