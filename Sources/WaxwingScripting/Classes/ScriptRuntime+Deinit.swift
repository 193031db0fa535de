// SPDX-License-Identifier: MIT

internal import CWaxwingLua
internal import WaxwingDeclarations
internal import WaxwingLua
package import WaxwingOverrides
internal import WaxwingReflection

/// The deinitializers of the script's classes.
extension ScriptRuntime {
  /// From here on the script's classes answer for the ends of objects.
  package func beginClasses() {
    for known in classes where classesAbove(known).contains(where: { $0.deinitializer != nil }) {
      let line = classesAbove(known).compactMap { known in
        known.deinitializer.map { Deinitializer(name: known.made.name, reference: $0) }
      }
      let functions = functions!
      known.made.setFinalizer(for: ObjectIdentifier(self)) { object in
        for each in line { each.run(object, functions) }
      }
    }
  }

  /// How many objects of the script's classes are alive, by the class's name; classes without any are not
  /// in it.
  package var livingObjects: [String: Int] {
    var counts: [String: Int] = [:]
    for known in classes {
      let count = known.made.liveObjects
      if count > 0 { counts[known.made.qualifiedName] = count }
    }
    return counts
  }

  /// Whether objects of some of the script's classes are held by others than the script.
  package func hasHeldObjects(of meant: Set<ObjectIdentifier>) -> Bool {
    let living = madeClasses.filter { meant.contains(ObjectIdentifier($0)) && $0.liveObjects > 0 }
    if living.isEmpty || isClosed { return false }
    // Where another thread does not leave the state, all may be held.
    return state.enteredInTime(milliseconds: 100) { state in
      living.contains { $0.heldObjects { state.hasProxy($0) } > 0 }
    } ?? true
  }

  /// The classes that it has made.
  package var madeClasses: [LuaClass] { classes.map(\.made) }

  /// They do not any more.
  package func endClasses() {
    for known in classes { known.made.removeFinalizer(for: ObjectIdentifier(self)) }
    for script in all { script.functions.endForObjects() }
  }

  /// The class and those of the script's that it inherits from, nearest first.
  private func classesAbove(_ known: ScriptClass) -> [ScriptClass] {
    Array(sequence(first: known) { $0.parent })
  }
}

/// A Lua function that is told of the end of objects of a class.
private struct Deinitializer: Sendable {
  /// The class's.
  let name: String
  let reference: Int32

  /// - Parameter object: Is being deallocated: Lua sees it for as long as the call.
  func run(_ object: UnsafeMutableRawPointer, _ functions: LuaFunctions) {
    let failure = functions.inCall(of: "\(name).deinit", forObject: true) { state -> LuaFailure? in
      state.entered {
        guard let coroutine = LuaCoroutine(state) else { return .noMemory }
        defer { coroutine.release() }
        coroutine.writer.object(object)
        do throws(LuaFailure) {
          _ = try coroutine.call(reference)
          return nil
        } catch {
          return error
        }
      }
    }
    guard case .some(.some(let failure)) = failure else { return }
    functions.options.host.closureFailed(
      OverrideFault(
        function: "\(name).deinit", message: failure.message, frames: failure.frames,
        position: failure.position))
  }
}
