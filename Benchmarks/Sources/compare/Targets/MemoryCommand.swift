import ArgumentParser
import Pebbles
import PondDefinition
import Workloads

/// A command that `compare` runs in a child process. It defines and runs a pond, reads the report,
/// and prints the growth of the peak resident memory, in bytes per pebble.
struct MemoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "memory", shouldDisplay: false)

  @Argument var shape: Shape
  @Argument var size: Int

  func run() async throws {
    let workload = Workload(shape, size: size)
    let before = try ResidentMemory.resetPeak()
    let pond = definePond(workload, tally: Tally())
    let report = try await pond.run()
    let counts = OutcomeCounts(reading: report)
    let peak = try ResidentMemory.peak()

    withExtendedLifetime((workload, pond, report)) {}
    guard counts == OutcomeCounts(expectedOf: workload) else {
      throw ComparisonError.wrongReport(shape, counts, executed: 0)
    }
    print(Double(peak - before) / Double(workload.count))
  }
}

extension Shape: ExpressibleByArgument {}
