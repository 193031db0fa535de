// SPDX-License-Identifier: MIT

internal import WaxwingBridge
import WaxwingControl
import WaxwingReflection
import WaxwingToolKit

/// The patch points of a program, and whether it is known which of them can be overridden.
struct PointsListing {
  /// The name of the program.
  let program: String
  var points: [ListedPoint]
  /// The reason why it is not known which points can be overridden; nil if it is known.
  let unchecked: String?
  /// Whether the points are those of a library's file: which program loads it is not known.
  var isLibrary = false
  /// Whether these are async closures, and no functions.
  var areClosures = false
  /// The daemon that was asked; nil: a file was read.
  var daemon: DaemonInfo?

  /// Reads a page of a daemon or of a described program.
  init(_ page: PointPage) throws(CommandError) {
    if let failure = page.failure {
      throw CommandError(.refused, "\(page.program): \(failure)")
    }
    program = page.program
    points = page.points.map { ListedPoint($0) }
    unchecked = nil
    areClosures = page.areClosures == true
  }

  /// The points of an executable file, which is run in describe mode for it if it can be.
  /// - Parameter closures: Its async closures, in place of its functions.
  init(
    file path: String, isStatic: Bool, timeout: Double, closures: Bool = false
  ) throws(CommandError) {
    let image: ElfImage
    var points: [PointDescription] = []
    var lack: CommandError?
    do throws(ElfError) { image = try ElfImage(path: path) } catch {
      throw CommandError(path, error)
    }
    do throws(ElfError) { points = try Self.points(in: image, closures: closures) } catch {
      let failure = Self.failure(path, error, image)
      guard !isStatic, Self.mayBeInLibraries(error, image) else { throw failure }
      lack = failure
    }
    let reason: String
    if isStatic {
      reason = "the file was read, and nothing was run"
    } else {
      switch DescribedProgram(path: path, image).describe(closures: closures, within: timeout) {
      case .page(let page) where closures && page.failure == nil && page.areClosures != true:
        reason = "the engine in the program is of an older version, and does not know closures"
      case .page(let page):
        if page.points.isEmpty, let lack { throw lack }
        self = try PointsListing(page)
        return
      case .failed(let found):
        if let lack { throw lack }
        reason = found
      }
    }
    program = String(path.split(separator: "/").last ?? "")
    self.points = points.map { ListedPoint($0) }
    unchecked = reason
    isLibrary = image.isLibrary
    areClosures = closures
  }

  private static func points(
    in image: ElfImage, closures: Bool
  ) throws(ElfError) -> [PointDescription] {
    if closures { return try PointDescriber.closures(in: image) }
    let catalog = try PatchPointCatalog(image: image)
    return PointDescriber.points(of: catalog, in: image).filter { !$0.isMissing }
  }

  /// The error of a file without patch points; it may have async closures.
  private static func failure(_ path: String, _ error: ElfError, _ image: ElfImage) -> CommandError
  {
    guard error.isLackOfPatchPoints, (try? PatchPointCatalog.check(image)) != nil else {
      return CommandError(path, error)
    }
    return CommandError(
      .refused, "\(path): \(error.problem)",
      remedy: "`waxwing points --closures` lists its async closures; for functions, \(error.remedy)"
    )
  }

  /// Whether a program that has no patch points itself may have libraries that do: they are read where it is run.
  static func mayBeInLibraries(_ error: ElfError, _ image: ElfImage) -> Bool {
    error.isLackOfPatchPoints && !image.isLibrary
      && !image.neededLibraries.allSatisfy(Libraries.isSystem)
  }

  /// The points of a running program, or its async closures.
  init(
    of daemon: borrowing Daemon, matching pattern: String?, closures: Bool = false
  ) throws(CommandError) {
    var all: PointPage?
    var first: Int? = 0
    while let from = first {
      let request = PointsRequest(
        pattern: pattern, from: from, closures: closures ? true : nil)
      let page = try daemon.send(request)
      if closures, page.failure == nil, page.areClosures != true {
        throw CommandError(
          .refused, "\(daemon.title) does not know closures: its engine is of an older version",
          remedy: "start the program again with the engine of this version")
      }
      let known = all?.points ?? []
      all = page
      all?.points = known + page.points
      // A daemon that answers without getting on would never come to an end.
      first = page.next.flatMap { $0 > from ? $0 : nil }
    }
    guard let all else { throw CommandError(Daemon.mismatch("points")) }
    self = try PointsListing(all)
    self.daemon = daemon.info
  }
}
