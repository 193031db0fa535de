// SPDX-License-Identifier: MIT

/// A struct with members that are named like what Lua has besides them: the parts of type objects, and what values and
/// objects have.
struct PartValues {
  var text = ""
  init(_ text: String) { self.text = text }
  static var get: PartValues { PartValues("get") }
  static var set: PartValues { PartValues("set") }
  static var willSet: PartValues { PartValues("willSet") }
  static var didSet: PartValues { PartValues("didSet") }
  static var `static`: PartValues { PartValues("static") }
  static var field: PartValues { PartValues("field") }
  static var method: PartValues { PartValues("method") }
  static var `deinit`: PartValues { PartValues("deinit") }
  static var before: PartValues { PartValues("before") }
  static var after: PartValues { PartValues("after") }
  static var instead: PartValues { PartValues("instead") }
  static var type: PartValues { PartValues("type") }
  static var new: PartValues { PartValues("new") }
  static var `case`: PartValues { PartValues("case") }
  static var value: PartValues { PartValues("value") }
  static var `super`: PartValues { PartValues("super") }
  static var mutating: PartValues { PartValues("mutating") }
  static var consuming: PartValues { PartValues("consuming") }
  static var original: PartValues { PartValues("original") }
  static let set2 = PartValues("set2")
  var get: String { text + ".get" }
  var willSet: String { text + ".willSet" }
  var didSet: String { text + ".didSet" }
  var `static`: String { text + ".static" }
  var field: String { text + ".field" }
  var method: String { text + ".method" }
  var `deinit`: String { text + ".deinit" }
  var before: String { text + ".before" }
  var after: String { text + ".after" }
  var instead: String { text + ".instead" }
  var type: String { text + ".type" }
  var new: String { text + ".new" }
  var `case`: String { text + ".case" }
  var value: String { text + ".value" }
  var `super`: String { text + ".super" }
  var mutating: String { text + ".mutating" }
  var consuming: String { text + ".consuming" }
  var original: String { text + ".original" }
  var `set`: String {
    get { text }
    set { text = newValue }
  }
  static nonisolated(unsafe) var many: Int {
    get { count }
    set { count = newValue }
  }
  nonisolated(unsafe) private static var count = 3
  nonisolated(unsafe) static var seen = 0 {
    willSet { count += newValue }
    didSet { count -= oldValue }
  }
  subscript(index: Int) -> String { "\(text)[\(index)]" }
  static subscript(index: Int) -> Int { index * count }
  mutating func append(_ more: String) { text += more }
}

struct StoredParts {
  static let get = "stored get"
  static let set = "stored set"
  static let willSet = "stored willSet"
  static let didSet = "stored didSet"
  static let `static` = "stored static"
  static let field = "stored field"
  static let method = "stored method"
  static let `deinit` = "stored deinit"
  static let before = "stored before"
  static let after = "stored after"
  static let instead = "stored instead"
  static let type = "stored type"
  static let new = "stored new"
  static let `case` = "stored case"
  static let value = "stored value"
  static let `super` = "stored super"
  static let mutating = "stored mutating"
  static let consuming = "stored consuming"
  static let original = "stored original"
  var title: String { "title" }
  static var total: Int { 4 }
  static func made() -> StoredParts { StoredParts() }
  func plain() -> Int { 1 }
}

enum PartCases: String, CaseIterable {
  case get, set, willSet, didSet, `static`, field, method, `deinit`, before, after, instead, type,
    new, mutating, consuming, original
  var value: String { rawValue }
  var `case`: String { "case \(rawValue)" }
  var `super`: Int { rawValue.count }
  static var count: Int { allCases.count }
  func get(_ more: Int) -> Int { more + 1 }
  func plain() -> String { rawValue }
}

class PartFunctions {
  fileprivate let live = Live("PartFunctions")
  var text = "f"
  init() {}
  class func get(_ text: String) -> String { "\(self).get " + text }
  class func set(_ text: String) -> String { "\(self).set " + text }
  class func willSet(_ text: String) -> String { "\(self).willSet " + text }
  class func didSet(_ text: String) -> String { "\(self).didSet " + text }
  class func `static`(_ text: String) -> String { "\(self).static " + text }
  class func field(_ text: String) -> String { "\(self).field " + text }
  class func method(_ text: String) -> String { "\(self).method " + text }
  class func `deinit`(_ text: String) -> String { "\(self).deinit " + text }
  class func before(_ text: String) -> String { "\(self).before " + text }
  class func after(_ text: String) -> String { "\(self).after " + text }
  class func instead(_ text: String) -> String { "\(self).instead " + text }
  class func type(_ text: String) -> String { "\(self).type " + text }
  class func new(_ text: String) -> String { "\(self).new " + text }
  class func `case`(_ text: String) -> String { "\(self).case " + text }
  class func value(_ text: String) -> String { "\(self).value " + text }
  class func `super`(_ text: String) -> String { "\(self).super " + text }
  class func mutating(_ text: String) -> String { "\(self).mutating " + text }
  class func consuming(_ text: String) -> String { "\(self).consuming " + text }
  class func original(_ text: String) -> String { "\(self).original " + text }
  func get() -> String { "get of " + text }
  func set() -> String { "set of " + text }
  func willSet() -> String { "willSet of " + text }
  func didSet() -> String { "didSet of " + text }
  func `static`() -> String { "static of " + text }
  func field() -> String { "field of " + text }
  func method() -> String { "method of " + text }
  func `deinit`() -> String { "deinit of " + text }
  func before() -> String { "before of " + text }
  func after() -> String { "after of " + text }
  func instead() -> String { "instead of " + text }
  func type() -> String { "type of " + text }
  func new() -> String { "new of " + text }
  func `case`() -> String { "case of " + text }
  func value() -> String { "value of " + text }
  func `super`() -> String { "super of " + text }
  func mutating() -> String { "mutating of " + text }
  func consuming() -> String { "consuming of " + text }
  func original() -> String { "original of " + text }
  var title: String { text }
  class var total: Int { 5 }
}

final class PartSubclass: PartFunctions {
  override func get() -> String { "sub " + super.get() }
  override func didSet() -> String { "sub " + super.didSet() }
  override func method() -> String { "sub " + super.method() }
  override func after() -> String { "sub " + super.after() }
  override func new() -> String { "sub " + super.new() }
  override func `super`() -> String { "sub " + super.`super`() }
  override func original() -> String { "sub " + super.original() }
  override class func set(_ text: String) -> String { "sub " + super.set(text) }
  override class func `static`(_ text: String) -> String { "sub " + super.`static`(text) }
  override class func `deinit`(_ text: String) -> String { "sub " + super.`deinit`(text) }
  override class func instead(_ text: String) -> String { "sub " + super.instead(text) }
  override class func `case`(_ text: String) -> String { "sub " + super.`case`(text) }
  override class func mutating(_ text: String) -> String { "sub " + super.mutating(text) }
}

class PartProperties {
  fileprivate let live = Live("PartProperties")
  static var get: String { "static get" }
  static var set: String { "static set" }
  static var willSet: String { "static willSet" }
  static var didSet: String { "static didSet" }
  static var `static`: String { "static static" }
  static var field: String { "static field" }
  static var method: String { "static method" }
  static var `deinit`: String { "static deinit" }
  static var before: String { "static before" }
  static var after: String { "static after" }
  static var instead: String { "static instead" }
  static var type: String { "static type" }
  static var new: String { "static new" }
  static var `case`: String { "static case" }
  static var value: String { "static value" }
  static var `super`: String { "static super" }
  static var mutating: String { "static mutating" }
  static var consuming: String { "static consuming" }
  static var original: String { "static original" }
  var set = "set"
  var willSet = "willSet"
  var didSet = "didSet"
  var `static` = "static"
  var field = "field"
  var method = "method"
  var `deinit` = "deinit"
  var before = "before"
  var after = "after"
  var instead = "instead"
  var type = "type"
  var new = "new"
  var `case` = "case"
  var value = "value"
  var `super` = "super"
  var mutating = "mutating"
  var consuming = "consuming"
  var original = "original"
  var get: String {
    get { type }
    set { type = newValue }
  }
}

final class PartHeir: PartProperties {
  var title: String { `super` + value }
  static var total: Int { 6 }
}

actor PartActor {
  static var get: Int { 0 }
  static var set: Int { 1 }
  static var willSet: Int { 2 }
  static var didSet: Int { 3 }
  static var `static`: Int { 4 }
  static var field: Int { 5 }
  static var method: Int { 6 }
  static var `deinit`: Int { 7 }
  static var before: Int { 8 }
  static var after: Int { 9 }
  static var instead: Int { 10 }
  static var type: Int { 11 }
  static var new: Int { 12 }
  static var `case`: Int { 13 }
  static var value: Int { 14 }
  static var `super`: Int { 15 }
  static var mutating: Int { 16 }
  static var consuming: Int { 17 }
  static var original: Int { 18 }
  func get() -> Int { 0 }
  func set() -> Int { 1 }
  func willSet() -> Int { 2 }
  func didSet() -> Int { 3 }
  func `static`() -> Int { 4 }
  func field() -> Int { 5 }
  func method() -> Int { 6 }
  func `deinit`() -> Int { 7 }
  func before() -> Int { 8 }
  func after() -> Int { 9 }
  func instead() -> Int { 10 }
  func type() -> Int { 11 }
  func new() -> Int { 12 }
  func `case`() -> Int { 13 }
  func value() -> Int { 14 }
  func `super`() -> Int { 15 }
  func mutating() -> Int { 16 }
  func consuming() -> Int { 17 }
  func original() -> Int { 18 }
  var title: Int { 7 }
  static var total: Int { 8 }
}

protocol PartProtocol {
  var base: Int { get }
}

extension PartProtocol {
  static var get: Int { 0 }
  static var set: Int { 1 }
  static var willSet: Int { 2 }
  static var didSet: Int { 3 }
  static var `static`: Int { 4 }
  static var field: Int { 5 }
  static var method: Int { 6 }
  static var `deinit`: Int { 7 }
  static var before: Int { 8 }
  static var after: Int { 9 }
  static var instead: Int { 10 }
  static var type: Int { 11 }
  static var new: Int { 12 }
  static var `case`: Int { 13 }
  static var value: Int { 14 }
  static var `super`: Int { 15 }
  static var mutating: Int { 16 }
  static var consuming: Int { 17 }
  static var original: Int { 18 }
  var get: Int { base + 0 }
  var set: Int { base + 1 }
  var willSet: Int { base + 2 }
  var didSet: Int { base + 3 }
  var `static`: Int { base + 4 }
  var field: Int { base + 5 }
  var method: Int { base + 6 }
  var `deinit`: Int { base + 7 }
  var before: Int { base + 8 }
  var after: Int { base + 9 }
  var instead: Int { base + 10 }
  var type: Int { base + 11 }
  var new: Int { base + 12 }
  var `case`: Int { base + 13 }
  var value: Int { base + 14 }
  var `super`: Int { base + 15 }
  var mutating: Int { base + 16 }
  var consuming: Int { base + 17 }
  var original: Int { base + 18 }
}

struct PartConformer: PartProtocol {
  let base: Int
  static var total: Int { 9 }
  var title: Int { base }
}

enum PartNests {
  // swift-format-ignore: TypeNamesShouldBeCapitalized
  struct get { var title: Int { 1 } }
  struct `static` { var title: Int { 2 } }
  static var total: Int { 3 }
  // swift-format-ignore: TypeNamesShouldBeCapitalized
  struct plain { static var total: Int { 4 } }
}

func runParts(_ say: Say) {
  var values = PartValues("v")
  say(
    [
      PartValues.get.text, PartValues.set.text, PartValues.willSet.text, PartValues.didSet.text,
      PartValues.`static`.text, PartValues.field.text, PartValues.method.text,
      PartValues.`deinit`.text,
      PartValues.before.text, PartValues.after.text, PartValues.instead.text, PartValues.type.text,
      PartValues.new.text, PartValues.`case`.text, PartValues.value.text, PartValues.`super`.text,
      PartValues.mutating.text, PartValues.consuming.text, PartValues.original.text,
    ].joined(separator: " "))
  say(
    [
      values.get, values.set, values.willSet, values.didSet, values.`static`, values.field,
      values.method,
      values.`deinit`, values.before, values.after, values.instead, values.type, values.new,
      values.`case`,
      values.value, values.`super`, values.mutating, values.consuming, values.original,
    ].joined(separator: " "))
  values.set = "w"
  values.append("x")
  PartValues.seen = 0
  PartValues.many = 5
  PartValues.seen = 4
  say("\(values[2]) \(PartValues[3]) \(PartValues.many) \(PartValues.set2.text) \(PartValues.seen)")
  say(
    [
      StoredParts.get, StoredParts.set, StoredParts.willSet, StoredParts.didSet,
      StoredParts.`static`,
      StoredParts.field, StoredParts.method, StoredParts.`deinit`, StoredParts.before,
      StoredParts.after,
      StoredParts.instead, StoredParts.type, StoredParts.new, StoredParts.`case`, StoredParts.value,
      StoredParts.`super`, StoredParts.mutating, StoredParts.consuming, StoredParts.original,
    ].joined(separator: " "))
  say("\(StoredParts.made().title) \(StoredParts.total) \(StoredParts().plain())")
  say(
    "\(PartCases.allCases.map { "\($0.value) \($0.case) \($0.super) \($0.plain()) \($0.get(1))" }) \(PartCases.count)"
  )
  for (type, object) in [
    (PartFunctions.self, PartFunctions()), (PartSubclass.self, PartSubclass()),
  ] {
    say(
      [
        type.get("t"), type.set("t"), type.willSet("t"), type.didSet("t"), type.`static`("t"),
        type.field("t"),
        type.method("t"), type.`deinit`("t"), type.before("t"), type.after("t"), type.instead("t"),
        type.type("t"), type.new("t"), type.`case`("t"), type.value("t"), type.`super`("t"),
        type.mutating("t"),
        type.consuming("t"), type.original("t"),
      ].joined(separator: " "))
    say(
      [
        object.get(), object.set(), object.willSet(), object.didSet(), object.`static`(),
        object.field(),
        object.method(), object.`deinit`(), object.before(), object.after(), object.instead(),
        object.type(),
        object.new(), object.`case`(), object.value(), object.`super`(), object.mutating(),
        object.consuming(),
        object.original(),
      ].joined(separator: " "))
    say("\(object.title) \(type.total)")
  }
  let heir = PartHeir()
  heir.get += "!"
  heir.super += "?"
  say(
    [
      PartHeir.get + heir.get, PartHeir.set + heir.set, PartHeir.willSet + heir.willSet,
      PartHeir.didSet + heir.didSet, PartHeir.`static` + heir.`static`, PartHeir.field + heir.field,
      PartHeir.method + heir.method, PartHeir.`deinit` + heir.`deinit`,
      PartHeir.before + heir.before,
      PartHeir.after + heir.after, PartHeir.instead + heir.instead, PartHeir.type + heir.type,
      PartHeir.new + heir.new, PartHeir.`case` + heir.`case`, PartHeir.value + heir.value,
      PartHeir.`super` + heir.`super`, PartHeir.mutating + heir.mutating,
      PartHeir.consuming + heir.consuming,
      PartHeir.original + heir.original,
    ].joined(separator: " "))
  say("\(heir.title) \(PartHeir.total)")
  let conformer = PartConformer(base: 100)
  say(
    "\([PartConformer.get + conformer.get, PartConformer.set + conformer.set, PartConformer.willSet + conformer.willSet, PartConformer.didSet + conformer.didSet, PartConformer.`static` + conformer.`static`, PartConformer.field + conformer.field, PartConformer.method + conformer.method, PartConformer.`deinit` + conformer.`deinit`])"
  )
  say(
    "\([PartConformer.before + conformer.before, PartConformer.after + conformer.after, PartConformer.instead + conformer.instead, PartConformer.type + conformer.type, PartConformer.new + conformer.new, PartConformer.`case` + conformer.`case`, PartConformer.value + conformer.value, PartConformer.`super` + conformer.`super`, PartConformer.mutating + conformer.mutating, PartConformer.consuming + conformer.consuming, PartConformer.original + conformer.original])"
  )
  say("\(PartConformer.total) \(conformer.title) \(PartNests.total) \(PartNests.plain.total)")
  say("\(PartNests.plain()) \(PartCases(rawValue: "get") == .get)")
  say("\(PartNests.get().title) \(PartNests.`static`().title)")
}

func runActorParts(_ say: Say) async {
  let actor = PartActor()
  var sum = 0
  sum = sum &* 3 &+ PartActor.get
  sum = sum &* 5 &+ (await actor.get())
  sum = sum &* 3 &+ PartActor.set
  sum = sum &* 5 &+ (await actor.set())
  sum = sum &* 3 &+ PartActor.willSet
  sum = sum &* 5 &+ (await actor.willSet())
  sum = sum &* 3 &+ PartActor.didSet
  sum = sum &* 5 &+ (await actor.didSet())
  sum = sum &* 3 &+ PartActor.`static`
  sum = sum &* 5 &+ (await actor.`static`())
  sum = sum &* 3 &+ PartActor.field
  sum = sum &* 5 &+ (await actor.field())
  sum = sum &* 3 &+ PartActor.method
  sum = sum &* 5 &+ (await actor.method())
  sum = sum &* 3 &+ PartActor.`deinit`
  sum = sum &* 5 &+ (await actor.`deinit`())
  sum = sum &* 3 &+ PartActor.before
  sum = sum &* 5 &+ (await actor.before())
  sum = sum &* 3 &+ PartActor.after
  sum = sum &* 5 &+ (await actor.after())
  sum = sum &* 3 &+ PartActor.instead
  sum = sum &* 5 &+ (await actor.instead())
  sum = sum &* 3 &+ PartActor.type
  sum = sum &* 5 &+ (await actor.type())
  sum = sum &* 3 &+ PartActor.new
  sum = sum &* 5 &+ (await actor.new())
  sum = sum &* 3 &+ PartActor.`case`
  sum = sum &* 5 &+ (await actor.`case`())
  sum = sum &* 3 &+ PartActor.value
  sum = sum &* 5 &+ (await actor.value())
  sum = sum &* 3 &+ PartActor.`super`
  sum = sum &* 5 &+ (await actor.`super`())
  sum = sum &* 3 &+ PartActor.mutating
  sum = sum &* 5 &+ (await actor.mutating())
  sum = sum &* 3 &+ PartActor.consuming
  sum = sum &* 5 &+ (await actor.consuming())
  sum = sum &* 3 &+ PartActor.original
  sum = sum &* 5 &+ (await actor.original())
  sum &+= await actor.title
  say("\(sum) \(PartActor.total)")
}
