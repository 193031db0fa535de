// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingDeclarations
import WaxwingScripting
import WaxwingValues

/// The functions of live patches that can be called by name: the methods that they have added to
/// types, and the functions for messages. Any thread may call, even while an operation of the
/// engine waits for its caller.
package final class MethodRegistry: Sendable {
  private struct Entry: Sendable {
    let session: Int
    let runtime: ScriptRuntime
  }

  /// Oldest session first. Only those that add methods or take messages.
  private let entries = Mutex<[Entry]>([])

  /// Makes the methods of sessions callable, and no longer those of others. Calls that are in one go
  /// on.
  func replace(_ ending: [PatchSession], with fresh: [PatchSession]) {
    let numbers = Set(ending.map(\.number))
    let added = fresh.filter {
      !$0.runtime.declarations.methods.isEmpty || $0.runtime.callbacks.takesMessages
    }
    .map { Entry(session: $0.number, runtime: $0.runtime) }
    // Not released under the lock: a state may go with them.
    let removed = entries.withLock { entries in
      let removed = entries.filter { numbers.contains($0.session) }
      entries.removeAll { numbers.contains($0.session) }
      entries += added
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// The patches that may take a message, the newest first.
  var receivers: [ScriptRuntime] {
    entries.withLock { $0.filter(\.runtime.callbacks.takesMessages).map(\.runtime).reversed() }
  }

  /// The sessions whose methods can be called.
  var sessions: [Int] { entries.withLock { $0.map(\.session) } }

  /// Calls the method of this name in the newest session that has it for the receiver's type.
  package func call<Value>(
    _ name: String, on receiver: Any, _ arguments: [Any?], returning: Value.Type
  ) throws -> Value {
    let metatype = receiver as? any Any.Type
    let type = metatype ?? Swift.type(of: receiver)
    let isStatic = metatype != nil
    let entries = entries.withLock { $0 }
    for entry in entries.reversed() {
      guard
        let method = entry.runtime.declarations.methods.method(name, isStatic: isStatic, of: type)
      else {
        continue
      }
      do {
        let result = try entry.runtime.call(method, on: receiver, arguments, returning: returning)
        if let result { return result }
      } catch let error as UnsupportedType {
        throw WaxwingError(
          .refused, "the method \(method.qualifiedName) cannot be called like this: \(error)")
      }
    }
    let names = entries.flatMap {
      $0.runtime.declarations.methods.names(isStatic: isStatic, of: type)
    }
    throw missing(name, type, isStatic: isStatic, Set(names).sorted())
  }

  private func missing(
    _ name: String, _ type: any Any.Type, isStatic: Bool, _ names: [String]
  ) -> WaxwingError {
    let what = isStatic ? "static method" : "method"
    let title = _typeName(type, qualified: true)
    let near = NearestNames.nearest(to: name, in: Set(names))
    let remedy =
      names.isEmpty
      ? "no loaded patch adds a \(what) to \(title)"
      : near.first.map { "did you mean `\($0)`?" } ?? "call one that a loaded patch adds"
    return WaxwingError(
      .notFound, "no such method: no loaded patch adds a \(what) `\(name)` to \(title)",
      details: names.map { "\(title) has `\($0)`" }, remedy: remedy)
  }
}
