import Foundation
import Testing

/// Tests that the public interface is the one recorded in the folder `.interface`. The files
/// contain the declarations on Linux, in the spelling of one version of the compiler, so the tests
/// are limited to these.
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
@Suite(
  .enabled(
    if: PublicInterface.extractor != nil,
    "takes swift-symbolgraph-extract, which is in the folder of the toolchain's swift"))
struct InterfaceTests {
  /// The requested update of the files: `INTERFACE=renew` rewrites them, and `INTERFACE=release`
  /// also makes the current declarations those of the last release.
  private static let wish = ProcessInfo.processInfo.environment["INTERFACE"]

  @Test(arguments: PublicInterface.modules)
  func thePublicInterfaceIsTheOneThatIsKept(module: String) throws {
    let extractor = try #require(PublicInterface.extractor)
    let file = Repository.interfaceFile(of: module)
    let now = try PublicInterface.declarations(of: module, by: extractor)
    var kept = InterfaceRecord(text: try String(contentsOf: file, encoding: .utf8))

    switch Self.wish {
    case "renew": kept = kept.renewed(for: now)
    case "release": kept = InterfaceRecord(released: now)
    default: break
    }
    if Self.wish != nil { try kept.text.write(to: file, atomically: true, encoding: .utf8) }

    let changes =
      now.subtracting(kept.present).sorted().map { "+ \($0)" }
      + kept.present.subtracting(now).sorted().map { "- \($0)" }
    #expect(
      changes.isEmpty,
      """
      the public interface of \(module) has changed. If that is meant, run \
      INTERFACE=renew swift test --filter InterfaceTests, and commit \(file.lastPathComponent):
      \(changes.joined(separator: "\n"))
      """)
  }

  @Test func whatWasReleasedIsRemovedOnlyWithAWord() throws {
    let removed = try PublicInterface.modules.flatMap { module in
      InterfaceRecord(
        text: try String(contentsOf: Repository.interfaceFile(of: module), encoding: .utf8)
      ).removed
    }
    let unreleased = try Repository.changes(under: "Unreleased")

    #expect(
      removed.isEmpty || unreleased.localizedCaseInsensitiveContains("breaking"),
      """
      declarations of the last release are gone or changed, and CHANGELOG.md says nothing of \
      it under Unreleased; begin an entry there with *Breaking*:
      \(removed.joined(separator: "\n"))
      """)
  }
}
#endif
