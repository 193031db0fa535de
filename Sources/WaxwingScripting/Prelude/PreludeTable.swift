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
    HostFunction("class", findType, declares: true),
    HostFunction("module", findModule, declares: true),
    HostFunction("global", findGlobal, declares: true),
    HostFunction("import", loadModule, declares: true),
    HostFunction("type_object", setTypeObject, declares: true),
    HostFunction("type_object_maker", setTypeObjectMaker, declares: true),
    HostFunction("initializer", findInitializer, declares: true),
    HostFunction("setter", findSetter, declares: true),
    HostFunction("override", declareOverride, declares: true),
    HostFunction("withdraw", withdrawOverride, declares: true),
    HostFunction("original", findOriginal, declares: true),
    HostFunction("super", findSuperclass, declares: true),
    HostFunction("super_member", findSuperMember),
    HostFunction("super_setter", findSuperSetter),
    HostFunction("running", callRunningOriginal, isOriginal: true),
    HostFunction("captured", findCaptured, cost: 200),
    HostFunction("captures", describeCaptured, cost: 200),
    HostFunction("member", findMember),
    HostFunction("own_member", findOwnMember, declares: true),
    HostFunction("fits_static", fitsStatic),
    HostFunction("field", declareField, declares: true),
    HostFunction("method", declareMethod, declares: true),
    HostFunction("unwrap_super", findWhole, declares: true),
    HostFunction("on", declareCallback, declares: true),
    HostFunction("typeof", describeType, cost: 40_000),
    HostFunction("type_briefly", describeBriefly, cost: 500),
    HostFunction("complete_type", completeType, cost: 40_000),
    HostFunction("type_name", nameType, cost: 500),
    HostFunction("is", compareType, cost: 500),
    HostFunction("is_of", compareTypeObject, cost: 100),
    HostFunction("type_object_of", findTypeObject, cost: 100),
    HostFunction("typeNamed", describeNamedType, cost: 40_000),
    HostFunction("moduleNamed", describeModule, cost: 10_000),
    HostFunction("globals", findGlobals, cost: 10_000),
    HostFunction("objects", countObjects, cost: 20_000),
    HostFunction("log", log),
    HostFunction("visible", makeVisible),
    HostFunction("source", findSource, declares: true),
    HostFunction("await", waitForModule, declares: true),
    HostFunction("version", findVersion, declares: true),
    HostFunction("answer", declareAnswer, declares: true),
    HostFunction("reply", replyToMessage),
    HostFunction("ask", ask),
    HostFunction("clock", readClock),
    HostFunction("near", suggest, cost: failureCost),
    // Values
    HostFunction("part_of", findPart),
    HostFunction("parts", parts),
    HostFunction("repack", repack),
    HostFunction("live", live),
    HostFunction("reveal", reveal, cost: 2000),
    HostFunction("copy", copy),
    // lua/waxwing/advice.lua
    HostFunction("point", findPoint, declares: true),
    HostFunction("layout", describePoint, declares: true),
    HostFunction("instead", addReplacement, declares: true),
    HostFunction("observe", addObservers, declares: true),
    HostFunction("attach", attach, declares: true),
    HostFunction("settle", settle, declares: true),
    HostFunction("failed", failed, declares: true),
    HostFunction("fits", fits, declares: true),
    HostFunction("parallel", sayWhetherParallel, declares: true),
    HostFunction("labels", labels, declares: true),
    HostFunction("returns_self", sayWhetherSelfReturns, declares: true),
    // lua/waxwing/async.lua
    HostFunction("start", startTask),
    HostFunction("cancel", cancelTask),
    HostFunction("join", joinTask),
    HostFunction("children", runChildren),
    HostFunction("sleep", sleep),
    HostFunction("each", iterate),
    HostFunction("continuation", makeContinuation),
    HostFunction("resume", resume),
    HostFunction("suspend", suspend),
    HostFunction("is_cancelled") { (_, call) in call.writer.boolean(Task.isCancelled) },
    HostFunction("is_cancellation", isCancellation),
    HostFunction("may_wait") { (_, call) in call.writer.boolean(call.mayWait) },
    HostFunction("trace", trace),
    HostFunction("task_failed", reportFailure),
    // lua/waxwing/classes.lua
    HostFunction("subclass", makeClass, declares: true),
    HostFunction("class_object", setClassObject, declares: true),
    HostFunction("class_function", addFunction, declares: true),
    HostFunction("class_field", addField, declares: true),
    HostFunction("own_class_static", findOwnStatic, declares: true),
    HostFunction("class_static", findStatic, declares: true),
    HostFunction("class_static_setter", findStaticSetter),
    HostFunction("class_instance", makeInstance),
    HostFunction("deinit", declareDeinitializer, declares: true),
    HostFunction("at_end", setFinisher),
    HostFunction("class_finish", finishInstance),
    // lua/waxwing/selection.lua
    HostFunction("expression", compileExpression, declares: true),
    HostFunction("masked", findMasked, declares: true),
    HostFunction("stand_in", setStandInOriginal, declares: true),
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
    HostFunction("conform", declareConformance, declares: true),
    HostFunction("hash_value", hashValue),
    HostFunction("witness", declareWitness, declares: true),
  ]

  /// The cost of a failed search in Lua instructions: an unknown name is compared with all known
  /// names, for a suggestion.
  static let failureCost: UInt32 = 20_000
}
