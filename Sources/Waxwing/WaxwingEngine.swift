// SPDX-License-Identifier: MIT

public import WaxwingCore
import WaxwingInterception
import WaxwingOperations
import WaxwingPatches

/// Live patches for this process.
///
/// A daemon needs one line:
///
///     import Waxwing
///     try WaxwingEngine.listen()
///
/// From then on the `waxwing` tool can apply patches to it, list them, and restore the baseline.
/// The functions here do the same as the tool, from within the program. They may be called on any
/// thread.
public enum WaxwingEngine {
  /// Starts the patches that are kept, and the control socket, on threads of its own. When it returns,
  /// calls go into the kept patches; those that cannot be started are left out, and `waxwing status`
  /// says why.
  ///
  /// - Parameters:
  ///   - socket: The socket's path; nil for the place where the `waxwing` tool looks:
  ///     `$WAXWING_SOCKET_DIR`, else `/run/waxwing` for root, else `$XDG_RUNTIME_DIR/waxwing`, else
  ///     `/tmp/waxwing-UID`; the name is the program's. If another process of the program is there, this
  ///     one is called by its process id: `bankd@4711.sock`. It starts with the patches that the other
  ///     one keeps.
  ///   - instance: A name that distinguishes this process from others of the program: with `blue`
  ///     the socket is `bankd@blue.sock`, and patches are kept for it alone. nil for
  ///     `$WAXWING_INSTANCE`.
  ///   - policy: The rules about what patches may do here, and who may apply them.
  /// - Returns: The socket's path.
  /// - Throws: `WaxwingError` if another process listens at the path or has the instance's name, or the
  ///   socket cannot be made.
  @discardableResult
  public static func listen(
    socket: String? = nil, instance: String? = nil, policy: Policy = Policy()
  ) throws -> String {
    try Listening(.shared).begin(socket: socket, instance: instance, policy: policy)
  }

  /// Runs `body` with the program's own code on this thread: synchronous functions that it calls are not
  /// overridden. Calls nest; async functions, and what runs on other threads, are not concerned.
  ///
  /// For what has to work while a patch is bad: an answer to a health check, a dump of the state.
  public static func withoutPatches<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Interceptor.withoutPatches(body)
  }

  /// Says that the program is up and well, without waiting for `Policy.healthyAfter`: the start does not
  /// count as a failed one, whatever comes.
  public static func markHealthy() throws {
    let operations = Operations.shared
    try operations.engine.operation { operations.health.markHealthy() }
  }

  /// Notes that the program is about to end on purpose, so that its end does not count as a crash.
  /// This is not needed for `exit(0)`, or for the codes 130 and 143. A program that ends because of
  /// a signal, or with `_exit`, calls it before. It takes no lock, and may be called in a handler
  /// of a signal.
  public static func markStopping() {
    _ = PatchStore.markClean()
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
    try apply([source(path)], .none, .zero)[0]
  }

  /// Starts a patch from its text.
  ///
  /// - Parameters:
  ///   - text: Lua source.
  ///   - name: The name of the patch, and its file name in messages, with or without `.lua`.
  @discardableResult
  public static func start(text: String, name: String) throws -> Session {
    try apply([source(text, name)], .none, .zero)[0]
  }

  /// Starts a patch in the place of an older one of its name, or like `start` if there is none.
  ///
  /// - Parameters:
  ///   - path: A `.lua` file, or a folder with `main.lua`.
  ///   - duration: How long to wait for calls in the older one.
  @discardableResult
  public static func apply(
    _ path: String, waitAtMost duration: Duration = .seconds(10)
  ) throws -> Session {
    try apply([source(path)], .sameName, duration)[0]
  }

  /// Starts patches as one transaction: all of them or none. Calls see all of them, or none, from one
  /// moment on.
  ///
  /// - Parameters:
  ///   - paths: For each a `.lua` file, or a folder with `main.lua`. The last is the newest.
  ///   - replacingAll: Whether the patches replace all live patches, which end in the same moment.
  ///     If not, each replaces only the patch of its name, if there is one.
  ///   - duration: How long to wait for calls in those that end.
  /// - Returns: The sessions, in the order of the paths. A patch that is live already in the same
  ///   version, to the byte, stays as it is.
  /// - Throws: `WaxwingError` if anything is wrong with any of them. The program is then as it was.
  @discardableResult
  public static func apply(
    _ paths: [String], replacingAll: Bool = false, waitAtMost duration: Duration = .seconds(10)
  ) throws -> [Session] {
    try apply(paths.map(source), replacingAll ? .everything : .sameName, duration)
  }

  /// Starts patches that are given as text as one transaction, like
  /// ``apply(_:replacingAll:waitAtMost:)``.
  ///
  /// - Parameters:
  ///   - texts: For each its Lua source, and its name as for ``start(text:name:)``.
  ///   - replacingAll: Whether they take the place of all patches that are live.
  ///   - duration: How long to wait for calls in those that end.
  @discardableResult
  public static func apply(
    texts: [(text: String, name: String)], replacingAll: Bool = false,
    waitAtMost duration: Duration = .seconds(10)
  ) throws -> [Session] {
    try apply(texts.map(source), replacingAll ? .everything : .sameName, duration)
  }

  private static func apply(
    _ sources: [PatchSource], _ replacement: Replacement, _ duration: Duration
  ) throws -> [Session] {
    try Operations.shared.patches.apply(
      sources, ApplyOptions(replacement, waitAtMost: duration)
    ).applied.map(\.session.handle)
  }

  /// Ends a session: new calls are at baseline (or in older sessions) when this returns.
  ///
  /// - Parameters:
  ///   - session: A session that `start` or `apply` has returned.
  ///   - duration: How long to wait for calls that are in its overrides.
  ///   - now: Whether living objects of classes that the patch has made answer as their
  ///     superclasses do from now on. If not, they continue to use the patch's code until the last
  ///     of them is gone.
  /// - Returns: The result of the verification, and the calls that did not end in time. For a
  ///   session that has ended already, the report is empty.
  @discardableResult
  public static func end(
    _ session: Session, waitAtMost duration: Duration = .seconds(10), now: Bool = false
  ) throws -> Restoration {
    try Operations.shared.patches.end(session, waitAtMost: duration, now: now)
  }

  /// Ends the patch of this name.
  ///
  /// - Parameters:
  ///   - name: The name in its manifest, or else the name of its file.
  ///   - duration: How long to wait for calls that are in its overrides.
  ///   - now: As in `end`.
  /// - Throws: `WaxwingError.Code.notFound` if there is none.
  @discardableResult
  public static func revert(
    _ name: String, waitAtMost duration: Duration = .seconds(10), now: Bool = false
  ) throws -> Restoration {
    try Operations.shared.patches.revert(name, waitAtMost: duration, now: now, by: .program)
  }

  /// Ends all patches, newest first, and compares every entry that was ever overridden with its
  /// baseline word.
  ///
  /// - Parameters:
  ///   - duration: How long to wait for calls that are in overrides.
  ///   - now: As in `end`; for objects of patches that ended before, too.
  @discardableResult
  public static func restore(
    waitAtMost duration: Duration = .seconds(10), now: Bool = false
  ) throws -> Restoration {
    try Operations.shared.patches.restore(waitAtMost: duration, now: now, by: .program)
  }

  /// The counters of this process, as `waxwing metrics` prints them.
  ///
  /// - Parameter openMetrics: Whether the text is OpenMetrics 1.0, whose content type is
  ///   `application/openmetrics-text; version=1.0.0; charset=utf-8`. If not, it has the text format 0.0.4 of
  ///   Prometheus, `text/plain; version=0.0.4`.
  public static func metrics(openMetrics: Bool = false) throws -> String {
    try MetricsReport(of: .shared).text(
      openMetrics ? .openMetrics : .prometheus, clients: ControlListener.shared.clientCount)
  }

  /// Starts or stops measuring how long calls of overrides take, and the originals that they call.
  ///
  /// The times are in ``OverrideInfo/times`` and ``OverrideInfo/originalTimes``, in the metrics,
  /// and in the output of `waxwing list` and `waxwing times`. Measuring costs a call some 90 ns,
  /// for two looks at the clock and two additions, and as much again for each original. A call that
  /// is not measured costs one branch. Nothing is measured before this is called. The counts stay
  /// until the patch has ended.
  ///
  /// - Parameters:
  ///   - isOn: Whether calls are measured from now on.
  ///   - patches: The names of loaded patches, including later patches of these names; none for all
  ///     patches, including those that are applied later.
  /// - Returns: The names of the live patches that are measured now, oldest first.
  /// - Throws: `WaxwingError.Code.notFound` if no patch of a name is loaded.
  @discardableResult
  public static func measureTimes(_ isOn: Bool = true, of patches: [String] = []) throws -> [String]
  {
    try Operations.shared.engine.registry.measure(isOn, patches)
  }

  /// The loaded patches, oldest first.
  public static func list() throws -> [PatchInfo] {
    try Operations.shared.queries.list()
  }

  /// Returns the objects and values of the program that the loaded patches hold, oldest patch
  /// first.
  ///
  /// - Parameter collecting: Whether each patch first collects its garbage, so that only objects
  ///   that it keeps alive are counted. Objects that die of this do so on this thread, or on that of the
  ///   collector, for which this waits.
  public static func liveObjects(collecting: Bool = true) throws -> [LiveObjects] {
    try Operations.shared.queries.liveObjects(collecting: collecting)
  }

  /// Returns the patches that override a function, in the order in which a call reaches them, and
  /// the place of the original.
  ///
  /// - Parameter selector: `Bank.Account.withdraw(_:memo:)`, `Account.title.get`, `Bank.fee(_:)`.
  /// - Throws: `WaxwingError.Code.notFound` with the nearest names, or the reason why the function
  ///   cannot be overridden.
  public static func explain(_ selector: String) throws -> PatchPointInfo {
    try Operations.shared.queries.explain(selector)
  }

  /// How many live patches change each type or module, by its name, `Bank.Account`: its class
  /// version. A type that is not in it is at version 0, the program's own.
  public static var versions: [String: Int] { Operations.shared.engine.registry.versions }

  /// The policy that `listen` was given, without the changes of the operator's file. A change holds
  /// for patches that are applied after it.
  public static var policy: Policy {
    get { Operations.shared.engine.settings.ownPolicy }
    set { Operations.shared.engine.use(newValue) }
  }

  /// Why nothing can be overridden in this program: the CPU, a Swift whose ABI is another than Waxwing
  /// knows, another Swift runtime that its functions ask, or that it names no patch points; nil where
  /// something can. Reads the program's symbols the first
  /// time.
  public static var unsupportedReason: String? {
    let engine = Operations.shared.engine
    return engine.patchability.reason(writesCode: engine.policy.codeEntries == .allowed)
  }

  /// Hands the engine's events, and what patches log, to `handler` instead of standard error. It is
  /// called on the thread where the event happens. It may call what patches override: events that
  /// happen on the thread meanwhile go to standard error, at most eight each time.
  public static func setLogHandler(_ handler: @escaping @Sendable (LogEvent) -> Void) {
    Operations.shared.engine.log.setHandler(handler)
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
