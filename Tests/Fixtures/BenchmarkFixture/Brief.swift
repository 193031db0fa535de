// SPDX-License-Identifier: MIT

/// An object that notes how long it outlived its last use. For one thread at a time.
public final class Brief {
  /// What the objects of one run have noted.
  public struct Record: Sendable {
    public var made = 0
    public var died = 0
    public var greatestLag = 0
    public var totalLag = 0
    public var greatestTime = Duration.zero
    public var totalTime = Duration.zero
    public init(made: Int = 0) { self.made = made }
  }

  nonisolated(unsafe) public static var record = Record()

  private let number: Int
  private let start = ContinuousClock.now

  init() {
    Self.record.made += 1
    number = Self.record.made
  }

  deinit {
    let lag = Self.record.made - number
    let time = ContinuousClock.now - start
    Self.record.died += 1
    Self.record.totalLag += lag
    Self.record.totalTime += time
    if lag > Self.record.greatestLag { Self.record.greatestLag = lag }
    if time > Self.record.greatestTime { Self.record.greatestTime = time }
  }

  public static func make() -> Brief { Brief() }

  /// A patch makes so many objects here.
  public static func spawn(_ count: Int) -> Int { count }
}
