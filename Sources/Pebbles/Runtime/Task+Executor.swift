extension Task where Failure == Never {
  /// Creates a task on an executor, or an ordinary task if the executor is `nil`.
  ///
  /// Passing `nil` as `executorPreference` would not have the same effect: in Swift 6.3, the task
  /// would explicitly prefer no executor, and look up this preference at every `await`. The
  /// initializer is inlined, because otherwise each task would begin by calling an extra closure
  /// around the operation.
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
  /// Calls `body` on this executor and waits until it returns, without blocking the thread of the
  /// caller.
  ///
  /// `body` runs in a child task, which is cancelled with the caller. Calling `body` in
  /// `withTaskExecutorPreference` would not be enough, because that function does not move the task
  /// immediately. The task moves only when it enters an ordinary `nonisolated` function. A
  /// `nonisolated(nonsending)` function, which stays on its caller's executor, would begin on the
  /// caller's thread and block it. The type of `body` does not reveal the difference, because each
  /// kind of function converts to the other. The compiler (6.3) also removes an intermediate hop
  /// that seems unnecessary. However, a task always *starts* on its preferred executor.
  ///
  /// A body that is isolated to an actor still runs on that actor. If such a body blocks, it blocks
  /// the actor.
  ///
  /// If the task is cancelled before the executor starts it, `body` is not called, unless
  /// `isAlwaysCalled` is `true`. The caller of a cancelled task no longer needs the result.
  ///
  /// - Parameters:
  ///   - isAlwaysCalled: Whether `body` is called even if the task is cancelled first.
  ///   - body: The function to call.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or `CancellationError` if `body` was not called.
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

  /// Calls `body`, and uses this executor for everything in the runs that `body` starts, regardless
  /// of their pebbles' traits. Nothing in these runs then depends on real time.
  package func callWithRuns(_ body: () async -> Void) async {
    await RunOptions.$currentExecutor.withValue(self, operation: body)
  }
}
