import Synchronization

/// The outputs that were lost with an earlier process and have to be produced again. Each output is
/// produced only once, on behalf of the first pebble that needs it.
final class MissingOutputs: Sendable {
  typealias Made = Promise<Result<Void, any Error>>

  private let made = Mutex<[Int: Made]>([:])

  /// Returns a promise for an output, and whether the caller must produce the output. The promise
  /// is fulfilled once the output has been produced or has turned out to be unavailable.
  func made(_ pebble: Int) -> (made: Made, isMine: Bool) {
    made.withLock { made in
      if let known = made[pebble] { return (known, false) }
      let new = Made()
      made[pebble] = new
      return (new, true)
    }
  }

  /// Waits until no output is being produced.
  func areMade() async {
    for output in made.withLock({ Array($0.values) }) { _ = await output.value() }
  }
}

extension RunCore {
  /// Produces a pebble's missing inputs, which were lost with an earlier process, by calling the
  /// bodies that return them. The calls count as part of the pebble that needs the inputs.
  ///
  /// - Parameter pebble: The pebble whose body is about to be called.
  /// - Returns: The error that prevents an input from being produced; `nil` if all inputs are now
  ///   available.
  func makeMissingInputs(of pebble: Int) async -> (any Error)? {
    for input in missingInputs(of: pebble) {
      if let error = await make(input) { return error }
    }
    return nil
  }

  /// Returns whether a pebble has missing inputs.
  func lacksInputs(of pebble: Int) -> Bool { !missingInputs(of: pebble).isEmpty }

  private func missingInputs(of pebble: Int) -> [Int] {
    guard recording?.progress != nil, program.pond.graph.hasInputs(pebble) else { return [] }
    return program.pond.graph.pebblesRead(by: pebble).filter {
      program.options[UInt32($0)]?.isService != true && storage.values.isMissing($0)
    }
  }

  private func make(_ pebble: Int) async -> (any Error)? {
    let (made, isMine) = missingOutputs.made(pebble)
    if isMine {
      // In a task of the crew, which is cancelled with the run. The task of a supervisor is not.
      crew.enlist(self) { [self] _, _ in
        let result = await PebbleAttempts(self, pebble).resultWithThread()
        if case .success(let output) = result {
          storage.values.keepLatestOutput(output, of: pebble)
          await recording?.journal.outputRestored(output, of: pebble, at: clock.now())
        }
        made.fulfill(result.map { _ in })
      }
    }
    // When the run is cancelled, the body is cancelled too. If it goes on, a shutdown gives it up.
    return await made.value().failure
  }
}
