/// An error thrown when a pond is defined incorrectly or cannot meet a request. The error lists all
/// faults that were found, not only the first.
public struct PondError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// The faults of the pond, followed by those of its pebbles in definition order, and then by
  /// those of the request. The array is never empty.
  public let faults: [Fault]

  package init(pondName: String, faults: [Fault]) {
    self.pondName = pondName
    self.faults = faults
  }

  /// The request that cannot be met, followed by the first hundred faults, one per line. Long names
  /// and faults are truncated.
  public var description: String {
    let heading = "\(subject) \(pondName.shortLiteral) cannot \(request):"
    return ([heading] + faults.lines { "  - \("\($0)".truncated(to: 1_000))" })
      .joined(separator: "\n")
  }

  private var subject: String {
    faults.allSatisfy { $0.blockedRequest == .waiting } ? "the run of the pond" : "the pond"
  }

  /// The name of the request that fails because of the faults. If the faults belong to different
  /// requests, the name is "run".
  private var request: String {
    let blocked = Set(faults.map(\.blockedRequest))
    switch blocked.count == 1 ? blocked.first : nil {
    case .waiting: return "be waited for here"
    case .shutdown: return "be shut down like this"
    case .signals: return "run until a signal"
    case .running, nil: return "run"
    }
  }
}
