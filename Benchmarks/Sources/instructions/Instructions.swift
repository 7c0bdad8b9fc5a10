import Dispatch
import Pebbles
import PondDefinition
import Synchronization
import Workloads

/// A program that defines and runs a pond, and reads the report. The script `check-instructions`
/// counts the instructions that the program executes.
///
/// With `--without-pond`, the program skips these steps, so the difference between the counts with
/// and without the option is due to the library. With `--cases`, a pebble that waits for exactly
/// one other pebble waits for a case of that pebble.
///
/// The main thread waits on a semaphore while a task does the work: with an asynchronous `main`,
/// valgrind 3.19 crashes when the program exits.
@main
enum Instructions {
  /// Objects that must not be released before the program exits. Otherwise, they would be released
  /// while the program ends, and the number of counted instructions would vary.
  private static let kept = Mutex<[any Sendable]>([])

  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let isWithoutPond = arguments.last == "--without-pond"
    if isWithoutPond { arguments.removeLast() }
    let hasCases = arguments.last == "--cases"
    if hasCases { arguments.removeLast() }
    guard arguments.count == 2,
      let shape = Shape(rawValue: arguments[0]), shape.isScalable,
      let size = Int(arguments[1]), size > 0
    else {
      let shapes = Shape.allCases.filter(\.isScalable).map(\.rawValue).joined(separator: "|")
      print("Usage: instructions \(shapes) PEBBLES [--cases] [--without-pond]")
      return
    }

    let workload = Workload(shape, size: size)
    keep(workload)
    let expected = OutcomeCounts(expectedOf: workload)
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      if !isWithoutPond {
        let outcomes = await run(workload, cases: hasCases)
        precondition(outcomes == expected, "the report is wrong")
      }
      isDone.signal()
    }
    isDone.wait()
  }

  private static func run(_ workload: Workload, cases: Bool) async -> OutcomeCounts {
    do {
      let pond = definePond(workload, tally: Tally(), cases: cases)
      keep(pond)
      let report = try await pond.run()
      keep(report)
      return OutcomeCounts(reading: report)
    } catch {
      preconditionFailure("The workload is defined wrongly: \(error)")
    }
  }

  private static func keep(_ value: some Sendable) {
    kept.withLock { $0.append(value) }
  }
}
