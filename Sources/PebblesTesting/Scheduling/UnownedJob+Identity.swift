extension UnownedJob {
  /// The identity of a job, as far as the job's description reveals it.
  enum Identity: Hashable, Sendable {
    /// A job of a task. The associated value is the number of the task, which is unique in the
    /// process.
    case task(UInt64)
    /// A job that belongs to no task and only makes a task ready to continue, such as the job of
    /// `Task.yield()`.
    case wakeUp
    /// A job whose description could not be parsed.
    case unknown
  }

  /// The identity of the job, parsed from its description. The description is `UnownedJob(id: 7)`
  /// for a job of task number 7. If the job has no task, the description contains `nil` instead of
  /// the number. Nothing else in the standard library shows which jobs belong to the same task.
  var identity: Identity {
    let digits = description.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(2).dropLast()
    if let number = UInt64(String(Substring(digits))) { return .task(number) }
    return digits.elementsEqual("nil".utf8) ? .wakeUp : .unknown
  }
}
