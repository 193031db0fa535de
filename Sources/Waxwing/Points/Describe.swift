// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import WaxwingBridge
import WaxwingControl
import WaxwingCore
import WaxwingReflection
import WaxwingSystem

/// Writes all patch points of this process, as JSON of a `PointPage`, to a pipe. Called before `main`.
///
/// Public, so that optimised builds export it: the tool finds it in the file, by its name.
@_cdecl("waxwing_describe")
public func waxwingDescribe(_ descriptor: CInt) {
  let encoder = JSONEncoder()
  guard let json = try? encoder.encode(PointPage.ofThisProcess) else { return }
  _ = signal(SIGPIPE, SIG_IGN)
  try? SystemCall.writeAll(Array(json)[...], to: descriptor)
}

extension PointPage {
  /// All patch points with the reason why they cannot be overridden. Policies are not known,
  /// because the program has not run.
  fileprivate static var ofThisProcess: PointPage {
    if let obstacle = Patchability.shared.abi {
      return PointPage(
        program: ProgramName.current, buildID: nil, points: [], failure: obstacle.text)
    }
    do throws(ElfError) {
      let program = try RunningProgram()
      guard program.hasRegisteredTypes else {
        return PointPage(
          program: program.name, buildID: program.buildID, points: [],
          failure:
            "the engine is in a library, whose constructor runs before Swift's runtime knows the types of "
            + "`\(program.name)`: list the points of the running program")
      }
      let kind = unsafe getenv(DescribeMode.kindVariable)
        .flatMap { unsafe PointPage.Kind(rawValue: String(cString: $0)) }
      let points =
        switch kind {
        case .closures: PointDescriber.closures(of: program).map { $0.checked(in: program) }
        case .code:
          PointDescriber.checked(PointDescriber.codePoints(of: program)[...], in: program)
        case .patchPoints, nil:
          PointDescriber.points(of: program).map { $0.checked(in: program) }
            + PointDescriber.unusable(in: program)
        }
      return PointPage(
        program: program.name, buildID: program.buildID,
        points: points.map { PointEntry($0, PointProtection()) },
        failure: Patchability.shared.failure?.text, kind: kind)
    } catch {
      return PointPage(
        program: ProgramName.current, buildID: nil, points: [], failure: error.message)
    }
  }
}
