// SPDX-License-Identifier: MIT

package import WaxwingValues

/// The actor that a function belongs to.
package enum FunctionIsolation {
  /// No actor: an `async` function runs in the concurrent pool, any other function where it is
  /// called.
  case none
  /// The caller's, which is two hidden words of the call: `nonisolated(nonsending)`.
  case caller
  /// The instance that the function is called on; nil: its type is not known before.
  case receiver((any Actor.Type)?)
  /// The one that all of the global actor's functions belong to.
  case globalActor(any GlobalActor.Type)
  /// The argument of this index, which may be nil.
  case parameter(Int)
  /// None that the function looks at: where it is called, and there it returns.
  case whereCalled
  /// An `async` function whose code does not tell.
  case unknown

  /// Whether the type is that of an actor.
  package static func isActor(_ type: any Any.Type) -> Bool { type is any Actor.Type }

  /// The executor of an actor; nil if the object is not one.
  package static func executor(ofActor object: AnyObject) -> ExecutorReference? {
    (object as? any Actor).map { ExecutorReference($0.unownedExecutor) }
  }

  /// Where a call of the `async` function runs; nil where only the call's arguments tell, and where
  /// nothing does.
  ///
  /// - Parameter receiver: the instance that it is called on, if it is one of a class.
  package func executor(receiver: AnyObject?) -> ExecutorReference? {
    switch self {
    case .none: .generic
    case .receiver(nil): receiver.flatMap(Self.executor(ofActor:))
    case .receiver(let type?): receiver.map { Self.executor(of: $0, type) }
    case .globalActor(let type): Self.executor(type)
    case .caller, .parameter, .whereCalled, .unknown: nil
    }
  }

  /// The object is known to be one of this type.
  private static func executor<A: Actor>(
    of object: AnyObject, _: A.Type
  ) -> ExecutorReference {
    ExecutorReference(unsafeDowncast(object, to: A.self).unownedExecutor)
  }

  private static func executor<A: GlobalActor>(_: A.Type) -> ExecutorReference {
    ExecutorReference(A.sharedUnownedExecutor)
  }
}
