// SPDX-License-Identifier: MIT

package import WaxwingSystem

/// Where a fleet's documents are. Any thread may call it; each call blocks until it is answered, or fails
/// after some seconds.
package protocol FleetBackend: AnyObject, Sendable {
  /// The name of the store in messages.
  var title: String { get }

  /// All documents whose keys begin with a text, in the order of their keys, and at which revision.
  func range(_ prefix: String) throws(FleetError) -> FleetSnapshot

  /// The newest documents whose keys begin with a text, newest first. A store that does not know in
  /// which order documents were written uses the order of their keys.
  func newest(_ count: Int, of prefix: String) throws(FleetError) -> [FleetEntry]

  /// Reads one document; nil if there is none.
  func get(_ key: String) throws(FleetError) -> FleetEntry?

  /// Writes a document, whatever was there.
  /// - Parameter lease: With which it disappears; nil: it stays.
  func put(_ key: String, _ value: [UInt8], lease: FleetLease?) throws(FleetError)

  /// Writes a document unless there is one.
  /// - Returns: Whether it was written.
  func create(_ key: String, _ value: [UInt8], lease: FleetLease?) throws(FleetError) -> Bool

  /// Writes a document if nobody has since it was read.
  /// - Parameters:
  ///   - revision: ``FleetEntry/revision`` of what was read; 0: there was none.
  ///   - other: Another document that is written with it, or not at all; nil: none.
  /// - Returns: Whether it was written.
  func compareAndSwap(
    _ key: String, revision: Int, _ value: [UInt8], with other: (key: String, value: [UInt8])?
  ) throws(FleetError) -> Bool

  /// Removes a document, if it is there.
  func delete(_ key: String) throws(FleetError)

  /// Grants a lease that ends after this number of seconds unless it is kept alive.
  func grantLease(seconds: Int) throws(FleetError) -> FleetLease

  /// Begins a lease's time anew.
  /// - Returns: Whether it was still there.
  func keepAlive(_ lease: FleetLease) throws(FleetError) -> Bool

  /// Ends a lease, and what was written with it.
  func revoke(_ lease: FleetLease) throws(FleetError)

  /// All changes from a revision on to documents whose keys begin with a text.
  func watch(_ prefix: String, from revision: Int) throws(FleetError) -> any FleetWatch
}

extension FleetBackend {
  /// Writes a document that stays, whatever was there.
  package func put(_ key: String, _ value: [UInt8]) throws(FleetError) {
    try put(key, value, lease: nil)
  }

  /// Writes a document, and no other, if it has not been changed since it was read.
  package func compareAndSwap(
    _ key: String, revision: Int, _ value: [UInt8]
  ) throws(FleetError) -> Bool {
    try compareAndSwap(key, revision: revision, value, with: nil)
  }

  /// Writes a document that stays, unless there is one.
  package func create(_ key: String, _ value: [UInt8]) throws(FleetError) -> Bool {
    try create(key, value, lease: nil)
  }
}

/// Changes as they come. One thread calls ``next(until:)``; any other may cancel.
package protocol FleetWatch: AnyObject, Sendable {
  /// Waits for changes.
  /// - Returns: Changes in their order; empty: none came until the deadline.
  /// - Throws: ``FleetError``: `compacted`, `unavailable`, `cancelled`, `denied`. The watch is of no further
  ///   use after that.
  func next(until deadline: Deadline) throws(FleetError) -> [FleetEvent]

  /// Lets the thread that waits return at once, with an error.
  func cancel()
}

/// One stored document.
package struct FleetEntry: Hashable, Sendable {
  /// The key of the document.
  package let key: String
  /// The bytes of the document.
  package let value: [UInt8]
  /// The store's revision when it was written last.
  package let revision: Int
  /// Whether the document disappears when its lease is no longer kept alive.
  let isLeased: Bool

  /// Creates an entry.
  init(key: String, value: [UInt8], revision: Int, isLeased: Bool = false) {
    self.key = key
    self.value = value
    self.revision = revision
    self.isLeased = isLeased
  }
}

/// Documents as they were at one moment.
package struct FleetSnapshot: Hashable, Sendable {
  /// The documents, in the order of their keys.
  package let entries: [FleetEntry]
  /// The store's revision. Later changes are watched from the next one on.
  package let revision: Int
}

/// One change of a document.
package enum FleetEvent: Hashable, Sendable {
  /// The document was written.
  case put(FleetEntry)
  /// The document was removed, or its lease has ended, at a revision.
  case delete(key: String, revision: Int)

  /// The key of the document.
  package var key: String {
    switch self {
    case .put(let entry): entry.key
    case .delete(let key, _): key
    }
  }
}

/// A lease that documents can be bound to, so that they disappear when it is no longer kept alive.
package struct FleetLease: Hashable, Sendable {
  /// The store's number of it.
  let id: Int
  /// The seconds after which the lease ends if it is not kept alive.
  let seconds: Int
}
