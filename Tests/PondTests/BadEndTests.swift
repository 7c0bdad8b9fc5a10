import Testing

@testable import pond

/// Tests of runs that did not end well for reasons other than unhandled failures.
@Suite struct BadEndTests {
  @Test func whateverElseEndedBadlyIsFound() throws {
    let pond = """
      "pond": {"format": "pond", "version": 1, "name": "p", "onFailure": "ignore",
        "conditions": [], "clusters": [], "pebbles": [{"name": "web", "service": true}]},
      """
    let run = """
      {"format": "pond run", "version": 1, "makespan": 5, \(pond)
       "cancellation": {"reason": "its deadline passed"},
       "pebbles": [{"name": "web", "outcome": "succeeded", "ready": 0, "started": 0,
         "finished": 5, "service": {"end": {"time": 3000000, "error": "no memory"}, "down": true,
         "restarts": [{"time": 9, "attempt": 2}]}, "lateTeardownErrors": ["busy"]}],
       "shutdown": {"duration": 9, "teardowns": [{"pebble": 0, "finished": 9, "error": "locked"}]},
       "nested": []}
      """
    let session = Session(["run.json": Array(run.utf8)])

    let result = session.run("check run.json")

    #expect(
      result.output == """
        not as it should be
          ✗ the run was cancelled: its deadline passed
          ✗ web: it ended at 3.00 ms without having been asked to: no memory
          ✗ web: an output that came late could not be torn down: busy
          ✗ web: it could not be torn down: locked

        """)
    #expect(result.status == 1)
    let summary = session.run("show run.json").output
    #expect(summary.hasPrefix("p: ✓ 1 succeeded in 5 ns, 1 service down\n"))
    #expect(summary.contains("called again once\n"))
    #expect(
      summary.contains(
        """
        ✗ went wrong afterwards
          web: it ended at 3.00 ms without having been asked to: no memory
          web: an output that came late could not be torn down: busy
          web: it could not be torn down: locked

        """))
    let json = session.run("show run.json --json").output
    #expect(json.contains("\"exitCode\": 1"))
    #expect(json.contains("\"web: it could not be torn down: locked\""))
    #expect(session.run("why run.json web").output.contains("afterwards it could not be torn"))
    let timeline = session.run("draw run.json --as svg").output
    #expect(timeline.contains("it ended at 3.00 ms without having been asked to: no memory"))
  }

  @Test func whatShutARunDownIsSaid() throws {
    let pond = """
      "pond": {"format": "pond", "version": 1, "name": "p", "onFailure": "ignore",
        "conditions": [], "clusters": [], "pebbles": [
          {"name": "load"},
          {"name": "web", "service": true, "when": {"pebble": 0, "is": ["failed"]}}]},
      """
    let run = """
      {"format": "pond run", "version": 1, "makespan": 5, \(pond)
       "pebbles": [
        {"name": "load", "outcome": "failed", "error": "no route", "ready": 0, "started": 0,
         "finished": 5},
        {"name": "web", "outcome": "succeeded", "ready": 5, "started": 5, "finished": 5,
         "decidedBy": 0, "service": {"end": {"time": 2500000005, "asked": true}}}],
       "shutdown": {"reason": "the process got SIGTERM", "started": 2000000000, "duration": 9,
         "teardowns": []}, "nested": []}
      """
    let session = Session(["run.json": Array(run.utf8)])

    let summary = session.run("show run.json").output

    #expect(
      summary.hasPrefix(
        """
        p: ✗ 1 failed, ✓ 1 succeeded in 5 ns
        shut down after 2.00 s: the process got SIGTERM

        """), "\(summary)")
    #expect(summary.contains("no route; handled\n"), "\(summary)")
    #expect(summary.contains("up for 2.50 s\n"), "\(summary)")
    let json = session.run("show run.json --json").output
    #expect(json.contains("\"shutdownReason\": \"the process got SIGTERM\""))
    let again = run.replacing(
      "\"asked\": true}",
      with: "\"asked\": true}, \"restarts\": [{\"time\": 2500000006, \"attempt\": 2}]")
    let upAgain = Session(["run.json": Array(again.utf8)]).run("show run.json").output
    #expect(upAgain.contains("called again once") && !upAgain.contains("up for"), "\(upAgain)")
    let early = run.replacing("\"started\": 2000000000", with: "\"started\": -1")
    let refused = Session(["run.json": Array(early.utf8)]).run("show run.json")
    #expect(refused.status != 0)
  }

  @Test func whatWentWrongAfterwardsAndNotBeforeIsARegression() throws {
    let run = { (service: String) in
      Array(
        """
        {"format": "pond run", "version": 1, "makespan": 5, "pond": {"format": "pond",
          "version": 1, "name": "p", "onFailure": "ignore", "conditions": [], "clusters": [],
          "pebbles": [{"name": "web", "service": true}]},
         "pebbles": [{"name": "web", "outcome": "succeeded", "ready": 0, "started": 0,
           "finished": 5\(service)}], "nested": []}
        """.utf8)
    }
    let down = run(
      ", \"service\": {\"end\": {\"time\": 3000000, \"error\": \"\"}, \"down\": true}")
    let session = Session(["good": run(""), "down": down])

    let result = session.run("compare good down")

    #expect(
      result.output.contains(
        """
        newly went wrong afterwards
          web: it ended at 3.00 ms without having been asked to

        """))
    #expect(result.status == 1)
    #expect(session.run("compare down down").status == 0)
    let failed = """
      {"format": "pond run", "version": 1, "makespan": 5, "pond": {"format": "pond",
        "version": 1, "name": "p", "onFailure": "ignore", "conditions": [], "clusters": [],
        "pebbles": [{"name": "web", "service": true}]},
       "pebbles": [{"name": "web", "outcome": "failed", "error": "no", "ready": 0, "started": 0,
         "finished": 5}], "nested": []}
      """
    let recovered = Session(["failed": Array(failed.utf8), "down": down]).run("compare failed down")
    #expect(
      recovered.output.contains(
        """
        ✗ newly went wrong afterwards
          web: it ended at 3.00 ms without having been asked to; failed (no) in 5 ns before, \
        succeeded in 5 ns after

        worse
          ✗ 1 pebble went wrong afterwards
        """), "\(recovered.output)")
    #expect(!recovered.output.contains("ended otherwise"))
    #expect(session.run("compare down good").status == 0)
  }

  @Test func whatWasCancelledInOrderIsNothingToFind() throws {
    let run = """
      {"format": "pond run", "version": 1, "makespan": 5, "pond": {"format": "pond", "version": 1,
        "name": "p", "onFailure": "ignore", "conditions": [], "clusters": [],
        "pebbles": [{"name": "a"}]},
       "cancellation": {"reason": "the process got SIGTERM", "orderly": true},
       "pebbles": [{"name": "a", "outcome": "failed", "error": "no", "ready": 0, "started": 0,
         "finished": 5, "cancelled": true}], "nested": []}
      """
    let session = Session(["run.json": Array(run.utf8)])

    #expect(session.run("check run.json").status == 0)
  }

  @Test func whatIfSaysWhatItAssumesOfThePebblesOfACancelledRun() throws {
    let run = """
      {"format": "pond run", "version": 1, "makespan": 5, "pond": {"format": "pond", "version": 1,
        "name": "p", "onFailure": "ignore", "conditions": [], "clusters": [],
        "pebbles": [{"name": "ping"}, {"name": "load"},
          {"name": "show", "when": {"pebble": 1, "is": ["succeeded"]}},
          {"name": "retry", "when": {"pebble": 1, "is": ["failed"]}}]},
       "cancellation": {"reason": "its deadline passed"},
       "pebbles": [
        {"name": "ping", "outcome": "succeeded", "ready": 0, "started": 0, "finished": 1},
        {"name": "load", "outcome": "failed", "error": "no", "ready": 0, "started": 0,
         "finished": 5, "cancelled": true},
        {"name": "show", "outcome": "skipped", "reason": "cancelled", "finished": 5},
        {"name": "retry", "outcome": "skipped", "reason": "cancelled", "finished": 5}],
       "nested": []}
      """
    let session = Session(["run.json": Array(run.utf8)])
    let remark =
      "pebbles that were cancelled with the run are assumed to succeed if they are called"

    let result = session.run("whatif run.json --fail ping")

    #expect(
      result.output == """
        3 pebbles would end otherwise
          ✗ ping  succeeded before, now fails
          ✓ load  failed before, now succeeds
          ✓ show  cancelled before, now succeeds
        (\(remark))

        """, "\(result.output)")
    #expect(session.run("whatif run.json --fail ping --json").output.contains("\"\(remark)\""))
  }
}
