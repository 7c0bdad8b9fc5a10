import PebblesAnalysis
import Testing

/// Tests of well-formed documents of runs that cannot have happened.
@Suite struct RunFaultTests {
  @Test func theDocumentItselfIsRight() throws {
    let run = try RecordedRun(json: document)

    #expect(run.pebbles.map(\.name) == ["load", "ping", "show", "wait"])
    #expect(run.pebbles[1].attempts.count == 2)
    #expect(run.pebbles[3].outcome == .skipped(.stalled(waitingOn: ["wait"])))
  }

  @Test(arguments: faults)
  func whatCannotHaveHappenedIsAnErrorAtItsPlace(
    _ old: String, _ new: String, _ line: Int, _ problem: String
  ) {
    let text = document.replacing(old, with: new)
    #expect(text != document)

    let error = #expect(throws: JSONError.self) { try RecordedRun(json: text) }

    #expect(error?.line == line, "\(error?.description ?? "")")
    #expect(error?.problem.contains(problem) == true, "\(error?.description ?? "")")
  }
}

private let document = """
  {"format": "pond run", "version": 1, "makespan": 90,
  "pond": {"format": "pond", "version": 1, "name": "boot", "onFailure": "ignore",
  "conditions": [{"not": true}, {"label": "offline", "of": {"pebble": 1, "is": ["failed"]}}],
  "pebbles": [{"name": "load"}, {"name": "ping"}, {"name": "show", "when": 1},
  {"name": "wait", "when": {"pebble": 3, "is": ["succeeded"]}}], "clusters": []},
  "pebbles": [
  {"name": "load", "outcome": "succeeded", "ready": 0, "started": 1, "finished": 10},
  {"name": "ping", "outcome": "failed", "error": "no", "ready": 0, "started": 2, "finished": 50,
  "attempts": [{"started": 2, "finished": 3, "error": "e"}, {"started": 4, "finished": 50}]},
  {"name": "show", "outcome": "skipped", "reason": "conditionFalse", "finished": 9, "decidedBy": 1},
  {"name": "wait", "outcome": "skipped", "reason": "stalled", "waitingOn": [3], "finished": 90}],
  "nested": []}
  """

private typealias Fault = (old: String, new: String, line: Int, problem: String)

private let faults = simpleFaults + serviceFaults + shutdownFaults

private let simpleFaults: [Fault] = [
  ("\"pond run\"", "\"pond\"", 1, "should be \"pond run\""),
  ("1, \"makespan\"", "3, \"makespan\"", 1, "the newest known here"),
  ("\"makespan\": 90", "\"makespan\": -1", 1, "should be from 0"),
  ("\"makespan\": 90", "\"makespan\": 80", 11, "after the end of the run"),
  ("\"makespan\": 90,", "", 1, "has no \"makespan\""),
  ("\"name\": \"load\", \"outcome\"", "\"name\": \"ping\", \"outcome\"", 7, "is called"),
  ("\"succeeded\", \"ready\"", "\"done\", \"ready\"", 7, "should be \"succeeded\", \"failed\""),
  ("\"ready\": 0, \"started\": 1", "\"ready\": 5, \"started\": 1", 7, "before it was ready"),
  ("\"ready\": 0, \"started\": 1, ", "", 7, "time at which it became ready"),
  ("\"finished\": 10", "\"finished\": 0", 7, "before it started"),
  ("\"finished\": 10", "\"finished\": 18446744073709551616", 7, "should be from 0"),
  ("\"finished\": 10", "\"finished\": 10, \"error\": \"no\"", 7, "has no \"error\""),
  ("\"finished\": 10", "\"finished\": 10, \"waitingOn\": []", 7, "only a pebble that stalled"),
  ("\"error\": \"no\", ", "", 8, "has no \"error\""),
  ("\"finished\": 3,", "\"finished\": 1,", 8, "finished before it started"),
  ("\"finished\": 3,", "\"finished\": 51,", 8, "outside its start and finish"),
  ("\"decidedBy\": 1", "\"decidedBy\": 4", 10, "no pebble at position 4"),
  ("\"decidedBy\": 1", "\"decidedBy\": 2", 10, "by itself"),
  ("\"decidedBy\": 1", "\"decidedBy\": 1, \"blocked\": 1", 10, "should be true or false"),
  ("\"conditionFalse\"", "\"bored\"", 10, "should be \"conditionFalse\""),
  ("\"waitingOn\": [3]", "\"waitingOn\": [4]", 11, "no pebble at position 4"),
  ("\"waitingOn\": [3], ", "", 11, "has no \"waitingOn\""),
  ("\"nested\": []", "\"nested\": [{\"pebble\": 4}]", 12, "no pebble at position 4"),
  ("\"nested\": []", "\"nested\": [{\"pebble\": 3}]", 12, "has no \"run\""),
  ("\"nested\": []", "\"nested\": {}", 12, "should be a list"),
  ("{\"name\": \"ping\"}, ", "", 5, "no pebble at position 3"),
  ("\"finished\": 90}]", "\"finished\": 90}, {}]", 11, "more pebbles than its pond"),
  (", \"outcome\": \"succeeded\"", "", 7, "has no \"outcome\""),
  ("\"nested\": []", "\"nested\": [], \"unended\": [{\"pebble\": 4}]", 12, "no pebble at position"),
  ("\"nested\": []", "\"nested\": [], \"unended\": [{\"pebble\": 2}]", 12, "had not ended"),
  ("\"nested\": []", "\"nested\": [], \"cancellation\": \"no\"", 12, "should be an object"),
  ("\"nested\": []", "\"nested\": [], \"cancellation\": {}", 12, "has no \"reason\""),
  ("\"finished\": 10", "\"finished\": 10, \"cancelled\": true", 7, "did not fail"),
  ("\"error\": \"no\"", "\"error\": \"no\", \"cancelled\": true", 8, "which was not cancelled"),
  (
    "\"error\": \"no\"", "\"error\": \"no\", \"service\": {\"restarts\": []}", 8,
    "went on as a service"
  ),
  (
    "\"finished\": 10", "\"finished\": 10, \"service\": {\"down\": true}", 7, "is down as a service"
  ),
]

private let serviceFaults: [Fault] = [
  ("{\"end\": {\"time\": 9, \"asked\": true}, \"down\": true}", "has no unasked end"),
  ("{\"restarts\": [{\"time\": 9, \"attempt\": 2}], \"restartCount\": 0}", "should be from 1"),
].map { ("\"finished\": 10", "\"finished\": 10, \"service\": \($0)", 7, $1) }

private let shutdownFaults: [Fault] = [
  ("{\"pebble\": 9, \"finished\": 1}", 12, "no pebble at position 9"),
  ("{\"pebble\": 1, \"finished\": 6}", 8, "after the end of the shutdown"),
].map { teardowns, line, problem in
  let shutdown = "{\"duration\": 5, \"teardowns\": [\(teardowns)]}"
  return ("\"nested\": []", "\"nested\": [], \"shutdown\": \(shutdown)", line, problem)
}
