// SPDX-License-Identifier: MIT

/// What patches let conform to protocols. `Model…` types are what the program itself has: their
/// witness tables name the requirements.

public protocol Presenter {
  var title: String { get set }
  func present(_ who: String) -> String
  func lines(from start: Int, count: Int) -> [String]
  func parse(_ text: String) throws -> Int
  mutating func advance(by step: Int) -> Int
}

public struct ModelPresenter: Presenter {
  public var title = "model"
  public init() {}
  public func present(_ who: String) -> String { "model for \(who)" }
  public func lines(from start: Int, count: Int) -> [String] { ["\(start)+\(count)"] }
  public func parse(_ text: String) throws -> Int { text.count }
  public mutating func advance(by step: Int) -> Int {
    title += "+\(step)"
    return title.count
  }
}

/// Conforms to nothing.
open class Exhibit {
  public var owner: String
  public var label = "label"
  public var count = 0
  public init(owner: String) { self.owner = owner }
  public func size(scale: Int) -> Int { count * scale }
  public static func origin() -> String { "hall" }
}

open class SpecialExhibit: Exhibit {}

public struct ExhibitError: Error, Equatable {
  public let code: Int
  public init(code: Int) { self.code = code }
}

@inline(never) public func isPresenter(_ value: Any) -> Bool { value is any Presenter }

@inline(never) public func presented(_ value: Any, to who: String) -> String {
  (value as? any Presenter).map { $0.title + ": " + $0.present(who) } ?? "no presenter"
}

@inline(never) public func presentGenerically<P: Presenter>(_ presenter: P, _ who: String) -> String
{
  presenter.present(who) + " " + presenter.lines(from: 1, count: 2).joined(separator: ",")
}

@inline(never) public func presentOpened(_ value: Any, _ who: String) -> String {
  (value as? any Presenter).map { presentGenerically($0, who) } ?? "no presenter"
}

@inline(never) public func somePresenter(_ presenter: some Presenter) -> String {
  presenter.title
}

@inline(never) public func appendToTitle(_ value: Any, _ text: String) -> String {
  guard var presenter = value as? any Presenter else { return "no presenter" }
  presenter.title += text
  return presenter.title
}

@inline(never) public func setTitle(_ value: Any, _ text: String) {
  if var presenter = value as? any Presenter { presenter.title = text }
}

private func spoil(_ text: inout String) throws {
  text += "!"
  throw ExhibitError(code: 9)
}

@inline(never) public func spoilTitle(_ presenter: inout any Presenter) -> Bool {
  do {
    try spoil(&presenter.title)
    return false
  } catch {
    return true
  }
}

@inline(never) public func parsed(_ value: Any, _ text: String) throws -> Int? {
  try (value as? any Presenter)?.parse(text)
}

@inline(never) public func advanced(_ value: Any, _ step: Int) -> Int? {
  guard var presenter = value as? any Presenter else { return nil }
  return presenter.advance(by: step)
}

public protocol ExhibitWatcher: AnyObject {
  var seen: Int { get set }
  func watched(_ amount: Int) -> Int
  func idle() -> String
  func maker() -> String?
}

extension ExhibitWatcher {
  public func idle() -> String { "idle by default" }
}

public final class ModelWatcher: ExhibitWatcher {
  public var seen = 0
  public init() {}
  public func watched(_ amount: Int) -> Int { amount }
  public func maker() -> String? { nil }
}

public final class WatcherHolder {
  public weak var watcher: (any ExhibitWatcher)?
  public init() {}
  @inline(never) public func adopt(_ value: AnyObject) -> Bool {
    watcher = value as? any ExhibitWatcher
    return watcher != nil
  }
  @inline(never) public func fire(_ amount: Int) -> Int { watcher?.watched(amount) ?? -1 }
  @inline(never) public func see(_ amount: Int) -> Int {
    watcher?.seen += amount
    return watcher?.seen ?? -1
  }
  @inline(never) public func idle() -> String { watcher?.idle() ?? "none" }
  @inline(never) public func maker() -> String? { watcher?.maker() }
}

public protocol Curator: Presenter {
  func curate() -> Int
}

public struct ModelCurator: Curator {
  public var title = ""
  public init() {}
  public func present(_ who: String) -> String { who }
  public func lines(from start: Int, count: Int) -> [String] { [] }
  public func parse(_ text: String) throws -> Int { 0 }
  public mutating func advance(by step: Int) -> Int { step }
  public func curate() -> Int { 1 }
}

@inline(never) public func curated(_ value: Any) -> String {
  (value as? any Curator).map { "\($0.curate()) \($0.present("you"))" } ?? "no curator"
}

public protocol ExhibitGrid {
  subscript(row: Int, column: Int) -> String { get set }
  subscript(name name: String) -> Int { get }
}

public struct ModelGrid: ExhibitGrid {
  private var cells: [Int: String] = [:]
  public init() {}
  public subscript(row: Int, column: Int) -> String {
    get { cells[row * 10 + column] ?? "" }
    set { cells[row * 10 + column] = newValue }
  }
  public subscript(name name: String) -> Int { name.count }
}

@inline(never) public func extendCell(_ value: Any, _ row: Int, _ column: Int, _ text: String)
  -> String
{
  guard var grid = value as? any ExhibitGrid else { return "no grid" }
  grid[row, column] += text
  return grid[row, column] + "/\(grid[name: text])"
}

public protocol ExhibitMaker {
  init(name: String)
  init?(number: Int)
  static func origin() -> String
  static var limit: Int { get set }
  func twin() -> Self
}

public final class ModelMaker: ExhibitMaker {
  public required init(name: String) {}
  public required init?(number: Int) { if number < 0 { return nil } }
  public static func origin() -> String { "model" }
  nonisolated(unsafe) public static var limit = 1
  public func twin() -> Self { self }
}

@inline(never) public func makeExhibit(_ type: Any.Type, _ name: String) -> AnyObject? {
  (type as? any ExhibitMaker.Type).map { $0.init(name: name) as AnyObject }
}

@inline(never) public func makeExhibit(_ type: Any.Type, number: Int) -> AnyObject? {
  (type as? any ExhibitMaker.Type).flatMap { $0.init(number: number) as AnyObject? }
}

@inline(never) public func makerOrigin(_ type: Any.Type) -> String {
  (type as? any ExhibitMaker.Type).map { $0.origin() } ?? "no maker"
}

@inline(never) public func raiseLimit(_ type: Any.Type, _ by: Int) -> Int {
  guard let maker = type as? any ExhibitMaker.Type else { return -1 }
  maker.limit += by
  return maker.limit
}

@inline(never) public func twin(_ value: Any) -> AnyObject? {
  (value as? any ExhibitMaker).map { $0.twin() as AnyObject }
}

public protocol ExhibitSource: Sendable {
  associatedtype Item: Equatable
  func items(_ count: Int) -> [Item]
  func first() -> Item?
  func pair(_ item: Item) -> (Item, Int)
  func fetch(_ index: Int) async throws -> Item
  func wait() async -> Int
}

public struct ModelSource: ExhibitSource {
  public init() {}
  public func items(_ count: Int) -> [String] { [] }
  public func first() -> String? { nil }
  public func pair(_ item: String) -> (String, Int) { (item, 1) }
  public func fetch(_ index: Int) async throws -> String { "" }
  public func wait() async -> Int { 0 }
}

private func allItems<S: ExhibitSource>(_ source: S) -> String {
  let items = source.items(3)
  let pairs = items.map { source.pair($0) }
  return "\(items) \(source.first().map { "\($0)" } ?? "nil") \(pairs.map(\.1)) \(S.Item.self)"
}

@inline(never) public func allItems(_ value: Any) -> String {
  (value as? any ExhibitSource).map { allItems($0) } ?? "no source"
}

private func fetched<S: ExhibitSource>(_ source: S, _ index: Int) async throws -> String {
  "\(try await source.fetch(index)) \(await source.wait())"
}

@inline(never) public func fetched(_ value: Any, _ index: Int) async throws -> String {
  guard let source = value as? any ExhibitSource else { return "no source" }
  return try await fetched(source, index)
}

@inline(never) public func areEqual(_ one: Any, _ other: Any) -> Bool? {
  func compare<E: Equatable>(_ one: E) -> Bool? { (other as? E).map { one == $0 } }
  return (one as? any Equatable).flatMap { compare($0) }
}

@inline(never) public func isBefore(_ one: Any, _ other: Any) -> Bool? {
  func compare<C: Comparable>(_ one: C) -> Bool? { (other as? C).map { one < $0 && !(one >= $0) } }
  return (one as? any Comparable).flatMap { compare($0) }
}

@inline(never) public func counted(_ values: [Any]) -> Int {
  Set(values.compactMap { ($0 as? any Hashable).map { AnyHashable($0) } }).count
}

@inline(never) public func described(_ value: Any) -> String { String(describing: value) }

@inline(never) public func throwIfError(_ value: Any) throws -> Bool {
  if let error = value as? any Error { throw error }
  return false
}

@inline(never) public func sum(_ value: Any) -> Int {
  func total<S: Sequence>(_ sequence: S) -> Int {
    var total = 0
    for element in sequence { total += element as? Int ?? 1000 }
    return total
  }
  return (value as? any Sequence).map { total($0) } ?? -1
}

@inline(never) public func mapped(_ value: Any) -> [String] {
  func texts<S: Sequence>(_ sequence: S) -> [String] { sequence.map { "<\($0)>" } }
  return (value as? any Sequence).map { texts($0) } ?? []
}

/// Nothing conforms to it.
public protocol Lonely { func alone() -> Int }

@inline(never) public func isLonely(_ value: Any) -> Bool { value is any Lonely }

public protocol ExhibitOwner {
  func owned() -> Exhibit
  func visit<V: Equatable>(_ visitor: V) -> Bool
}

public struct ModelOwner: ExhibitOwner {
  public init() {}
  public func owned() -> Exhibit { Exhibit(owner: "model") }
  public func visit<V: Equatable>(_ visitor: V) -> Bool { visitor == visitor }
}

public protocol ExhibitKeeper { func kept() -> Exhibit }

public struct ModelKeeper: ExhibitKeeper {
  public init() {}
  public func kept() -> Exhibit { Exhibit(owner: "model") }
}

@inline(never) public func keptExhibit(_ value: Any) -> Exhibit? {
  (value as? any ExhibitKeeper)?.kept()
}

private protocol ExhibitSecret { func secret() -> Int }

public struct ModelSecret: ExhibitSecret {
  public init() {}
  func secret() -> Int { 1 }
}

@inline(never) public func secret(_ value: Any) -> Int? { (value as? any ExhibitSecret)?.secret() }
