import CAllocationCount
import Pebbles
import PondDefinition
import Workloads

/// A program that prints the number of heap allocations per pebble, as a Markdown table.
@main
enum Allocations {
  static func main() async throws {
    guard allocation_count() >= 0 else {
      print("Allocations can only be counted with glibc.")
      return
    }
    print("| shape | define | run | report | allocations per pebble |")
    print("|---|---:|---:|---:|---:|")
    for shape in Shape.allCases where shape.isScalable {
      try await printRow(for: Workload(shape, size: 100_000))
    }
  }

  private static func printRow(for workload: Workload) async throws {
    let tally = Tally()
    var counts = [allocation_count()]
    let pond = definePond(workload, tally: tally)
    counts.append(allocation_count())
    let report = try await pond.run()
    counts.append(allocation_count())
    let outcomes = OutcomeCounts(reading: report)
    counts.append(allocation_count())
    precondition(outcomes == OutcomeCounts(expectedOf: workload), "the report is wrong")

    let perPebble = zip(counts.dropFirst(), counts).map { after, before in
      Double(after - before) / Double(workload.count)
    }
    let cells = (perPebble + [perPebble.reduce(0, +)]).map(twoDecimals)
    print("| \(workload.shape.rawValue) | \(cells.joined(separator: " | ")) |")
  }

  private static func twoDecimals(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
