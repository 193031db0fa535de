// SPDX-License-Identifier: MIT

import Foundation
import WaxwingControl
import WaxwingSystem
import WaxwingToolKit

/// The patches of a folder, kept live in a daemon as they are on the disk.
struct PatchWatch {
  /// A patch as it was at the last look.
  private enum Reading: Equatable {
    case patch(ApplyRequest.Patch)
    case mistake(String)
  }

  private struct Watched {
    var reading: Reading?
    /// The patch's name in the daemon, once it has been applied.
    var name: String?
  }

  private let path: String
  private let socket: String
  private let arguments: ParsedArguments
  private let console: Console
  private var watched: [String: Watched] = [:]
  private var follower: LogFollower
  private var pid: Int32?
  private var isAway = false

  init(_ path: String, _ socket: String, _ arguments: ParsedArguments, _ console: Console) {
    self.path = path
    self.socket = socket
    self.arguments = arguments
    self.console = console
    follower = LogFollower(socket, arguments)
  }

  /// - Throws: `CommandError` if there is no daemon.
  mutating func begin() throws(CommandError) {
    try follower.skip()
    pid = follower.pid
    console.note("watching \(path); Ctrl-C ends the patches")
  }

  /// Applies what has changed, and shows what has happened.
  mutating func look() {
    let paths = patches()
    for gone in watched.keys.sorted() where !paths.contains(gone) { remove(gone) }
    for path in paths { update(path) }
    showLog()
  }

  /// Ends the watched patches.
  mutating func end() {
    for path in watched.keys.sorted() { remove(path) }
    showLog()
  }

  // MARK: The disk

  /// The patches that there are now.
  private func patches() -> [String] {
    if Self.isPatch(path) { return [path] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.map { "\(path)/\($0)" }.filter(Self.isPatch).sorted()
  }

  private static func isPatch(_ path: String) -> Bool {
    path.hasSuffix(".lua") || FileManager.default.fileExists(atPath: path + "/main.lua")
  }

  // MARK: The daemon

  private mutating func update(_ path: String) {
    let result: Result<CheckedPatch, CommandError>
    do throws(CommandError) {
      result = .success(try CheckedPatch(path: path))
    } catch { result = .failure(error) }
    let reading: Reading =
      switch result {
      case .success(let patch): .patch(patch.payload)
      case .failure(let error): .mistake(error.message)
      }
    guard watched[path]?.reading != reading else { return }
    do throws(CommandError) {
      let applied = try apply(try result.get())
      watched[path, default: Watched()].name = applied.patch.name
      watched[path]?.reading = reading
      if !applied.isUnchanged {
        let overrides = counted(applied.patch.overrides.count, "override")
        show(
          .applied, applied.patch.name, version: applied.patch.version,
          "applied \(applied.patch.name): \(overrides)")
      }
    } catch {
      // Of a daemon that is away, `showLog` tells; the patch is applied when it is back.
      if error.exitCode == .noDaemon { return }
      watched[path, default: Watched()].reading = reading
      console.report(error)
    }
  }

  private func show(
    _ kind: PatchChange.Kind, _ name: String, version: Int? = nil, _ text: String
  ) {
    guard console.reportsJSON, let daemon = follower.daemon else { return console.print(text) }
    var change = PatchChange(kind)
    (change.patch, change.version) = (name, version)
    change.at = UTCDate.text(SystemTime.milliseconds / 1000)
    console.print(line: change, of: daemon)
  }

  private func apply(_ patch: CheckedPatch) throws(CommandError) -> ApplyReport.Applied {
    let daemon = try Daemon(at: socket, arguments, waitSeconds: 10)
    try patch.check(isFor: daemon.info)
    let request = ApplyRequest(
      patches: [patch.payload], options: .init(waitSeconds: 10, acceptsAnyVersion: true))
    guard let first = try daemon.send(request).applied.first else {
      throw CommandError(Daemon.mismatch("apply"))
    }
    return first
  }

  private mutating func remove(_ path: String) {
    guard let name = watched.removeValue(forKey: path)?.name else { return }
    do throws(CommandError) {
      let daemon = try Daemon(at: socket, arguments, waitSeconds: 10)
      _ = try daemon.send(RevertRequest(name: name, waitSeconds: 10))
      show(.ended, name, "ended \(name)")
    } catch {
      console.report(error)
    }
  }

  /// Shows the messages and failures of the patches.
  private mutating func showLog() {
    do throws(CommandError) {
      let lines = try follower.next(atMost: 200)
      if isAway || follower.pid != pid {
        console.note("the daemon is there again: applying the patches to it")
        for path in watched.keys { watched[path]?.reading = nil }
      }
      (isAway, pid) = (false, follower.pid)
      let names = Set(watched.values.compactMap(\.name))
      let shown = lines.filter { line in
        !["patch.applied", "patch.ended"].contains(line.event)
          && (line.patch.map(names.contains) ?? false)
      }
      if console.reportsJSON, let daemon = follower.daemon {
        for line in shown { console.print(line: JSONValue(parsing: line.json), of: daemon) }
      } else if !shown.isEmpty {
        console.print(shown.map(\.text))
      }
    } catch {
      if !isAway { console.report(error) }
      isAway = true
    }
  }
}
