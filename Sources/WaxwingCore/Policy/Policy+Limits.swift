// SPDX-License-Identifier: MIT

extension Policy {
  /// The limits for patches in this process. A patch without a limit in its manifest gets the first
  /// figure of each kind; a patch that asks for more or less gets at most the second. A figure of 0
  /// is no limit: if no call and no script has one, Lua code runs without being counted, which is
  /// faster.
  public struct Limits: Sendable {
    /// Lua instructions that one call of an override may run; what library functions do is charged in
    /// the same measure, and so is memory, an instruction for each 64 bytes.
    public var instructions = 1_000_000
    /// The most that a manifest may ask for.
    public var mostInstructions = 100_000_000

    /// Milliseconds of its thread's own time that one call of an override may spend in Lua, with a
    /// tenth of what the way to Swift and back takes. Neither waiting counts nor what the program's functions
    /// do that Lua calls.
    public var milliseconds = 20
    /// The most that a manifest may ask for.
    public var mostMilliseconds = 2000

    /// Bytes that a patch's Lua state may hold.
    public var memory = 32 << 20
    /// The most that a manifest may ask for.
    public var mostMemory = 256 << 20

    /// Bytes that the Lua states of all patches may hold together.
    public var totalMemory = 512 << 20

    /// Lua instructions that running a patch's script once, when it is applied, may take.
    public var loadInstructions = 10_000_000
    /// Milliseconds of its thread's own time that this may take.
    public var loadMilliseconds = 500

    /// The number of kept patches that are started with the program. Patches beyond it are left
    /// out, which is reported. No more patches are kept either.
    public var bootPatches = 64
    /// Milliseconds of its thread's own time that starting them all may take. Once they are spent no
    /// further one is begun; those left out are said.
    public var bootMilliseconds = 500

    /// Functions that one patch may override.
    public var overrides = 4096

    /// Lines that a patch may write to the log in a second, and twice as many at once; those beyond are
    /// counted and dropped. So are reports of errors in its closures, tasks and callbacks.
    public var logLines = 50

    /// Tasks, and children of `all`, `race` and `timeout`, that one patch may have at once.
    public var tasks = 10_000
    /// Tasks that a patch may begin in a second with `task`, `after`, `main` and `global`, and twice as
    /// many at once.
    public var tasksPerSecond = 2000
    /// Milliseconds of each second that the tasks of a patch may run together; one that waits for
    /// its turn for five seconds is cancelled. 0: as long as they like.
    public var taskMilliseconds = 250

    /// How many overrides a thread, or an async task, may be in at once, one called by the other. Beyond
    /// that they fail, and the program's own code answers in place of the outermost one.
    public var depth = 190

    /// How often an override may fail in ``faultSeconds`` before it is switched off: calls go to the
    /// program's own code from then on. 0: overrides are never switched off.
    public var faults = 5
    /// The seconds in which ``faults`` are counted. An override that fails in half of 20 calls is
    /// switched off, too.
    public var faultSeconds = 60

    /// Seconds after which a call that is still in an override is reported, and shown by
    /// `waxwing status`; it goes on. 0: nobody looks, also not for threads that stay in a patch's Lua
    /// code.
    public var stuckSeconds = 30

    /// Seconds that a debugger may let a call stop, at most; then it goes on by itself. 0: there are no
    /// debuggers.
    public var debugSeconds = 300

    /// The milliseconds without a call of a patch after which the objects that nothing in it
    /// reaches are released. This happens on a thread of the engine, where their deinitializers
    /// run. If calls leave no pause, it happens about once per second. 0 means that objects are
    /// released only while calls are in the patch, on their threads, and when it ends.
    public var idleMilliseconds = 50

    /// Limits with these figures.
    public init() {}

    /// No limits at all, for programs that trust their patches not to loop for ever.
    public static var none: Limits {
      var limits = Limits()
      (limits.instructions, limits.mostInstructions) = (0, 0)
      (limits.milliseconds, limits.mostMilliseconds) = (0, 0)
      (limits.memory, limits.mostMemory, limits.totalMemory) = (0, 0, 0)
      (limits.loadInstructions, limits.loadMilliseconds) = (0, 0)
      (limits.bootPatches, limits.bootMilliseconds) = (0, 0)
      (limits.overrides, limits.logLines, limits.faults) = (0, 0, 0)
      (limits.tasks, limits.tasksPerSecond, limits.taskMilliseconds) = (0, 0, 0)
      limits.stuckSeconds = 0
      return limits
    }
  }
}
