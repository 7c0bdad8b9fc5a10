import PebblesTestSupport
import Testing

@testable import PebblesPictures

/// Tests of a run in progress with statuses and events that are made up. Other tests use those of
/// real runs.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct PageLiveEventTests {
  /// A script that makes random runs, as their records, as the events that tell of them, and as the
  /// status at each time.
  private static let told = """
    \(JavaScript.randomPonds)
    const reasons = ['conditionFalse', 'conditionFalse', 'stalled', 'disabled', 'cancelled'];
    const recordOf = (name, count) => {
      let time = below(2) * below(9);
      const later = () => time += 1 + below(9), outcome = oneOf(words);
      const decidedBy = below(2) ? below(count) : undefined, record = { name, outcome, decidedBy };
      if (outcome === 'skipped') {
        const reason = oneOf(reasons), waitingOn = reason === 'stalled' ? [0] : undefined;
        return { ...record, reason, waitingOn, finished: time };
      }
      const ready = time, started = time += below(3), attempts = [];
      for (let left = below(3); left >= 0; left--) {
        const started = attempts.length ? later() : time, finished = later();
        const hasFailed = left || outcome === 'failed';
        attempts.push({ started, finished, error: hasFailed ? `at ${time}` : undefined });
      }
      const { error } = attempts.at(-1), places = outcome === 'failed' ? [0] : [1, 2];
      return { ...record, ready, started, finished: time, error, attempts,
        case: places.filter(() => below(2)) };
    };
    const eventsOf = record => {
      const { name: pebble, outcome, reason, ready, attempts = [], finished, error } = record;
      const events = ready === undefined ? [] : [{ kind: 'ready', time: ready }];
      attempts.forEach(({ started, finished, error }, k) => {
        events.push({ kind: 'attemptStarted', time: started, attempt: k + 1 });
        if (error) events.push({ kind: 'attemptFailed', time: finished, attempt: k + 1, error });
      });
      const skipReason = reason && { kind: reason, waitingOn: record.waitingOn && ['p0', 'none'] };
      const cause = record.decidedBy === undefined ? undefined : `p${record.decidedBy}`;
      events.push({ kind: 'settled', time: finished, outcome, error, skipReason, cause,
        cases: record.case?.map(place => cases[place]) });
      return events.map(event => ({ pebble, ...event }));
    };
    const stateOf = ({ outcome, reason, error, ready, started, finished, ...record }, time) => {
      if (finished <= time) {
        return { kind: outcome, error, cases: record.case?.map(place => cases[place]),
          skipReason: reason && { kind: reason, waitingOn: record.waitingOn && ['p0', 'none'] } };
      }
      return { kind: started <= time ? 'running' : ready <= time ? 'ready' : 'waiting' };
    };
    // Of a pebble whose first attempt succeeds, no attempts are listed.
    const listed = ({ attempts = [], error }) => attempts.length > 1 || error ? attempts : [];
    const statusAt = (time, records) => ({
      phase: 'booting', elapsed: time, running: [], pebbles: records.map(record => {
        const { name, ready, started, finished, decidedBy } = record;
        const at = one => one <= time ? one : undefined;
        const ended = listed(record).filter(one => one.finished <= time);
        return { name, state: stateOf(record, time), ready: at(ready), started: at(started),
          finished: at(finished), attempts: ended.length ? ended : undefined,
          cause: finished <= time && decidedBy !== undefined ? `p${decidedBy}` : undefined };
      }) });
    const liveRun = pond => new LiveRun({ pond, phase: 'booting', elapsed: 0 });
    const columns = run => {
      run.settle();
      const { names, outcomes, ends, ready, started, finished, causes, held, counts, last } = run;
      return { names, outcomes: [...outcomes], ends: [...ends], ready: [...ready], counts, last,
        started: [...started], finished: [...finished], causes: [...causes], held };
    };
    """

  @Test func eventsOneAfterTheOtherHaveTheSameEffectAsAStatus() throws {
    let wrong = try JavaScript.result(
      of: """
        \(Self.told)
        for (let round = 0; round < \(Thoroughness.times(24)); round++) {
          const pond = randomPond(1 + below(6)), { length } = pond.pebbles;
          const records = pond.pebbles.map(({ name }) => recordOf(name, length));
          const events = records.flatMap(eventsOf).sort((one, other) => one.time - other.time);
          const times = [...new Set(events.map(({ time }) => time))], begin = oneOf([-1, ...times]);
          const what = JSON.stringify({ records, begin }), run = liveRun(pond);
          run.take('status', statusAt(begin, records));
          // In some rounds the page is told again what the status includes.
          for (const time of times.filter(time => time > begin || round % 3 === 0)) {
            events.forEach(event => { if (event.time === time) run.take(event.kind, event); });
            const now = Math.max(time, begin), other = liveRun(pond);
            other.take('status', statusAt(now, records));
            expectSame(columns(run), columns(other), `at ${now} of ${what}`);
            const counts = ({ settledCount, awaitedNow, makespan }) =>
              [settledCount, awaitedNow, makespan];
            expectSame(counts(run), counts(other), `counts at ${now} of ${what}`);
          }
          const ended = new Run({ pond, pebbles: records, makespan: run.makespan });
          ended.settle = () => {};
          expectSame(columns(run), columns(ended), `end of ${what}`);
          records.forEach((record, pebble) => {
            const found = run.record(pebble), ends = ({ finished, error }) => [finished, error];
            const facts = ({ reason, waitingOn, error }) => [reason, waitingOn, error];
            expectSame(facts(found), facts(record), `reasons of ${what}`);
            const { attempts = [] } = found, expected = listed(record);
            expectSame(attempts.map(ends), expected.map(ends), `attempts of ${what}`);
            attempts.forEach(({ started }, k) => {
              // A page that was not told of the start takes the end of the attempt before.
              const known = [expected[k].started];
              if (k && begin >= 0 && round % 3) known.push(expected[k - 1].finished);
              if (!known.includes(started)) wrong.push(`${started} starts ${k} of ${what}`);
            });
          });
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func aRunGoesThroughItsPhases() throws {
    let said = try JavaScript.result(
      of: """
        const pond = { pebbles: [{ name: 'a' }, { name: 'b' }], conditions: [] };
        const run = new LiveRun({ pond, phase: 'booting', elapsed: 7 }), said = [];
        const pebbles = ['a', 'b'].map(name => ({ name, state: { kind: 'waiting' } }));
        const status = { phase: 'booting', elapsed: 10, pebbles, running: [] };
        const tell = (kind, data) => {
          const answer = run.take(kind, data);
          said.push(`${kind}: ${answer} ${run.phase} ${run.makespan}`);
        };
        said.push(`${run.isLive} ${run.isChanged} ${run.phase} ${run.makespan} ${run.finished}`);
        tell('status', { ...status, pebbles: [...pebbles, pebbles[0]] });
        tell('status', { ...status, pebbles: pebbles.toReversed() });
        tell('status', status);
        tell('dropped', { time: 10 });
        tell('dropped', { time: 11 });
        tell('attemptStarted', { time: 30, pebble: 'a' });
        tell('attemptStarted', { time: 20, pebble: 'nobody' });
        tell('runEnded', { time: 40, hasFailed: true });
        tell('runEnded', { time: 40, isCancelled: true });
        tell('runEnded', { time: 40 });
        tell('shutdownBegan', { time: 50 });
        tell('shutdownEnded', { time: 60 });
        tell('other', { time: 61 });
        tell('status', { ...status, phase: 'failed' });
        return said.join('\\n');
        """)

    #expect(
      said == """
        true false booting 7 7,7
        status: false booting 7
        status: false booting 7
        status: true booting 10
        dropped: true booting 10
        dropped: false booting 10
        attemptStarted: true booting 30
        attemptStarted: true booting 30
        runEnded: true failed 40
        runEnded: true failed 40
        runEnded: true over 40
        shutdownBegan: true shuttingDown 50
        shutdownEnded: true shutDown 60
        other: true shutDown 61
        status: true failed 10
        """)
  }

  @Test func onlyChangesAreCopiedAndTimeGoesOnMeanwhile() throws {
    let said = try JavaScript.result(
      of: """
        const pebbles = ['a', 'b', 'c', 'd'].map(name => ({ name }));
        const pond = { pebbles, conditions: [] };
        const run = new LiveRun({ pond, phase: 'booting', elapsed: 5 });
        const tell = (kind, time, pebble, more) => run.take(kind, { time, pebble, ...more });
        const said = [`${run.isOpen(0)} ${run.outcomes} ${run.ready} ${run.decided(2)}`];
        tell('ready', 0, 'a');
        tell('attemptStarted', 3, 'a');
        tell('attemptStarted', 0, 'd');
        tell('ready', 0, 'b');
        tell('ready', 2, 'c');
        said.push(`${run.isChanged} ${run.ends}`);
        run.settle();
        said.push(`${run.isChanged} ${run.ends} ${run.counts} ${run.last}`);
        said.push(`${run.settledCount} ${run.awaitedNow}`);
        const before = [run.ends, run.spans];
        run.settle();
        said.push([run.ends === before[0], run.spans === before[1]].join());
        run.advance(9);
        said.push([run.makespan, run.finished, run.spans.to, run.took(0), run.waited(0),
          run.waited(1), run.waited(2)].join(' '));
        run.advance(8);
        tell('settled', 12, 'a', { outcome: 'succeeded' });
        tell('settled', 12, 'c', { outcome: 'skipped', skipReason: { kind: 'stalled' } });
        run.settle();
        run.advance(20);
        said.push([run.makespan, run.finished, run.decided(1), run.waited(1), run.last, run.ends,
          run.spans.to, run.settledCount, run.awaitedNow].join(' '));
        return said.join('\\n');
        """)

    #expect(
      said == """
        true 255,255,255,255 NaN,NaN,NaN,NaN 5
        true 8,8,8,8
        false 7,8,8,7 0,0,0,0,0,0,0,2,2 3
        0 3,0
        true,true
        9 9,9,9,9 9,9,9,9 6 3 9 7
        20 12,20,12,20 0 20 3 0,8,2,7 12,20,12,20 2 3
        """)
  }

  @Test func aServiceIsFollowedThroughItsRestarts() throws {
    let said = try JavaScript.result(
      of: """
        const pond = { pebbles: [{ name: 'web', service: true }, { name: 'job' }], conditions: [] };
        const run = new LiveRun({ pond, phase: 'booting', elapsed: 0 }), said = [];
        const note = () => {
          run.settle();
          said.push(`${run.serviceText(0) || 'not ready'}; ${run.upNow.length} up, `
            + `${[...run.tornDown].join() || 'none'} torn down`);
        };
        const tell = (kind, time, more) => {
          run.take(kind, { time, pebble: 'web', ...more });
          note();
        };
        const settled = { kind: 'succeeded' };
        const status = (phase, ...up) => {
          const running = up.map(name => ({ name })), pebbles = ['web', 'job'].map(name =>
            ({ name, state: settled, started: 1, finished: 6 }));
          run.take('status', { phase, elapsed: 70, running, pebbles });
          note();
        };
        tell('ready', 1);
        tell('attemptStarted', 1);
        tell('settled', 6, { outcome: 'succeeded' });
        tell('serviceEnded', 20, { error: 'gone' });
        said.push(run.record(0).service.end.error);
        tell('serviceRestarted', 21);
        tell('serviceEnded', 30);
        tell('serviceRestarted', 31);
        tell('stopRequested', 40);
        tell('serviceEnded', 41);
        said.push(run.record(0).service.restartCount);
        tell('teardownEnded', 50);
        tell('settled', 60, { outcome: 'failed' });
        status('up', 'web');
        status('up', 'job');
        status('shuttingDown', 'web');
        tell('serviceEnded', 71);
        status('shutDown');
        for (const kind of ['stopRequested', 'serviceEnded', 'serviceRestarted']) tell(kind, 80);
        tell('serviceEnded', 81);
        return said.join('\\n');
        """)

    #expect(
      said == """
        not ready; 0 up, none torn down
        not ready; 0 up, none torn down
        ready after 5 ns, still up; 1 up, none torn down
        ready after 5 ns, ended at 20 ns; 0 up, none torn down
        gone
        ready after 5 ns, started again once, still up; 1 up, none torn down
        ready after 5 ns, started again once, ended at 30 ns; 0 up, none torn down
        ready after 5 ns, started again 2 times, still up; 1 up, none torn down
        ready after 5 ns, started again 2 times, still up; 1 up, none torn down
        ready after 5 ns, started again 2 times, stopped at 41 ns; 0 up, none torn down
        2
        ready after 5 ns, started again 2 times, stopped at 41 ns; 0 up, 0 torn down
        ready after 5 ns, started again 2 times, stopped at 41 ns; 0 up, 0 torn down
        ready after 5 ns, still up; 1 up, none torn down
        ready after 5 ns, ended at 70 ns; 0 up, none torn down
        ready after 5 ns, still up; 1 up, none torn down
        ready after 5 ns, stopped at 71 ns; 0 up, none torn down
        ready after 5 ns, stopped at 70 ns; 0 up, none torn down
        ready after 5 ns, stopped at 70 ns; 0 up, none torn down
        ready after 5 ns, stopped at 80 ns; 0 up, none torn down
        ready after 5 ns, started again once, still up; 1 up, none torn down
        ready after 5 ns, started again once, ended at 81 ns; 0 up, none torn down
        """)
  }

  @Test func casesAndPebblesThatThePondDoesNotKnowAreLeftOut() throws {
    let said = try JavaScript.result(
      of: """
        const cases = [{ kind: 'failed', name: 'locked' }, { kind: 'timedOut' },
          { kind: 'is', name: 'heads' }, { kind: 'failed', name: 'heads' }];
        const pond = { pebbles: [{ name: 'a', cases }, { name: 'b' }], conditions: [] };
        const run = new LiveRun({ pond, phase: 'booting', elapsed: 0 });
        const found = (...held) => run.casePlaces(0, held).join('+') || 'none';
        const without = run.casePlaces(0, undefined);
        run.record(1).waitingFor = ['a', 'b'];
        const waits = [run.waitingFor(0), run.waitingFor(1)];
        run.take('settled', { time: 1, pebble: 'a', outcome: 'failed' });
        run.settle();
        waits.push(run.waitingFor(1));
        run.take('ready', { time: 2, pebble: 'b' });
        waits.push(run.waitingFor(1));
        return [
          found(cases[0]), found({ kind: 'timedOut', name: 'x' }), found(cases[3], cases[2]),
          found({ kind: 'is', name: 'tails' }), found({ kind: 'succeeded', name: 'locked' }),
          without, run.casePlaces(1, [cases[0]]).length,
          ...waits.map(names => names.join('+') || 'none'),
        ].join();
        """)

    #expect(said == "0,1,3+2,none,none,,0,none,a+b,b,none")
  }
}
