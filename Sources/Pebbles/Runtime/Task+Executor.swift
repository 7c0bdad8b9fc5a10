extension Task where Failure == Never {
  /// Makes a task on an executor, or an ordinary one if there is none.
  ///
  /// Not simply with `executorPreference: nil`: such a task, in Swift 6.3, has the preference of
  /// having none, and looks for it at every `await`. Inlined, which saves one more call, of a
  /// closure around the operation, at the start of each task.
  @discardableResult
  @inline(__always)
  init(
    name: String? = nil, on executor: (any TaskExecutor)?,
    _ operation: sending @escaping () async -> Success
  ) {
    if let executor {
      self.init(name: name, executorPreference: executor, operation: operation)
    } else {
      self.init(name: name, operation: operation)
    }
  }
}

extension TaskExecutor {
  /// Calls `body` on this executor and waits for it, without occupying the executor meanwhile.
  ///
  /// `body` runs in a child task, which is cancelled with the caller. The obvious way, to call it
  /// in `withTaskExecutorPreference`, is not enough: nothing moves the task there and then, only
  /// the entry of an ordinary `nonisolated` function does. A function that stays where its caller
  /// is, `nonisolated(nonsending)`, would begin on the caller's thread and block that; to see this
  /// from the type is not possible, as one converts to the other, and the compiler (6.3) removes
  /// what looks like a needless hop in between. A task, however, is always *started* on the
  /// executor it prefers.
  ///
  /// A body isolated to an actor runs on that actor all the same, and blocks it if it blocks.
  ///
  /// If the task is cancelled before the executor has its turn for it, `body` is not called: it may
  /// have waited for long, and the caller no longer wants it.
  ///
  /// - Parameters:
  ///   - isAlwaysCalled: Whether `body` is called even then.
  ///   - body: What to call.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` threw, or `CancellationError` if it was not called.
  package func call<Output: Sendable>(
    always isAlwaysCalled: Bool = false,
    _ body: @escaping @Sendable () async throws -> Output
  ) async throws -> Output {
    try await withThrowingTaskGroup(of: Output.self) { group in
      group.addTask(executorPreference: self) {
        if !isAlwaysCalled { try Task.checkCancellation() }
        return try await body()
      }
      guard let output = try await group.next() else {
        preconditionFailure("a task of a group was lost")
      }
      return output
    }
  }

  /// Calls `body`, inside of which all runs are made whole on this executor, whatever their pebbles
  /// say, and nothing in them depends on real time.
  package func callWithRuns(_ body: () async -> Void) async {
    await RunOptions.$currentExecutor.withValue(self, operation: body)
  }
}
