import Fuzzing
import Pebbles
import PebblesAnalysis
import PebblesPictures

extension FuzzTarget {
  /// The target for runs in JSON.
  static let runs = FuzzTarget("runs") { bytes in
    do throws(JSONError) {
      let run = try RecordedRun(json: bytes)
      expect(run.fault == nil, "a run was read that cannot have been: \(run.fault as Any)")
      expectReadsBack(run)
      ask(run)
    } catch {
      expectPlace(error, in: bytes)
    }
  }

  /// Expects that a run is the same after it has been written and read, and is written in the same
  /// way again.
  static func expectReadsBack(_ run: RecordedRun) {
    let written = run.jsonBytes()
    do throws(JSONError) {
      let copy = try RecordedRun(json: written)
      expect(copy.jsonBytes() == written, "a run is not written as it was read")
      expectAlike(copy, run)
    } catch {
      fail("a run was written that is refused: \(error)")
    }
  }

  static func expectAlike(_ copy: RecordedRun, _ run: RecordedRun) {
    expect(copy.model.jsonBytes() == run.model.jsonBytes(), "another pond")
    expect(copy.pebbles == run.pebbles, "other pebbles")
    expect(copy.makespan == run.makespan, "another makespan")
    expect(copy.cancellation == run.cancellation, "another cancellation")
    expect(copy.shutdown == run.shutdown, "another shutdown")
    expect(copy.origin == run.origin, "another origin")
    expect(copy.omittedNestedRuns == run.omittedNestedRuns, "another count of runs inside")
    expect(copy.deciders == run.deciders, "other deciders")
    expect(copy.nested.map(\.pebble) == run.nested.map(\.pebble), "other runs inside")
    for (copy, run) in zip(copy.nested, run.nested) { expectAlike(copy.run, run.run) }
  }

  /// Asks the questions that a user would ask next. Errors are valid answers, because a record can
  /// contradict itself.
  static func ask(_ run: RecordedRun) {
    guard run.pebbles.count <= 100 else { return }
    for position in run.pebbles.indices.prefix(8) {
      _ = try? run.why(at: position)?.description
    }
    if (try? run.timing()) != nil {
      let path = try? run.criticalPath()
      expect(path != nil, "there are times, and no longest chain")
      expect(path?.description.isEmpty == false, "no text")
    }
    if let comparison = try? run.compared(to: run) {
      expect(comparison.before.makespan == comparison.after.makespan, "compared to another run")
      for pebble in comparison.pebbles {
        expect(pebble.before == pebble.after, "compared to itself, \(pebble.name) is another")
      }
      _ = comparison.description
    }
    _ = try? run.whatIf([.workers(1)]).description
    _ = try? run.problems
    _ = try? run.dot(reasons: true)
    _ = try? run.mermaid()
    _ = run.timeline()
    _ = run.trace()
  }
}
