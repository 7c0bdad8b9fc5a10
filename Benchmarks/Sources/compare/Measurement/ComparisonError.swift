import PondDefinition
import Workloads

/// The error of a failed measurement. Either a contestant did not do the given work, so that the
/// measured time is meaningless, or the process that measures memory failed.
enum ComparisonError: Error, CustomStringConvertible {
  case wrongCount(String, Shape, executed: Int)
  case wrongReport(Shape, OutcomeCounts, executed: Int)
  case childFailed(String)

  var description: String {
    switch self {
    case .wrongCount(let contestant, let shape, let executed):
      "\(contestant) ran \(executed) bodies of \(shape.rawValue), which is not what the graph says."
    case .wrongReport(let shape, let counts, let executed):
      "The report of \(shape.rawValue) says \(counts), but \(executed) bodies ran."
    case .childFailed(let reason):
      "The process that measures memory failed: \(reason)"
    }
  }
}
