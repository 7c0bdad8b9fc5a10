import ArgumentParser
import Foundation
import Workloads

/// The root command. Its subcommands are `compare` itself, and the commands that `compare` runs in
/// child processes.
@main
struct Benchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", subcommands: [Compare.self, MemoryCommand.self],
    defaultSubcommand: Compare.self)
}

struct Compare: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Measures a pond beside its peers, and against the targets it has set itself.")

  @Option(help: "Also write all figures to this file, as JSON.")
  var json: String?

  @Option(help: "Also write the tables to this file, as Markdown.")
  var markdown: String?

  @Flag(help: "Two sizes, three rounds, nothing slow: for a look while working.")
  var quick = false

  @Option(help: "Only this shape; may be given more than once.")
  var only: [Shape] = []

  @Option(help: "How often everything is measured. The tables are of the last time.")
  var runs = 1

  @Flag(help: "Also write the tables into the texts where they stand.")
  var update = false

  func validate() throws {
    if runs < 1 { throw ValidationError("--runs needs a positive number.") }
    if update, !only.isEmpty { throw ValidationError("--update writes tables of all shapes.") }
  }

  func run() async throws {
    let plan = Plan(shapes: only.isEmpty ? Shape.allCases : only, isQuick: quick)
    var runs: [Results.Run] = []
    for number in 1...self.runs {
      if self.runs > 1 { tell("run \(number) of \(self.runs)") }
      var comparison = Comparison(plan: plan)
      let cases = try await comparison.run(progress: tell)
      let targets = try await Targets(plan: plan, cases: cases).measure(progress: tell)
      runs.append(Results.Run(cases: cases, targets: targets))
    }
    let results = Results(environment: Environment(), runs: runs)

    print(results.tables.map(\.text).joined(separator: "\n\n"))
    print("\n\(results.environment.description)")
    if let json { try write(results.encoded(), to: json) }
    if let markdown { try write(Data(results.markdown.utf8), to: markdown) }
    if update { try Readmes.update(results) }
  }

  /// Prints progress to standard error, so that the tables can be redirected.
  private func tell(_ progress: String) {
    FileHandle.standardError.write(Data("\(progress)\n".utf8))
  }

  private func write(_ data: Data, to path: String) throws {
    do {
      try data.write(to: URL(filePath: path))
    } catch {
      throw ValidationError("Cannot write \(path): \(error.localizedDescription)")
    }
  }
}
