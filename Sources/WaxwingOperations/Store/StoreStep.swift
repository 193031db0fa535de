// SPDX-License-Identifier: MIT

/// The system calls that change the store, in the order in which a change makes them.
package enum StoreStep: String, Sendable, CaseIterable {
  case makeFolder, create, write, sync, keepPrevious, rename, syncFolder, remove, overwrite

  /// The words for the step in messages.
  var words: String {
    switch self {
    case .makeFolder: "make the folder"
    case .create: "create"
    case .write: "write"
    case .sync: "get onto the disk"
    case .keepPrevious: "keep the previous"
    case .rename: "put into place"
    case .syncFolder: "get the folder's entry onto the disk for"
    case .remove: "remove"
    case .overwrite: "overwrite"
    }
  }
}
