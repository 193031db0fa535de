// SPDX-License-Identifier: MIT

import WaxwingPatches

/// Live patches for this process.
///
/// A daemon needs one line:
///
///     import Waxwing
///     try WaxwingEngine.listen()
///
/// From then on the `waxwing` tool can apply patches to it, list them, and restore the baseline.
/// What the tool does, the functions here do from within. All of them may be called on any thread.
public enum WaxwingEngine {
  /// Starts the control socket, on threads of its own.
  ///
  /// - Parameter socket: The socket's path; nil for the place where the `waxwing` tool looks:
  ///   `$WAXWING_SOCKET_DIR`, else `/run/waxwing` for root, else `$XDG_RUNTIME_DIR/waxwing`, else
  ///   `/tmp/waxwing-UID`; the name is the program's.
  /// - Returns: The socket's path.
  /// - Throws: `WaxwingError` if another process listens there, or the socket cannot be made.
  @discardableResult
  public static func listen(socket: String? = nil) throws -> String {
    try ControlListener.shared.start(socket)
  }

  /// Stops the control socket. Patches stay. A no-op if it is not running.
  public static func stopListening() {
    ControlListener.shared.stop()
  }

  /// Starts a patch: a session begins. From its return on, new calls go into its overrides.
  ///
  /// - Parameter path: A `.lua` file, or a folder with `main.lua`.
  /// - Throws: `WaxwingError` if anything about the patch is wrong, or one of its name is live. The
  ///   program is then as it was before.
  @discardableResult
  public static func start(_ path: String) throws -> Session {
    try Engine.shared.start(source(path)).session
  }

  /// Starts a patch from its text.
  ///
  /// - Parameters:
  ///   - text: Lua source.
  ///   - name: What it is called, and its file name in messages, with or without `.lua`.
  @discardableResult
  public static func start(text: String, name: String) throws -> Session {
    try Engine.shared.start(source(text, name)).session
  }

  /// Starts a patch in the place of an older one of its name, or like `start` if there is none.
  ///
  /// - Parameters:
  ///   - path: A `.lua` file, or a folder with `main.lua`.
  ///   - waitAtMost: How long to wait for calls in the older one.
  @discardableResult
  public static func apply(
    _ path: String, waitAtMost duration: Duration = .seconds(10)
  ) throws -> Session {
    try Engine.shared.apply(source(path), waitAtMost: duration).session
  }

  /// Ends a session: new calls are at baseline (or in older sessions) when this returns.
  ///
  /// - Parameter waitAtMost: How long to wait for calls that are in its overrides.
  /// - Returns: What was verified, and the calls that did not end in time. A session that has ended
  ///   already gives an empty report.
  @discardableResult
  public static func end(
    _ session: Session, waitAtMost duration: Duration = .seconds(10)
  ) throws -> Restoration {
    try Engine.shared.end(session, waitAtMost: duration)
  }

  /// Ends the patch of this name.
  /// - Throws: `WaxwingError.Code.notFound` if there is none.
  @discardableResult
  public static func revert(
    _ name: String, waitAtMost duration: Duration = .seconds(10)
  ) throws -> Restoration {
    try Engine.shared.revert(name, waitAtMost: duration)
  }

  /// Ends all patches, newest first, and compares every entry that was ever overridden with what it
  /// held before.
  @discardableResult
  public static func restore(waitAtMost duration: Duration = .seconds(10)) throws -> Restoration {
    try Engine.shared.restore(waitAtMost: duration)
  }

  /// The loaded patches, oldest first.
  public static func list() throws -> [PatchInfo] {
    try Engine.shared.list()
  }

  /// What the loaded patches hold of the program's objects, oldest patch first.
  ///
  /// - Parameter collecting: Whether each patch collects first what it does not reach any more, so
  ///   that what is counted is what it keeps alive. Objects that die of this do so on this thread.
  public static func liveObjects(collecting: Bool = true) throws -> [LiveObjects] {
    try Engine.shared.liveObjects(collecting: collecting)
  }

  /// Why nothing can be overridden on this CPU; nil where it can.
  public static var unsupportedReason: String? { Engine.unsupportedReason }

  /// Hands the engine's events, and what patches log, to `handler` instead of standard error. It is
  /// called on the thread where the event happens.
  public static func setLogHandler(_ handler: @escaping @Sendable (LogEvent) -> Void) {
    Engine.shared.log.setHandler(handler)
  }

  private static func source(_ path: String) throws -> PatchSource {
    do { return try PatchSource(path: path) } catch { throw WaxwingError(error) }
  }

  private static func source(_ text: String, _ name: String) throws -> PatchSource {
    let file = PatchFile(
      name: name.hasSuffix(".lua") ? name : name + ".lua", bytes: Array(text.utf8))
    do { return try PatchSource(files: [file]) } catch { throw WaxwingError(error) }
  }
}
