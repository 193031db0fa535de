// SPDX-License-Identifier: MIT

import Glibc
import WaxwingControl

/// The folders in which sockets are looked for, and who answers on each socket.
struct SocketCheck {
  /// How long one daemon may take.
  private static let patience = 3.0
  /// How long one daemon may take to look at all patch points.
  private static let lookingPatience = 30.0

  /// The program that the user named; nil if there is none.
  let program: String?
  /// The build ID of the file that the user named.
  let buildID: String?

  var diagnoses: [Diagnosis] {
    let places = SocketPlaces.current()
    return places.folders.flatMap { folder in
      let found = self.folder(folder, isOwn: folder == places.own)
      // What is in a folder of others is theirs.
      guard found.verdict != .failure else { return [found] }
      return [found] + folder.sockets.filter(isMeant).flatMap { [socket($0)] + points($0) }
    }
  }

  /// Whether a socket belongs to the program that the user named. Others are not shown, because the
  /// user may not be meant to see them.
  private func isMeant(_ path: String) -> Bool {
    guard let program, let name = SocketName(path: path) else { return true }
    return name.program == program || name.text == program
  }

  private func folder(_ folder: SocketDirectory, isOwn: Bool) -> Diagnosis {
    guard folder.isThere else {
      return .ok(.sockets, "\(folder.path) is not there: the first daemon makes it")
    }
    do throws(ControlError) { try folder.check() } catch {
      return .failure(.sockets, error.message, remedy: error.remedy)
    }
    guard unsafe access(folder.path, R_OK | X_OK) == 0 else {
      return .warning(
        .sockets, "\(folder.path) is closed to this user", remedy: "run waxwing as its owner")
    }
    guard unsafe !isOwn || access(folder.path, W_OK) == 0 else {
      return .failure(
        .sockets, "\(folder.path) cannot be written: no daemon of this user can listen",
        remedy: "run as its owner, or set WAXWING_SOCKET_DIR to a folder of your own")
    }
    return .ok(.sockets, "\(folder.path) is there, and nobody else can change it")
  }

  /// Checks the description that the daemon of a named program gives of its patch points.
  private func points(_ path: String) -> [Diagnosis] {
    guard program != nil, let client = try? ControlClient(path: path, timeout: Self.patience) else {
      return []
    }
    var points: [PointEntry] = []
    var first: Int? = 0
    while let from = first {
      let request = PointsRequest(pattern: nil, from: from)
      guard case .success(let page)? = try? client.send(request, timeout: Self.lookingPatience),
        page.failure == nil
      else { return [] }
      points += page.points
      first = page.next.flatMap { $0 > from ? $0 : nil }
    }
    return PointsCheck(title: path, area: .sockets, points: points).warnings
  }

  private func socket(_ path: String) -> Diagnosis {
    do throws(ControlError) {
      let client = try ControlClient(path: path, timeout: Self.patience)
      switch try client.send(HelloRequest(), timeout: Self.patience) {
      case .success(let info): return daemon(info, path)
      case .failure(let failure):
        return .failure(.sockets, "\(path): \(failure.message)", remedy: failure.remedy)
      }
    } catch {
      let isDead = error.code == .staleSocket
      // A socket that is another user's says nothing about this user's daemons.
      guard isDead || error.code == .notPermitted else {
        return .failure(.sockets, "\(path): \(error.message)", remedy: error.remedy)
      }
      return .warning(
        .sockets, "\(path): \(error.message)",
        remedy: isDead ? "\(error.remedy), or remove it" : error.remedy)
    }
  }

  private func daemon(_ info: DaemonInfo, _ path: String) -> Diagnosis {
    let title = "\(path): \(info.name) (pid \(info.pid))"
    guard info.version == ControlProtocol.engineVersion else {
      return .warning(
        .sockets,
        "\(title) has Waxwing \(info.version), and this tool is \(ControlProtocol.engineVersion)",
        remedy: "use the tool of the daemon's version, or restart a daemon that is built anew")
    }
    if let buildID, let running = info.buildID, info.program == program, running != buildID {
      return .warning(
        .sockets, "\(title) is another build than the file, \(running)", remedy: "restart it")
    }
    if let files = OpenFiles(process: info.pid), files.areNearlyAllUsed {
      return .warning(
        .sockets, "\(title) has \(files.count) of \(files.limit) files open",
        remedy: "raise its limit: ulimit -n, or LimitNOFILE= of its unit")
    }
    return .ok(.sockets, "\(title) answers")
  }
}

/// How many files a process has open, and may have.
private struct OpenFiles {
  let count, limit: Int

  /// - Returns: nil if the process is another user's, or has no limit.
  init?(process: Int32) {
    let names = FolderListing.names(in: "/proc/\(process)/fd").filter { !$0.hasPrefix(".") }
    let line = SystemFile.lines("/proc/\(process)/limits").first { $0.hasPrefix("Max open files") }
    guard !names.isEmpty, let word = line?.split(separator: " ").dropFirst(3).first,
      let limit = Int(word)
    else { return nil }
    (count, self.limit) = (names.count, limit)
  }

  var areNearlyAllUsed: Bool { count >= limit - limit / 10 }
}
