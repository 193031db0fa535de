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
  let kind: PointPage.Kind
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
    kind = page.kind ?? .patchPoints
  }

  /// The points of an executable file, which is run in describe mode for it if it can be.
  /// - Parameter mayHaveNone: No patch points are no error if something else of the program can be overridden.
  init(
    file path: String, isStatic: Bool, timeout: Double, kind: PointPage.Kind = .patchPoints,
    mayHaveNone: Bool = false
  ) throws(CommandError) {
    let image: ElfImage
    var points: [PointDescription] = []
    var lack: CommandError?
    do throws(ElfError) { image = try ElfImage(path: path) } catch {
      throw CommandError(path, error)
    }
    do throws(ElfError) { points = try Self.points(in: image, kind) } catch {
      let hasOthers =
        mayHaveNone && error.isLackOfPatchPoints
        && (try? PatchPointCatalog.means(of: image)) != nil
      let failure = Self.failure(path, error, image)
      guard hasOthers || !isStatic && Self.mayBeInLibraries(error, image) else { throw failure }
      lack = hasOthers ? nil : failure
    }
    let reason: String
    if isStatic {
      reason = "the file was read, and nothing was run"
    } else {
      switch DescribedProgram(path: path, image).describe(kind, within: timeout) {
      case .page(let page) where page.failure == nil && page.kind ?? .patchPoints != kind:
        reason = "the engine in the program is of an older version, and does not know \(kind.words)"
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
    self.kind = kind
  }

  private static func points(
    in image: ElfImage, _ kind: PointPage.Kind
  ) throws(ElfError) -> [PointDescription] {
    switch kind {
    case .closures: return try PointDescriber.closures(in: image)
    case .code: return try PointDescriber.codePoints(in: image)
    case .patchPoints: break
    }
    let catalog = try PatchPointCatalog(image: image)
    return PointDescriber.points(of: catalog, in: image).filter { !$0.isMissing }
  }

  /// The error of a file without patch points; it may have closures.
  private static func failure(_ path: String, _ error: ElfError, _ image: ElfImage) -> CommandError
  {
    guard error.isLackOfPatchPoints, (try? PatchPointCatalog.means(of: image)) != nil else {
      return CommandError(path, error)
    }
    return CommandError(
      .refused, "\(path): \(error.problem)",
      remedy:
        "`waxwing points --code` lists its functions, and `--closures` its closures; for patch points, \(error.remedy)"
    )
  }

  /// Whether a program that has no patch points itself may have libraries that do: they are read where it is run.
  static func mayBeInLibraries(_ error: ElfError, _ image: ElfImage) -> Bool {
    error.isLackOfPatchPoints && !image.isLibrary
      && !image.neededLibraries.allSatisfy(Libraries.isSystem)
  }

  /// The points of a running program, or its closures.
  init(
    of daemon: borrowing Daemon, matching pattern: String?,
    kind: PointPage.Kind = .patchPoints
  ) throws(CommandError) {
    var all: PointPage?
    var first: Int? = 0
    while let from = first {
      let request = PointsRequest(
        pattern: pattern, from: from, kind: kind == .patchPoints ? nil : kind)
      let page = try daemon.send(request)
      if page.failure == nil, page.kind ?? .patchPoints != kind {
        throw CommandError(
          .refused,
          "\(daemon.title) does not know \(kind.words): its engine is of an older version",
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

extension PointPage.Kind {
  /// What one of them is called.
  var word: String {
    switch self {
    case .patchPoints: "patch point"
    case .closures: "closure"
    case .code: "function"
    }
  }

  var words: String { word + "s" }
}
