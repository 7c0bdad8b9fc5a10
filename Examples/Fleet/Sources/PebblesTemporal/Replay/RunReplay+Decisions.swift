import Pebbles
import PebblesDurable
import TemporalWire

extension RunReplay {
  /// Returns the decisions to take now.
  func decisions() -> [Decision] {
    let room = max(0, max(0, settings.mostPending) - pending.count)
    var decisions: [Decision] = []
    if !isInputRecorded { decisions.append(.recordInput(RunInput(model, settings, given))) }
    if scheduler.isFinished {
      guard let teardown, !teardown.schedule.isFinished else { return decisions + [.end(ending)] }
      return decisions + teardown.schedule.ready.prefix(room).map { .schedule(call(undoing: $0)) }
    }
    if case .wanted(let limit) = deadline {
      // Measured from the start of the run, even if a worker came late.
      decisions.append(.startDeadline(max(limit - now, .milliseconds(1))))
    }
    decisions += scheduler.ready.prefix(room).map { .schedule(body(of: $0)) }
    if scheduler.cancellation != nil {
      for (event, body) in pending.sorted(by: { $0.key < $1.key }) where !body.isCancelRequested {
        decisions.append(.cancel(scheduledBy: event))
      }
    }
    return decisions
  }

  private func body(of pebble: Int) -> ScheduledBody {
    let outcomes = scheduler.inputs(of: pebble).compactMap { input in
      scheduler.outcome(of: input).map { (names[input], $0) }
    }
    var (manifest, outputs) = BodyManifest.make(outcomes) { name in
      positions[name].flatMap { self.outputs[$0] }
    }
    manifest.run = run.description
    manifest.ask(for: model.cases(at: pebble))
    return ScheduledBody(
      pebble: names[pebble], summary: "\(model.condition(at: pebble))", manifest: manifest,
      outputs: outputs, timeout: model.timeout(at: pebble),
      heartbeat: .milliseconds(settings.heartbeat), priority: model.priority(at: pebble),
      isCalledAgain: !settings.failingOnLoss.contains(names[pebble]))
  }

  /// Returns the call to a teardown, with the output of its pebble. Like a teardown in a single
  /// process, the call has no timeout.
  private func call(undoing pebble: Int) -> ScheduledBody {
    let output = outputs[pebble]
    var manifest = BodyManifest.teardown(
      of: .init(pebble: names[pebble], output: output == nil ? nil : 0))
    manifest.run = run.description
    return ScheduledBody(
      pebble: names[pebble], summary: "the run was cancelled", manifest: manifest,
      outputs: output.map { [$0] } ?? [], timeout: nil,
      heartbeat: .milliseconds(settings.heartbeat), priority: model.priority(at: pebble),
      isCalledAgain: !settings.failingOnLoss.contains(names[pebble]))
  }
}
