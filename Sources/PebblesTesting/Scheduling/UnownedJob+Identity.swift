extension UnownedJob {
  /// What a job is, as far as its description tells.
  enum Identity: Hashable, Sendable {
    /// A part of the task of this number, which no other task of the process has.
    case task(UInt64)
    /// All it does is to make its task ready, as that of `Task.yield()` does.
    case wakeUp
    /// Not known.
    case unknown
  }

  /// The standard library tells the number of a task, which is all that can be told between one job
  /// and another, in the description only: `UnownedJob(id: 7)`, with `nil` for no task.
  var identity: Identity {
    let digits = description.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(2).dropLast()
    if let number = UInt64(String(Substring(digits))) { return .task(number) }
    return digits.elementsEqual("nil".utf8) ? .wakeUp : .unknown
  }
}
