import Foundation
import PebblesTestSupport

/// The public declarations of this package's modules, as the compiler describes them.
enum PublicInterface {
  static let modules = [
    "Pebbles", "PebblesAnalysis", "PebblesDurable", "PebblesPictures", "PebblesTesting",
  ]

  /// The program that does it is a part of the toolchain, and knows the modules of that one.
  static let extractor = ProgramRun.path(of: "swift-symbolgraph-extract")

  /// Asks the compiler for the declarations of a module, which is built beside the tests.
  ///
  /// - Throws: `ExtractionError` if the compiler refuses; else what reading its answer throws.
  static func declarations(of module: String, by extractor: String) throws -> Set<String> {
    let folder = try TemporaryFolder()
    let run = try ProgramRun(
      of: URL(filePath: extractor),
      [
        "-module-name", module, "-I", ProgramRun.executable("Modules").path, "-target", target,
        "-minimum-access-level", "public", "-output-dir", folder.path,
      ])
    guard run.status == 0 else { throw ExtractionError(description: run.error) }
    let graphs = try folder.names.map { name in
      try JSONDecoder().decode(
        SymbolGraph.self, from: Data(contentsOf: URL(filePath: folder.file(name))))
    }
    return Set(graphs.flatMap(\.declarations))
  }

  struct ExtractionError: Error, CustomStringConvertible {
    let description: String
  }

  #if arch(arm64)
  private static let target = "aarch64-unknown-linux-gnu"
  #else
  private static let target = "x86_64-unknown-linux-gnu"
  #endif
}
