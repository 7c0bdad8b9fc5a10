import PebblesAnalysis

@testable import pond

extension Session {
  /// Creates a session whose files have the given contents.
  init(
    _ files: [String: [UInt8]], environment: [String: String] = [:], isTerminal: Bool = false,
    columns: Int? = nil
  ) {
    self.init(
      environment: Environment(
        variables: environment, isTerminal: isTerminal, columns: columns
      ) { path, most throws(Problem) in
        guard let bytes = files[path] else { throw Problem("cannot read '\(path)'") }
        return Array(bytes.prefix(most(bytes) + 1))
      })
  }

  /// Returns a session whose files are the samples.
  static func withSamples() throws -> Session {
    Session([
      "run.json": try Samples.run().jsonBytes(),
      "slow.json": try Samples.run(.milliseconds(30)).jsonBytes(),
      "well.json": try Samples.run(failing: false).jsonBytes(),
      "boot.json": Array(Samples.publishedBoot.utf8),
      "-": try Samples.run().model.jsonBytes(),
    ])
  }

  /// Runs a command line, whose words are separated by spaces.
  func run(_ line: String) -> Result { run(line.split(separator: " ").map(String.init)) }
}
