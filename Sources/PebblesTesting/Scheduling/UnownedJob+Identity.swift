extension UnownedJob {
  /// The identity of a job, as far as it can be told from the job's description.
  enum Identity: Hashable, Sendable {
    /// A part of a task, with the number of the task. The number is unique in the process.
    case task(UInt64)
    /// A job that only makes its task ready, such as the job of `Task.yield()`.
    case wakeUp
    /// An unknown job.
    case unknown
  }

  /// The identity of the job, parsed from its description, such as `UnownedJob(id: 7)`; the number
  /// is `nil` if the job has no task. The standard library shows the number of a task nowhere else,
  /// and jobs can be told apart only by this number.
  var identity: Identity {
    let digits = description.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(2).dropLast()
    if let number = UInt64(String(Substring(digits))) { return .task(number) }
    return digits.elementsEqual("nil".utf8) ? .wakeUp : .unknown
  }
}
