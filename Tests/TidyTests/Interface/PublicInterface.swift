import Foundation
import PebblesTestSupport

/// A namespace for reading the public declarations of the modules of this package, as described by
/// the compiler.
enum PublicInterface {
  static let modules = [
    "Pebbles", "PebblesAnalysis", "PebblesDurable", "PebblesPictures", "PebblesTesting",
  ]

  /// The path of the program that extracts the declarations; `nil` if it is missing. It is part of
  /// the toolchain, and can read the modules built by that toolchain.
  static let extractor = ProgramRun.path(of: "swift-symbolgraph-extract")

  /// Returns the declarations of a module that was built together with the tests.
  ///
  /// - Throws: `ExtractionError` if the extraction fails, or an error if its result cannot be read.
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
