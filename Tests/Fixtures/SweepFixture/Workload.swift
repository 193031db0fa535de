// SPDX-License-Identifier: MIT

import SweepPrograms

/// A part of the workload, with a name of its own.
private struct Section: Sendable {
  let name: String
  let run: @Sendable (Say) async -> Void

  init(_ name: String, _ run: @escaping @Sendable (Say) async -> Void) {
    self.name = name
    self.run = run
  }
}

private func receivers() -> [Section] {
  [
    Section("final classes", runFinalClasses), Section("hierarchies", runHierarchies),
    Section("structs", runStructs), Section("small structs", runSmallStructs),
    Section("enums", runEnums), Section("recursive enums", runRecursiveEnums),
    Section("protocols", runProtocols), Section("library extensions", runLibraryExtensions),
    Section("collection extensions", runCollectionExtensions),
    Section("static methods", runStaticMethods), Section("initializers", runInitializers),
    Section("noncopyable", runNoncopyable),
  ]
}

private func members() -> [Section] {
  [
    Section("computed", runComputed), Section("lazy", runLazy),
    Section("observers", runObservers), Section("subscripts", runSubscripts),
    Section("effectful getters", runEffectfulGetters), Section("wrappers", runWrappers),
    Section("mutating", runMutating), Section("large mutating", runLargeMutating),
    Section("consuming", runConsuming), Section("inout", runInout),
    Section("inout of other types", runInoutOfOtherTypes),
  ]
}

private func generics() -> [Section] {
  [
    Section("generic functions", runGenericFunctions),
    Section("generic constraints", runGenericConstraints),
    Section("constrained Self", runConstrainedSelf),
    Section("implied requirements", runImpliedRequirements),
    Section("resilient superclasses", runResilientSuperclasses),
    Section("words", runWords), Section("generic types", runGenericTypes),
    Section("generic layouts", runGenericLayouts),
    Section("overloads", runOverloads), Section("contextual where", runContextualWhere),
    Section("packs and values", runPacksAndValues),
  ]
}

private func concurrency() -> [Section] {
  [
    Section("async", runAsync), Section("async members", runAsyncMembers),
    Section("actors", runActors), Section("sending", runSending),
    Section("closures", runClosures), Section("stored closures", runStoredClosures),
    Section("tasks", runTasks),
  ]
}

private func values() -> [Section] {
  [
    Section("integers", runIntegers), Section("floats", runFloats),
    Section("strings", runStrings), Section("slices", runSlices),
    Section("collections", runCollections), Section("anything", runAnything),
    Section("existentials", runExistentials), Section("errors", runErrors),
    Section("shapes", runShapes), Section("C structs", runCStructs),
    Section("pointers", runPointers), Section("stripped", runStripped),
  ]
}

private func calls() -> [Section] {
  [
    Section("arguments", runArguments), Section("names", runNames), Section("twins", runTwins),
    Section("recursion", runRecursion), Section("parts", runParts),
    Section("actor parts", runActorParts),
  ]
}

private func programs() -> [Section] {
  [
    Section("HTML builder") {
      $0(runHTMLBuilder(["ann", "bob"], admin: true))
      $0(runHTMLBuilder([], admin: false))
    },
    Section("argument parser") { $0(runArgumentParser()) },
    Section("Markdown parser") { $0(runMarkdownParser()) },
    Section("server") { $0(await runServer()) },
    Section("corners") { say in for line in await runCorners() { say(line) } },
    Section("family") { $0(await runFamily()) },
    Section("typed errors") { say in for line in await runTypedErrors() { say(line) } },
  ]
}

/// Calls every function of the fixture and tells what came of it, in lines that are the same each
/// time. After each section the fixture's objects of that section are gone.
///
/// - Parameters:
///   - say: Takes the lines.
///   - ended: Is called with the name of each section that has ended.
public func runSweepWorkload(
  _ say: @escaping Say, ended: @Sendable (String) -> Void = { _ in }
) async {
  for section in receivers() + members() + generics() + concurrency() + values() + calls()
    + programs()
  {
    await section.run { say("\(section.name): \($0)") }
    ended(section.name)
  }
}
