// SPDX-License-Identifier: MIT

internal import Synchronization

/// The elements of an `AsyncSequence` of whatever type, one by one.
/// Unchecked: fixed itself; a subclass guards its iterator.
package class AsyncIteratorBox: @unchecked Sendable {
  /// The type of the elements.
  package let elementType: any Any.Type

  fileprivate init(elementType: any Any.Type) {
    self.elementType = elementType
  }

  /// Begins with the first element; nil if the value is no `AsyncSequence`.
  package static func make(of value: Any) -> AsyncIteratorBox? {
    (value as? any AsyncSequence).map { make($0) }
  }

  private static func make<Sequence: AsyncSequence>(_ sequence: Sequence) -> AsyncIteratorBox {
    TypedAsyncIteratorBox(sequence.makeAsyncIterator())
  }

  /// Waits for the next element; nil at the end and from then on, behind an error too.
  ///
  /// - Parameter actor: where the sequence is to run what it does between elements.
  /// - Throws: what the sequence does; `AsyncIterationError` if an earlier call still waits.
  package func next(isolation actor: isolated (any Actor)?) async throws -> Any? {
    preconditionFailure("every box has an iterator")
  }
}

// Unchecked: `state` lets one call at a time have the iterator.
private final class TypedAsyncIteratorBox<Iterator: AsyncIteratorProtocol>: AsyncIteratorBox,
  @unchecked Sendable
{
  private enum State {
    case ready, waiting, ended
  }

  private let state = Mutex(State.ready)
  // Touched only by the one call that has made `ready` into `waiting`; nil while that waits and
  // at the end.
  private var iterator: Iterator?

  init(_ iterator: Iterator) {
    self.iterator = iterator
    super.init(elementType: Iterator.Element.self)
  }

  override func next(isolation actor: isolated (any Actor)?) async throws -> Any? {
    guard try begin(), var current = iterator.take() else { return nil }
    do {
      guard let element = try await current.next(isolation: actor) else {
        state.withLock { $0 = .ended }
        return nil
      }
      iterator = current
      state.withLock { $0 = .ready }
      return .some(element)
    } catch {
      state.withLock { $0 = .ended }
      throw error
    }
  }

  /// False at the end.
  private func begin() throws -> Bool {
    try state.withLock { state in
      switch state {
      case .ready:
        state = .waiting
        return true
      case .waiting: throw AsyncIterationError()
      case .ended: return false
      }
    }
  }
}

/// The next element was asked for while another call waited for one.
package struct AsyncIterationError: Error, CustomStringConvertible {
  package var description: String {
    "the next element of the sequence was asked for while an earlier call still waits for one: "
      + "only one task may use an iterator; call `each` again for another"
  }
}
