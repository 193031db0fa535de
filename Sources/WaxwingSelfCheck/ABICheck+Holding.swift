// SPDX-License-Identifier: MIT

internal import CWaxwingABI
internal import CWaxwingLua

/// Checks the strong references that the collection of cycles reads.
extension ABICheck {
  static let holdingCanaries: [Canary] = [
    Canary(view: "counts of references", counts),
    Canary(view: "storages of collections", storages),
  ]

  @Sendable private static func counts(_ view: ABIView) throws(ABIMismatch) {
    let reference = Unmanaged.passRetained(ABISample.Base())
    defer { reference.release() }
    let object = reference.toOpaque()
    func check(_ what: String, _ strong: Int, _ unowned: Int, _ weak: Int) throws(ABIMismatch) {
      let counts = wax_proxy_count_references(object)
      try view.expect("the number of strong references\(what)", is: strong, counts.strong)
      try view.expect("the number of unowned references\(what)", is: unowned, counts.unowned)
      try view.expect("the number of weak references\(what)", is: weak, counts.weak)
    }
    try check("", 1, 1, 1)
    _ = reference.retain()
    wax_abi_unowned_retain(object)
    let word = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    defer { word.deallocate() }
    wax_abi_weak_init(word, object)
    defer {
      wax_abi_weak_assign(word, nil)
      wax_abi_unowned_release(object)
      reference.release()
    }
    try check(", with one more of each kind,", 2, 2, 2)
    let empty: [ABISample.Base] = []
    let storage = withUnsafeBytes(of: empty) { $0.load(as: UnsafeMutableRawPointer.self) }
    try view.expect(
      wax_proxy_count_references(storage).unowned != 1, "what is never freed counts references")
  }

  @Sendable private static func storages(_ view: ABIView) throws(ABIMismatch) {
    let array = [0x5151, 0x5252]
    try withStorage(of: array) { (storage) throws(ABIMismatch) in
      try view.expect("the count of an array", at: storage, 16, is: 2)
      try view.expect("the first element of an array", at: storage, 32, is: 0x5151)
      try view.expect("the second element of an array", at: storage, 40, is: 0x5252)
    }
    try withStorage(of: Set([0x5353])) { (storage) throws(ABIMismatch) in
      try table(view, "a set", storage, bitmap: 56, key: 0x5353, value: nil)
    }
    try withStorage(of: [0x5454: 0x5555]) { (storage) throws(ABIMismatch) in
      try table(view, "a dictionary", storage, bitmap: 64, key: 0x5454, value: 0x5555)
    }
  }

  private static func withStorage<Value>(
    of value: Value, _ body: (UnsafeRawPointer) throws(ABIMismatch) -> Void
  ) throws(ABIMismatch) {
    let word = withUnsafeBytes(of: value) { $0.load(as: UInt.self) }
    guard let storage = UnsafeRawPointer(bitPattern: word) else {
      throw ABIMismatch("a collection is 0")
    }
    try body(storage)
    withExtendedLifetime(value) {}
  }

  /// A collection of one element, or pair.
  private static func table(
    _ view: ABIView, _ what: String, _ storage: UnsafeRawPointer, bitmap: Int, key: Int,
    value: Int?
  ) throws(ABIMismatch) {
    let scale: Int8 = try view.load("the scale of \(what)", storage, 32)
    try view.expect(view.seen(UInt64(bitPattern: Int64(scale))) < 6, "\(what) of one is large")
    let buckets: UInt64 = try view.load("the buckets of \(what)", storage, bitmap)
    let used = buckets & ((1 << (1 << UInt64(scale))) - 1)
    try view.expect("the buckets in use of \(what)", is: 1, used.nonzeroBitCount)
    let offset = 8 * used.trailingZeroBitCount
    let keys = try view.pointer("the keys of \(what)", storage, 48)
    try view.expect("a key of \(what)", at: keys, offset, is: key)
    guard let value else { return }
    let values = try view.pointer("the values of \(what)", storage, 56)
    try view.expect("a value of \(what)", at: values, offset, is: value)
  }
}
