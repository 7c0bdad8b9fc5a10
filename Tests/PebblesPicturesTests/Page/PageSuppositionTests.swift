import PebblesTestSupport
import Testing

@testable import PebblesPictures

/// Tests of suppositions and stalls with small ponds, and with random ones that are settled round
/// by round. Other suites compare them with the simulator.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct PageSuppositionTests {
  /// A script that supposes how the bodies of small ponds end, and says how all pebbles end.
  private static let small = """
    const is = (pebble, ...outcomes) => ({ pebble, is: outcomes });
    const ends = (pebbles, question = {}, conditions = [], goal = undefined) => {
      const named = pebbles.map((pebble, k) => ({ name: `p${k}`, ...pebble }));
      const net = new Network({ pebbles: named, conditions, goal });
      const found = supposedEnds(net, { bodies: pebbles.map(() => 0), ...question });
      const said = [...found].map(end => endNames[end]).join(', ');
      return goal === undefined ? said : `${said}; goal ${found.goal}`;
    };
    """

  /// A script that settles the pebbles of a pond round by round: all whose conditions are decided,
  /// and if there are none, all that wait only for each other.
  private static let rounds = """
    const settledInRounds = (pond, { bodies, held, disabled, notAskedFor, cancelled }) => {
      const { pebbles } = pond, outcomes = pebbles.map(() => 255), reasons = [];
      const skip = (pebble, reason) => {
        if (outcomes[pebble] !== 255) return;
        outcomes[pebble] = 2;
        reasons[pebble] = cancelled.includes(pebble) ? 'cancelled' : reason;
      };
      disabled.forEach(pebble => skip(pebble, 'disabled'));
      notAskedFor.forEach(pebble => skip(pebble, 'notAskedFor'));
      const conditionOf = ({ needs = true, when = true }) => ({ all: [needs, when] });
      const value = one => valueOf(pond, one, outcomes, held);
      const isOpen = k => outcomes[k] === 255 && value(conditionOf(pebbles[k])) < 0;
      // The unsettled pebbles on which the value of a condition still depends.
      const awaited = one => {
        if (value(one) >= 0) return [];
        if (typeof one === 'number') return awaited(pond.conditions[one]);
        return one.is ? [one.pebble] : partsOf(one).flatMap(awaited);
      };
      const reached = from => {
        const found = new Set(awaited(conditionOf(pebbles[from])));
        for (const k of found) awaited(conditionOf(pebbles[k])).forEach(one => found.add(one));
        return found;
      };
      for (;;) {
        const before = outcomes.join(), values = pebbles.map(pebble => value(conditionOf(pebble)));
        values.forEach((decided, k) => {
          if (decided === 0) skip(k, 'conditionFalse');
          if (decided === 1 && outcomes[k] === 255 && !cancelled.includes(k)) {
            outcomes[k] = bodies[k];
          }
        });
        if (outcomes.join() !== before) continue;
        const stalled = [...outcomes.keys()].filter(isOpen).filter(k =>
          [...reached(k)].every(other => isOpen(other) && reached(other).has(k)));
        if (!stalled.length) break;
        stalled.forEach(k => skip(k, 'stalled'));
      }
      pebbles.forEach((_, k) => skip(k, 'cancelled'));
      return { outcomes, reasons };
    };
    """

  @Test func pebblesEndAsTheirConditionsSay() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.small)
        const chain = [{}, { when: is(0, 'succeeded') }, { when: is(1, 'failed') }];
        return [
          ends(chain), ends(chain, { bodies: [0, 1, 0] }), ends(chain, { bodies: [1, 0, 0] }),
          ends(chain, { disabled: [0] }), ends(chain, { notAskedFor: [2] }),
          ends(chain, { cancelled: [0] }), ends(chain, { cancelled: [1, 2] }),
          ends([{ needs: true, when: false }, { needs: false }, { when: true }]),
          ends([{ when: 0 }, { when: 1 }], {}, [{ all: [] }, { any: [] }]),
          ends([], {}, [], true), ends([], {}, [], false),
          ends([{}, {}], { bodies: [0, 1] }, [{ any: [is(0, 'failed'), is(1, 'failed')] }], 0),
          ends([{}], {}, [{ not: is(0, 'succeeded') }, { label: 'why', of: 0 }], 1),
        ].join('\\n');
        """)

    #expect(
      said == """
        succeeded, succeeded, not needed
        succeeded, failed, succeeded
        failed, blocked, not needed
        disabled, not needed, not needed
        succeeded, succeeded, not asked for
        cancelled, cancelled, cancelled
        succeeded, cancelled, cancelled
        not needed, not needed, succeeded
        succeeded, not needed
        ; goal 1
        ; goal 0
        succeeded, failed; goal 1
        succeeded; goal 0
        """)
  }

  @Test func pebblesThatWaitForEachOtherStall() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.small)
        const done = pebble => is(pebble, 'succeeded'), skip = pebble => is(pebble, 'skipped');
        return [
          ends([{ when: done(0) }]),
          ends([{ when: done(1) }, { when: done(0) }, { when: skip(0) }]),
          // A cycle that waits for another one, which stalls first.
          ends([{ when: 0 }, { when: done(0) }, { when: done(3) }, { when: done(2) }], {},
            [{ any: [done(1), skip(2)] }]),
          // A pebble that waits for a cycle does not stall, and neither does a cycle that waits for
          // a cancelled pebble.
          ends([{ when: skip(1) }, { when: done(2) }, { when: done(1) }]),
          ends([{}, { when: 1 }, { when: done(1) }], { cancelled: [0] },
            [{ any: [done(0)] }, { all: [0, done(2)] }]),
          // Constants are nothing to wait for.
          ends([{ needs: true, when: 0 }, { when: done(0) }], {}, [{ all: [true, done(1)] }]),
          // A shared gate is part of the cycle, and a gate inside of a gate.
          ends([{ when: 1 }, { when: 1 }], {}, [{ any: [done(0), done(1)] }, { not: 0 }]),
          // All but the last wait for each other. Its stall decides the first; then pebbles 1 and 2
          // still wait for each other, and pebble 3 for their stall.
          ends([{ when: 0 }, { when: 1 }, { when: done(1) }, { when: skip(1) }, { when: done(4) }],
            {}, [{ any: [done(1), done(3), skip(4)] }, { all: [done(0), done(2)] }]),
        ].join('\\n');
        """)

    #expect(
      said == """
        blocked
        blocked, blocked, succeeded
        succeeded, succeeded, blocked, blocked
        succeeded, blocked, blocked
        cancelled, cancelled, cancelled
        blocked, blocked
        blocked, blocked
        succeeded, blocked, blocked, succeeded, blocked
        """)
  }

  @Test func allPondsAreSettledAsRoundByRound() throws {
    let wrong = try JavaScript.result(
      of: """
        \(JavaScript.randomPonds)
        \(Self.rounds)
        for (let round = 0; round < \(Thoroughness.times(60)); round++) {
          const pond = randomPond(1 + below(9)), { pebbles } = pond;
          const some = () => [...pebbles.keys()].filter(() => !below(16));
          const question = { bodies: pebbles.map(() => below(2)), held: randomHeld(pond),
            disabled: some(), notAskedFor: some(), cancelled: below(3) ? [] : some() };
          const what = JSON.stringify({ pond, question }), net = new Network(pond);
          const { outcomes, reasons } = settledInRounds(pond, question);
          expectSame(suppose(net, question), outcomes, `outcomes of ${what}`);
          const found = supposedEnds(net, question), { goal = true } = pond;
          expectSame(found, [...endsOf(net, outcomes, reasons, question.held)], `ends of ${what}`);
          if (pond.goal !== undefined) {
            expectSame(found.goal, valueOf(pond, goal, outcomes, question.held), `goal of ${what}`);
          }
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func longChainsOfConditionsAndCyclesNeedNoDeepStack() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.small)
        const count = 10000, deep = Array.from({ length: count }, (_, k) =>
          ({ [k % 2 ? 'all' : 'any']: [k ? k - 1 : is(1, 'succeeded'), is(0, 'succeeded')] }));
        const ring = Array.from({ length: count }, (_, k) =>
          ({ when: is((k + 1) % count, 'succeeded') }));
        return [
          ends([{}, {}, { when: count - 1 }], {}, deep),
          [...new Set(ends(ring).split(', '))].join(),
        ].join('\\n');
        """)

    #expect(
      said == """
        succeeded, succeeded, succeeded
        blocked
        """)
  }
}
