import Dispatch
import Pebbles
import PondDefinition
import Workloads

/// Defines, runs and reads one pond, for `check-instructions` to count the instructions of.
///
/// With `--without-pond` it does everything else, so that the difference is the library's alone.
///
/// The main thread waits on a semaphore while a task does the work: with an asynchronous `main`,
/// valgrind 3.19 crashes when the program exits.
@main
enum Instructions {
  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let isWithoutPond = arguments.last == "--without-pond"
    if isWithoutPond { arguments.removeLast() }
    guard arguments.count == 2,
      let shape = Shape(rawValue: arguments[0]), shape.isScalable,
      let size = Int(arguments[1]), size > 0
    else {
      let shapes = Shape.allCases.filter(\.isScalable).map(\.rawValue).joined(separator: "|")
      print("Usage: instructions \(shapes) PEBBLES [--without-pond]")
      return
    }

    let workload = Workload(shape, size: size)
    let expected = OutcomeCounts(expectedOf: workload)
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      if !isWithoutPond {
        let outcomes = await run(workload)
        precondition(outcomes == expected, "the report is wrong")
      }
      isDone.signal()
    }
    isDone.wait()
  }

  private static func run(_ workload: Workload) async -> OutcomeCounts {
    do {
      let report = try await definePond(workload, tally: Tally()).run()
      return OutcomeCounts(reading: report)
    } catch {
      preconditionFailure("The workload is defined wrongly: \(error)")
    }
  }
}
