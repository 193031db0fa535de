// SPDX-License-Identifier: MIT

internal import Synchronization
internal import WaxwingInterception
internal import WaxwingLua

/// The functions in the `host` table of the prelude: all that lua/waxwing/*.lua may call of Swift.
///
/// Each row has the name, what C has to know of the function, and the function. The types of arguments
/// and results are in lua/waxwing/prelude.lua, as fields of the class `waxwing.Host`; a test compares
/// the two (`PreludeTableTests`).
extension PreludeBindings {

  static let hostFunctions: [HostFunction] = [
    // Types, modules and members by name; overrides and originals
    HostFunction("class", declares: true) { (host, call) throws(LuaRaise) in
      try host.findType(&call)
    },
    HostFunction("module", declares: true) { (host, call) throws(LuaRaise) in
      try host.findModule(&call)
    },
    HostFunction("global", declares: true) { (host, call) throws(LuaRaise) in
      try host.findGlobal(&call)
    },
    HostFunction("import", declares: true) { (host, call) throws(LuaRaise) in
      try host.loadModule(&call)
    },
    HostFunction("type_object", declares: true) { (host, call) throws(LuaRaise) in
      try host.setTypeObject(&call)
    },
    HostFunction("type_object_maker", declares: true) { (host, call) throws(LuaRaise) in
      try host.setTypeObjectMaker(&call)
    },
    HostFunction("initializer", declares: true) { (host, call) throws(LuaRaise) in
      try host.findInitializer(&call)
    },
    HostFunction("setter", declares: true) { (host, call) throws(LuaRaise) in
      try host.findSetter(&call)
    },
    HostFunction("override", declares: true) { (host, call) throws(LuaRaise) in
      try host.declareOverride(&call)
    },
    HostFunction("withdraw", declares: true) { (host, call) throws(LuaRaise) in
      try host.withdrawOverride(&call)
    },
    HostFunction("original", declares: true) { (host, call) throws(LuaRaise) in
      try host.findOriginal(&call)
    },
    HostFunction("super", declares: true) { (host, call) throws(LuaRaise) in
      try host.findSuperclass(&call)
    },
    HostFunction("super_member") { (host, call) throws(LuaRaise) in try host.findSuperMember(&call)
    },
    HostFunction("super_setter") { (host, call) throws(LuaRaise) in try host.findSuperSetter(&call)
    },
    HostFunction("running", isOriginal: true) { (host, call) throws(LuaRaise) in
      try host.callRunningOriginal(&call)
    },
    HostFunction("member") { (host, call) throws(LuaRaise) in try host.findMember(&call) },
    HostFunction("own_member", declares: true) { (host, call) in host.findOwnMember(&call) },
    HostFunction("fits_static") { (host, call) throws(LuaRaise) in try host.fitsStatic(&call) },
    HostFunction("field", declares: true) { (host, call) throws(LuaRaise) in
      try host.declareField(&call)
    },
    HostFunction("method", declares: true) { (host, call) throws(LuaRaise) in
      try host.declareMethod(&call)
    },
    HostFunction("unwrap_super", declares: true) { (host, call) throws(LuaRaise) in
      try host.findWhole(&call)
    },
    HostFunction("on", declares: true) { (host, call) throws(LuaRaise) in
      try host.declareCallback(&call)
    },
    HostFunction("typeof", cost: 40_000) { (host, call) in host.describeType(&call) },
    HostFunction("type_name", cost: 500) { (host, call) in host.nameType(&call) },
    HostFunction("is", cost: 500) { (host, call) throws(LuaRaise) in try host.compareType(&call) },
    HostFunction("typeNamed", cost: 40_000) { (host, call) throws(LuaRaise) in
      try host.describeNamedType(&call)
    },
    HostFunction("moduleNamed", cost: 10_000) { (host, call) in host.describeModule(&call) },
    HostFunction("globals", cost: 10_000) { (host, call) in host.findGlobals(&call) },
    HostFunction("objects", cost: 20_000) { (host, call) in host.countObjects(&call) },
    HostFunction("log") { (host, call) in host.log(&call) },
    HostFunction("visible") { (host, call) in host.makeVisible(&call) },
    HostFunction("source", declares: true) { (host, call) throws(LuaRaise) in
      try host.findSource(&call)
    },
    HostFunction("await", declares: true) { (host, call) throws(LuaRaise) in
      try host.waitForModule(&call)
    },
    HostFunction("version", declares: true) { (host, call) throws(LuaRaise) in
      try host.findVersion(&call)
    },
    HostFunction("answer", declares: true) { (host, call) throws(LuaRaise) in
      try host.declareAnswer(&call)
    },
    HostFunction("reply") { (host, call) in host.replyToMessage(&call) },
    HostFunction("ask") { (host, call) throws(LuaRaise) in try host.ask(&call) },
    HostFunction("clock") { (host, call) in host.readClock(&call) },
    HostFunction("near", cost: failureCost) { (host, call) in host.suggest(&call) },
    // Values
    HostFunction("part_of") { (host, call) throws(LuaRaise) in try host.findPart(&call) },
    HostFunction("parts") { (host, call) throws(LuaRaise) in try host.parts(&call) },
    HostFunction("repack") { (host, call) throws(LuaRaise) in try host.repack(&call) },
    HostFunction("live") { (host, call) throws(LuaRaise) in try host.live(&call) },
    HostFunction("reveal", cost: 2000) { (host, call) throws(LuaRaise) in try host.reveal(&call) },
    HostFunction("copy") { (host, call) throws(LuaRaise) in try host.copy(&call) },
    // lua/waxwing/advice.lua
    HostFunction("point", declares: true) { (host, call) throws(LuaRaise) in
      try host.findPoint(&call)
    },
    HostFunction("layout", declares: true) { (host, call) throws(LuaRaise) in
      try host.describePoint(&call)
    },
    HostFunction("instead", declares: true) { (host, call) throws(LuaRaise) in
      try host.addReplacement(&call)
    },
    HostFunction("observe", declares: true) { (host, call) throws(LuaRaise) in
      try host.addObservers(&call)
    },
    HostFunction("attach", declares: true) { (host, call) throws(LuaRaise) in try host.attach(&call)
    },
    HostFunction("settle", declares: true) { (host, call) in host.settle(&call) },
    HostFunction("failed", declares: true) { (host, call) in host.failed(&call) },
    HostFunction("fits", declares: true) { (host, call) in host.fits(&call) },
    HostFunction("parallel", declares: true) { (host, call) in host.sayWhetherParallel(&call) },
    HostFunction("labels", declares: true) { (host, call) in host.labels(&call) },
    HostFunction("returns_self", declares: true) { (host, call) in host.sayWhetherSelfReturns(&call)
    },
    // lua/waxwing/async.lua
    HostFunction("start") { (host, call) throws(LuaRaise) in try host.startTask(&call) },
    HostFunction("cancel") { (host, call) in host.cancelTask(&call) },
    HostFunction("join") { (host, call) throws(LuaRaise) in try host.joinTask(&call) },
    HostFunction("children") { (host, call) throws(LuaRaise) in try host.runChildren(&call) },
    HostFunction("sleep") { (host, call) throws(LuaRaise) in try host.sleep(&call) },
    HostFunction("each") { (host, call) throws(LuaRaise) in try host.iterate(&call) },
    HostFunction("continuation") { (host, call) in host.makeContinuation(&call) },
    HostFunction("resume") { (host, call) in host.resume(&call) },
    HostFunction("suspend") { (host, call) throws(LuaRaise) in try host.suspend(&call) },
    HostFunction("is_cancelled") { (_, call) in call.writer.boolean(Task.isCancelled) },
    HostFunction("is_cancellation") { (host, call) in host.isCancellation(&call) },
    HostFunction("may_wait") { (_, call) in call.writer.boolean(call.mayWait) },
    HostFunction("trace") { (host, call) in host.trace(&call) },
    HostFunction("task_failed") { (host, call) in host.reportFailure(&call) },
    // lua/waxwing/classes.lua
    HostFunction("subclass", declares: true) { (host, call) throws(LuaRaise) in
      try host.makeClass(&call)
    },
    HostFunction("class_object", declares: true) { (host, call) throws(LuaRaise) in
      try host.setClassObject(&call)
    },
    HostFunction("class_function", declares: true) { (host, call) throws(LuaRaise) in
      try host.addFunction(&call)
    },
    HostFunction("class_field", declares: true) { (host, call) throws(LuaRaise) in
      try host.addField(&call)
    },
    HostFunction("own_class_static", declares: true) { (host, call) in host.findOwnStatic(&call) },
    HostFunction("class_static", declares: true) { (host, call) throws(LuaRaise) in
      try host.findStatic(&call)
    },
    HostFunction("class_static_setter") { (host, call) throws(LuaRaise) in
      try host.findStaticSetter(&call)
    },
    HostFunction("class_instance") { (host, call) throws(LuaRaise) in try host.makeInstance(&call)
    },
    HostFunction("deinit", declares: true) { (host, call) throws(LuaRaise) in
      try host.declareDeinitializer(&call)
    },
    HostFunction("at_end") { (host, call) throws(LuaRaise) in try host.setFinisher(&call) },
    HostFunction("class_finish") { (host, call) in host.finishInstance(&call) },
    // lua/waxwing/selection.lua
    HostFunction("expression", declares: true) { (host, call) throws(LuaRaise) in
      try host.compileExpression(&call)
    },
    HostFunction("masked", declares: true) { (host, call) throws(LuaRaise) in
      try host.findMasked(&call)
    },
    HostFunction("stand_in", declares: true) { (host, call) throws(LuaRaise) in
      try host.setStandInOriginal(&call)
    },
    HostFunction("refused") { (host, call) in
      let refused = host.state.refusedEffects
      call.writer.integer(refused.count)
      call.writer.string(refused.last)
    },
    HostFunction("expression_failed") { (host, _) in
      host.runtime.failedExpressions.add(1, ordering: .relaxed)
    },
    HostFunction("replaying") { (_, call) in
      call.writer.boolean(CallReplay.isRunningOnThisThread)
    },
    // lua/tools/trace.lua
    HostFunction("callers", cost: 2000) { (_, call) in PreludeBindings.listCallers(&call) },
    // lua/waxwing/conform.lua
    HostFunction("conform", declares: true) { (host, call) throws(LuaRaise) in
      try host.declareConformance(&call)
    },
    HostFunction("hash_value") { (host, call) throws(LuaRaise) in try host.hashValue(&call) },
    HostFunction("witness", declares: true) { (host, call) throws(LuaRaise) in
      try host.declareWitness(&call)
    },
  ]

  /// In Lua instructions: a name that is unknown is compared with all that are known, for a suggestion.
  static let failureCost: UInt32 = 20_000
}
