// SPDX-License-Identifier: MIT

/// Where the facts about an image are, and when they are believed.
///
/// They decide how functions are called, so a wrong one is as dangerous as a wrong program: only root
/// and this process's user can have written the file, as with all of the configuration, and it must
/// name the image's build id.
package enum FactsFile {
  /// The text after the name of an image.
  static let suffix = ".waxwing-facts"

  /// The file beside an image.
  package static func beside(_ image: String) -> String { image + suffix }

  /// All places, the operator's first.
  static func places(of image: String, build: String) -> [String] {
    ["\(ConfigurationFolder.path)/facts/\(build).json", beside(image)]
  }

  /// The first facts that are to be believed. Nil: there are none.
  /// - Parameter ignored: Hears of each file that is there and is not believed, and why.
  package static func read(
    of image: String, build: String, ignored: (_ file: String, _ reason: String) -> Void
  ) -> FunctionFacts? {
    for place in places(of: image, build: build) {
      do throws(FunctionFacts.Fault) {
        if let facts = try read(place, build: build) { return facts }
      } catch {
        ignored(place, error.reason)
      }
    }
    return nil
  }

  /// Nil: there is no such file.
  static func read(_ path: String, build: String) throws(FunctionFacts.Fault) -> FunctionFacts? {
    let bytes: [UInt8]
    do throws(TrustedFile.Problem) {
      bytes = try TrustedFile.read(path, limit: FunctionFacts.sizeLimit)
    } catch {
      switch error {
      case .missing: return nil
      case .unsafe(let reason), .unreadable(let reason):
        throw FunctionFacts.Fault(reason: reason)
      }
    }
    let facts = try FunctionFacts(bytes)
    guard facts.build == build else {
      throw FunctionFacts.Fault(
        reason:
          "it is for build \(facts.build.prefix(64)) of \(facts.program.prefix(64)), and this "
          + "is \(build)")
    }
    return facts
  }
}
