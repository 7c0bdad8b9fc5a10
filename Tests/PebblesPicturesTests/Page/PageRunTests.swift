import PebblesTestSupport
import Testing

@testable import PebblesPictures

/// Tests of a run as columns: of the times, ends and texts of its pebbles.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct PageRunTests {
  /// A script with a run of seven pebbles: one that ran, one that failed, one that was not needed,
  /// one that was blocked, one that was kept, one that was given, and a service.
  private static let run = """
    const done = pebble => ({ pebble, is: ['succeeded'] });
    const pond = { conditions: [], clusters: [], pebbles: [{ name: 'ran' },
      { name: 'broke', when: done(0), cases: [{ kind: 'failed', name: 'locked' }] },
      { name: 'unneeded', when: { pebble: 0, is: ['failed'] } },
      { name: 'blocked', when: done(1) }, { name: 'kept' }, { name: 'given', given: true },
      { name: 'web', when: done(0), service: true }] };
    const ended = { format: 'pond run', version: 1, makespan: 90, pond, pebbles: [
      { name: 'ran', outcome: 'succeeded', ready: 0, started: 4, finished: 10 },
      { name: 'broke', outcome: 'failed', error: 'no', ready: 10, started: 12, finished: 40,
        decidedBy: 0, case: [0] },
      { name: 'unneeded', outcome: 'skipped', reason: 'conditionFalse', finished: 10,
        decidedBy: 0 },
      { name: 'blocked', outcome: 'skipped', reason: 'conditionFalse', finished: 40,
        decidedBy: 1 },
      { name: 'kept', outcome: 'succeeded', ready: 0, started: 0, finished: 0, kept: 'b 7' },
      { name: 'given', outcome: 'succeeded', ready: 0, started: 0, finished: 0 },
      { name: 'web', outcome: 'succeeded', ready: 10, started: 15, finished: 20, decidedBy: 0 }] };
    const all = [0, 1, 2, 3, 4, 5, 6];
    """

  @Test func itsColumnsAreTheRecordsOfItsPebbles() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.run)
        const run = new Run(ended), of = test => all.map(pebble => test(pebble)).join();
        return [
          run.count, run.makespan, run.names, run.outcomes, run.ready, run.started, run.finished,
          run.causes, run.held.map(held => held ?? '-'), run.waitKinds || '-',
          run.positions.get('kept'),
          of(k => run.decided(k)), of(k => run.took(k)), of(k => run.waited(k)),
          of(k => run.until(k)), of(k => run.upUntil(k)), run.spans.from, run.spans.to,
          of(k => run.isOpen(k)), of(k => Boolean(run.isService(k))),
          of(k => Boolean(run.isGiven(k))), run.record(1).error, run.spans === run.spans,
        ].map((column, k) => `${k}: ${column}`).join('\\n');
        """)

    #expect(
      said == """
        0: 7
        1: 90
        2: ran,broke,unneeded,blocked,kept,given,web
        3: 0,1,2,2,0,0,0
        4: 0,10,NaN,NaN,0,0,10
        5: 4,12,NaN,NaN,0,0,15
        6: 10,40,10,40,0,0,20
        7: -1,0,0,1,-1,-1,0
        8: -,0,-,-,-,-,-
        9: -
        10: 4
        11: 0,10,10,40,0,0,10
        12: 6,28,0,0,0,0,5
        13: 4,2,0,0,0,0,5
        14: 10,40,10,40,0,0,90
        15: 0,0,0,0,0,0,90
        16: 0,10,10,40,0,0,10
        17: 10,40,10,40,0,0,90
        18: false,false,false,false,false,false,false
        19: false,false,false,false,false,false,true
        20: false,false,false,false,false,true,false
        21: no
        22: true
        """)
  }

  @Test func itsEndsAreNamedMarkedAndCounted() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.run)
        const run = new Run(ended), of = test => all.map(pebble => test(pebble)).join();
        return [
          of(k => endNames[run.ends[k]]), run.counts, of(k => run.mark(k)), of(k => run.style(k)),
          [0, 1].map(k => run.ending(k)), of(k => run.origin(k) || '-'),
          new Run({ ...ended, pebbles: [{ ...ended.pebbles[4], kept: true }] }).origin(0),
          run.readers.of(0), run.readers.readBy(3), run.ends === run.ends,
        ].join('\\n');
        """)

    #expect(
      said == """
        succeeded,failed,not needed,blocked,succeeded,succeeded,succeeded
        4,1,1,1,0,0,0,0,0
        ✓,✗,○,⊘,✓,✓,✓
        succeeded,failed,skipped,blocked,succeeded,succeeded,succeeded
        succeeded,failed as locked
        -,-,-,-,kept from run b 7,given,-
        kept from an earlier run
        1,2,6
        1
        true
        """)
  }

  @Test func itsLongestChainEndsWithTheLastBodyToEnd() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.run)
        const run = new Run(ended), last = (finished, outcome = () => 'succeeded') => {
          const pebbles = finished.map((time, k) =>
            ({ name: `p${k}`, outcome: outcome(k), started: 0, finished: time }));
          return new Run({ pond: { pebbles, conditions: [] }, pebbles, makespan: 9 }).last;
        };
        const waits = { awaited: [-1, 5, 0, 1, -1, 4, -1], kinds: 'dlmsddd', last: 3 };
        const told = new Run(ended, waits), round = new Run(ended, { ...waits, awaited: all });
        return [
          run.last, run.chain(run.last), run.chain(3), run.chain(0), run.chain(-1).length,
          last([3, 2, 1]), last([1, 3, 2]), last([2, 2]), last([]),
          last([0, 4, 9], k => outcomeNames[k]), last([5], () => 'skipped'), told.last,
          told.chain(told.last), told.waitKind(1), told.waitKind(3), run.waitKind(1),
          round.chain(2).length,
        ].join(' ');
        """)

    #expect(said == "1 1,0 3,1,0 0 0 0 1 1 -1 1 -1 3 3,1,5,4 l s d 7")
  }

  @Test func aServiceIsUpUntilItEnds() throws {
    let said = try JavaScript.result(
      of: """
        const pond = { pebbles: [{ name: 'web', service: true }], conditions: [] };
        const web = (service, record = {}, document = {}) => {
          const run = new Run({ makespan: 60, pond, ...document,
            pebbles: [{ name: 'web', outcome: 'succeeded', ready: 0, started: 0, finished: 5,
              service, ...record }] });
          return `${run.serviceText(0) || 'nothing'} until ${run.until(0)}`;
        };
        const again = (...times) => times.map(time => ({ time, attempt: 2 }));
        const end = { time: 12, asked: true };
        return [
          web(undefined), web({ end }), web({ end: { time: 12 } }), web({ end: { time: 99 } }),
          web({ end: { time: 12 }, down: true }), web({ restarts: again(9) }),
          web({ restarts: again(7, 9), end }), web({ restarts: again(7, 19), end }),
          web({ restarts: again(12), end }), web({ restartCount: 8, restarts: again(9) }),
          web({ restarts: [] }), web(undefined, {}, { shutdown: { duration: 1 } }),
          web({ end }, {}, { shutdown: { duration: 1 } }), web(undefined, { kept: true }),
          web(undefined, { kept: 'a' }), web(undefined, { outcome: 'failed' }),
          web(undefined, { outcome: 'skipped' }),
        ].join('\\n');
        """)

    #expect(
      said == """
        ready after 5 ns, still up until 60
        ready after 5 ns, stopped at 12 ns until 12
        ready after 5 ns, ended at 12 ns until 12
        ready after 5 ns, ended at 99 ns until 60
        ready after 5 ns, down since 12 ns until 12
        ready after 5 ns, started again once, still up until 60
        ready after 5 ns, started again 2 times, stopped at 12 ns until 12
        ready after 5 ns, started again 2 times, still up until 60
        ready after 5 ns, started again once, stopped at 12 ns until 12
        ready after 5 ns, started again 8 times, still up until 60
        ready after 5 ns, still up until 60
        ready after 5 ns, stopped in the shutdown until 60
        ready after 5 ns, stopped at 12 ns until 12
        kept from an earlier run, still up until 60
        kept from run a, still up until 60
        nothing until 5
        nothing until 5
        """)
  }

  @Test func aDocumentIsReadFromAFileOrAPage() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.run)
        const found = text => documentIn(text) === null ? '-' : documentIn(text).makespan;
        const changed = change => {
          const other = JSON.parse(JSON.stringify(ended));
          change(other);
          return found(JSON.stringify(other));
        };
        const text = JSON.stringify(ended);
        return [
          found(text), found(`<script type="application/json" id="run">${text}</script>`),
          found(''), found('{}'), found('null'), found(text.slice(1)), found(JSON.stringify(pond)),
          changed(run => { run.format = 'pond'; }), changed(run => { run.version = 2; }),
          changed(run => { run.makespan = -1; }), changed(run => { run.makespan = '1'; }),
          changed(run => { run.makespan = 0; }), changed(run => { run.pebbles.pop(); }),
          changed(run => { run.pebbles[0].name = 1; }), changed(run => { delete run.pond; }),
          changed(run => { run.pebbles[0].outcome = 'unknown'; }),
          changed(run => { delete run.pebbles[0].started; }),
          changed(run => { delete run.pebbles[2].finished; }),
          changed(run => { run.pebbles[0].finished = -1; }),
          changed(run => { run.pebbles[0].started = 0; }),
        ].join();
        """)

    #expect(said == "90,90,-,-,-,-,-,-,-,-,-,0,-,-,-,-,-,-,-,90")
  }
}
