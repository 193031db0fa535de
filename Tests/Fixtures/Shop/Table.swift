// SPDX-License-Identifier: MIT

/// What a table shows in a row.
open class Cell {
  public var label: String
  public var detail: String?

  public init(label: String) {
    self.label = label
  }
}

/// Provides the rows of a table.
public protocol TableSource: AnyObject {
  func rowCount(in section: Int) -> Int
  func cell(forRow row: Int, in section: Int) -> Cell
}

open class CityTable: TableSource {
  public var cities = ["Aachen", "Bremen", "Celle"]

  public init() {}

  open func rowCount(in section: Int) -> Int { cities.count }
  open func cell(forRow row: Int, in section: Int) -> Cell { Cell(label: cities[row]) }
}

/// Shows what a source provides.
public final class TableView {
  public var source: (any TableSource)?

  public init() {}

  public func render() -> [String] {
    guard let source else { return [] }
    return (0..<source.rowCount(in: 0)).map { source.cell(forRow: $0, in: 0).label }
  }
}
