// SPDX-License-Identifier: MIT

internal import WaxwingPatches

/// The result of verifying the chain of an audit log.
package struct AuditVerdict: Hashable, Sendable {
  /// The records that hang together, from the beginning.
  package var records = 0
  /// The last of them.
  package var head = AuditLink.none
  /// The number of the last of them.
  package var lastNumber = 0
  /// Peculiarities that have an explanation, one sentence each.
  package var notes: [String] = []
  /// Where and how the chain breaks, a sentence with file and line; nil: it does not.
  package var breach: String?

  /// Follows the chain through files, the oldest first.
  package init(files: [(name: String, bytes: [UInt8])]) {
    for file in files where breach == nil { follow(file.name, file.bytes) }
  }

  private mutating func follow(_ file: String, _ bytes: [UInt8]) {
    // Lines that are no records, and that the next record has to account for.
    var strange: [(line: Int, bytes: ArraySlice<UInt8>)] = []
    var lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    for (index, line) in lines.enumerated() {
      guard let link = AuditLink(line: line) else {
        strange.append((index + 1, line))
        continue
      }
      if let problem = account(for: strange, link, file) ?? check(link, file, index + 1) {
        breach = problem
        return
      }
      strange = []
      (records, lastNumber, head) = (records + 1, link.number, link.hash)
    }
    settle(strange, file, endsInLine: bytes.last == 0x0a, count: lines.count)
  }

  private mutating func account(
    for strange: [(line: Int, bytes: ArraySlice<UInt8>)], _ link: AuditLink, _ file: String
  ) -> String? {
    guard let first = strange.first else { return nil }
    guard strange.count == 1, link.torn == ContentHash(of: Array(first.bytes)).hex else {
      return "\(file):\(first.line): the line is not a record, and no other record explains it"
    }
    notes.append(
      "\(file):\(first.line): a line that a crash left incomplete; record \(link.number) says so")
    return nil
  }

  private func check(_ link: AuditLink, _ file: String, _ line: Int) -> String? {
    let place = "\(file):\(line)"
    let expected = lastNumber + 1
    if records == 0, link.number > 1 {
      return "\(place): the file begins with record \(link.number): those before it are missing "
        + "(if they are in an older file, name that first)"
    }
    if link.number > expected {
      let missing =
        link.number == expected + 1
        ? "record \(expected) is" : "records \(expected) to \(link.number - 1) are"
      return "\(place): \(missing) missing before record \(link.number)"
    }
    if link.number < expected {
      return "\(place): record \(link.number) comes after record \(lastNumber): out of order"
    }
    guard link.previous != head else { return nil }
    return records == 0
      ? "\(place): record 1 does not start a chain"
      : "\(place): record \(lastNumber) was changed after record \(link.number) was written"
  }

  /// Settles what the lines at a file's end mean.
  private mutating func settle(
    _ strange: [(line: Int, bytes: ArraySlice<UInt8>)], _ file: String, endsInLine: Bool,
    count: Int
  ) {
    guard let first = strange.first else { return }
    if strange.count == 1, !endsInLine, first.line == count {
      notes.append(
        "\(file):\(first.line): the last line is incomplete, because of a crash or a write in progress; the next "
          + "record will say so")
    } else {
      breach = "\(file):\(first.line): the line is not a record, and no other record explains it"
    }
  }
}
