// SPDX-License-Identifier: MIT

/// Asks for the living objects of a class that were made since the first request.
package struct InstancesRequest: Hashable, Sendable, Codable {
  /// The name of the class.
  package var type: String
  /// A Lua expression over `self`: which objects to show.
  package var condition: String?
  /// Whether properties that can change are shown; nil: they are not.
  package var showsFields: Bool?
  /// Whether none are noted any more from now on.
  package var ends = false
  /// The seconds without a request after which objects are no longer noted.
  package var patience = 3600.0

  package init(type: String) { self.type = type }
}

/// The objects of a class.
package struct InstancesReport: Hashable, Sendable, Codable {
  /// The patch that notes them; to revert it is to forget them.
  package let name: String
  /// The class's whole name.
  package let type: String
  /// Whether objects are noted only from now on.
  package let isNew: Bool
  /// How many have been made since, initializers that call each other counted each.
  package let made: Int
  /// The number of objects that are known to be alive.
  package let living: Int
  /// How many there was no room for.
  package let missed: Int
  /// The objects for which the condition is true, as `print` in a patch shows them, or `reveal`.
  package let objects: [String]
  /// Why the condition could not be evaluated for an object.
  package let failure: String?

  package init(
    name: String, type: String, isNew: Bool, made: Int, living: Int, missed: Int,
    objects: [String], failure: String?
  ) {
    self.name = name
    self.type = type
    self.isNew = isNew
    self.made = made
    self.living = living
    self.missed = missed
    self.objects = objects
    self.failure = failure
  }
}
