// SPDX-License-Identifier: MIT

import Synchronization
import WaxwingBridge
import WaxwingInterception

/// The layers of all sessions by the entry that they are at. It is kept while layers come and go, so that a question
/// about one function looks at the overrides of no other.
struct EntryStacks {
  /// A layer, and the override that it is of.
  struct Member {
    let session: Int
    let override: Override
    let layer: InstalledOverride
    let rank: LayerRank
    /// Whether the entry is the override's own: not a vtable's, nor another closure's.
    let isOwn: Bool
  }

  /// Most entries have one layer.
  private struct Stack {
    var first: Member
    /// Further ones, in the order in which a call comes to them.
    var more: [Member] = []

    mutating func add(_ member: Member) {
      if member.rank > first.rank {
        more.insert(first, at: 0)
        first = member
      } else {
        more.insert(member, at: more.firstIndex { $0.rank < member.rank } ?? more.endIndex)
      }
    }
  }

  private var stacks: [UInt: Stack] = [:]
  /// How many entries with layers are code of functions.
  private(set) var rewritten = 0

  /// Looks at the layers at an entry, in the order in which a call comes to them.
  func forEach(at entry: UInt, _ body: (Member) -> Void) {
    guard let stack = stacks[entry] else { return }
    Self.count(visits: 1 + stack.more.count)
    body(stack.first)
    stack.more.forEach(body)
  }

  /// Looks at all layers, those of one entry together and in order.
  func forEachStack(_ body: (_ first: Member, _ more: [Member]) -> Void) {
    for stack in stacks.values { body(stack.first, stack.more) }
    Self.count(visits: stacks.values.reduce(0) { $0 + 1 + $1.more.count })
  }

  func isEmpty(at entry: UInt) -> Bool { stacks[entry] == nil }

  /// The identities of all layers.
  var layers: Set<ObjectIdentifier> {
    Set(stacks.values.flatMap { [$0.first] + $0.more }.map { ObjectIdentifier($0.layer) })
  }

  mutating func add(_ layer: InstalledOverride, of override: Override, in session: Int) {
    let point = layer.point
    let entry = unsafe UInt(bitPattern: point.entry)
    let member = Member(
      session: session, override: override, layer: layer, rank: layer.rank,
      isOwn: override.entry == entry)
    if stacks[entry] == nil {
      stacks[entry] = Stack(first: member)
      if point.kind == .code { rewritten += 1 }
    } else {
      stacks[entry]?.add(member)
    }
  }

  /// Takes layers out.
  /// - Returns: The entries that have none any more.
  mutating func remove(_ layers: [InstalledOverride]) -> [UInt] {
    var removed: [UInt: Set<ObjectIdentifier>] = [:]
    for layer in layers {
      let entry = unsafe UInt(bitPattern: layer.point.entry)
      removed[entry, default: []].insert(ObjectIdentifier(layer))
    }
    return removed.compactMap { entry, gone in
      guard let stack = stacks[entry] else { return nil }
      let left = ([stack.first] + stack.more).filter { !gone.contains(ObjectIdentifier($0.layer)) }
      Self.count(visits: stack.more.count + 1)
      guard let first = left.first else {
        if stack.first.layer.point.kind == .code { rewritten -= 1 }
        stacks[entry] = nil
        return entry
      }
      stacks[entry] = Stack(first: first, more: Array(left.dropFirst()))
      return nil
    }
  }

  // MARK: Counted work

  private static let visited = Atomic(0)

  /// How many layers were looked at in this process so far.
  static var visits: Int { visited.load(ordering: .relaxed) }

  private static func count(visits: Int) {
    visited.wrappingAdd(visits, ordering: .relaxed)
  }
}
