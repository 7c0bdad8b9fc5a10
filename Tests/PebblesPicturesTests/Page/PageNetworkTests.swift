import PebblesTestSupport
import Testing

@testable import PebblesPictures

/// Tests of the conditions of a pond as a network: of their values, and of who reads whom.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct PageNetworkTests {
  @Test func conditionsHaveTheValuesOfKleenesTables() throws {
    let said = try JavaScript.result(
      of: """
        const waits = { pebble: 0, is: ['succeeded'] };
        const values = operands => {
          const conditions = [{ all: operands }, { any: operands }, { not: operands[0] },
            { label: 'why', of: operands[0] }];
          const net = new Network({ pebbles: [{ name: 'a' }], conditions });
          return [...net.values([255], [])].slice(1).map(value => ({ [-1]: '?' })[value] ?? value);
        };
        return [[true], [false], [waits], [true, true], [true, false], [true, waits],
          [false, false], [false, waits], [waits, false], [waits, true], [waits, waits]]
          .map(operands => values(operands).join('')).join(' ');
        """)

    #expect(said == "1101 0010 ???? 1101 0101 ?101 0010 0?10 0??? ?1?? ????")
  }

  @Test func anAtomHoldsForTheOutcomesThatItLists() throws {
    let said = try JavaScript.result(
      of: """
        const cases = [{ kind: 'failed', name: 'locked' }, { kind: 'is', name: 'heads' },
          { kind: 'timedOut' }, { kind: 'succeeded', name: 'beta' }];
        const value = (atom, outcome, held) => new Network({
          pebbles: [{ name: 'a', cases }, { name: 'b', when: { pebble: 0, ...atom } }],
          conditions: [] }).values([outcome, 255], [held])[1];
        const values = (atom, held) => [0, 1, 2, 255].map(outcome => value(atom, outcome, held));
        return [
          values({ is: ['succeeded'] }), values({ is: ['succeeded', 'failed'] }),
          values({ is: ['skipped'] }), values({ is: [] }),
          values({ is: ['failed'], case: 0 }, [0]), values({ is: ['failed'], case: 0 }, [2]),
          values({ is: ['failed'], case: 0 }), values({ is: ['failed'], case: 2 }, [0, 2]),
          values({ is: ['succeeded'], case: 1 }, [1]), values({ is: ['succeeded'], case: 3 }, [1]),
          // These do not hold: the outcome is another one, or the case does not hold.
          values({ is: ['succeeded', 'skipped'], case: 0 }, [0]),
          values({ is: ['succeeded', 'skipped'], case: 0 }, [2]),
          values({ is: ['failed', 'skipped'], case: 1 }, [1]),
          values({ is: ['failed', 'skipped'], case: 1 }, []),
        ].join(' ');
        """)

    #expect(
      said == """
        1,0,0,-1 1,1,0,-1 0,0,1,-1 0,0,0,-1 0,1,0,-1 0,0,0,-1 0,0,0,-1 0,1,0,-1 1,0,0,-1 0,0,0,-1 \
        1,0,1,-1 1,1,1,-1 0,1,1,-1 1,1,1,-1
        """)
  }

  @Test func valuesAreThoseOfTheConditionsAsTheyAreWritten() throws {
    let wrong = try JavaScript.result(
      of: """
        \(JavaScript.randomPonds)
        for (let round = 0; round < \(Thoroughness.times(150)); round++) {
          const pond = randomPond(1 + below(8)), { pebbles, conditions } = pond;
          const outcomes = pebbles.map(() => oneOf([0, 1, 2, 255])), held = randomHeld(pond);
          const value = one => valueOf(pond, one, outcomes, held);
          const all = pebbles.map(({ needs = true, when = true }) => value({ all: [needs, when] }));
          all.push(...conditions.map(value));
          const goal = pond.goal === undefined ? -1 : all.push(value(pond.goal)) - 1;
          const net = new Network(pond), what = JSON.stringify({ pond, outcomes, held });
          expectSame(net.values(outcomes, held), all, what);
          expectSame(net.goal, goal, `the row of the goal of ${what}`);
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func aPondWithoutPebblesMayHaveAGoal() throws {
    let said = try JavaScript.result(
      of: """
        return [true, false, undefined].map(goal => {
          const net = new Network({ pebbles: [], conditions: [], goal });
          return `${net.goal}: ${[...net.values([], [])].join() || 'none'}`;
        }).join();
        """)

    #expect(said == "0: 1,0: 0,-1: none")
  }

  @Test func readersAreFoundThroughSharedConditions() throws {
    let said = try JavaScript.result(
      of: """
        const on = pebble => ({ pebble, is: ['succeeded'] });
        const readers = new Readers(new Network({
          pebbles: [{ name: 'a' }, { name: 'b', when: 1 }, { name: 'c', needs: on(0), when: 1 },
            { name: 'd', when: on(3) }, { name: 'e', needs: false, when: 2 }],
          conditions: [{ all: [on(1), true, on(0)] }, { not: 0 }, { any: [0, on(2), 1] }] }));
        const all = [0, 1, 2, 3, 4];
        return [all.map(k => readers.of(k).join('+')), all.map(k => readers.readBy(k).join('+'))]
          .join(' ');
        """)

    #expect(said == "1+2+4,1+2+4,4,3, ,0+1,0+1,3,0+1+2")
  }

  @Test func readersAreThosePebblesWhoseConditionsMentionAPebble() throws {
    let wrong = try JavaScript.result(
      of: """
        \(JavaScript.randomPonds)
        for (let round = 0; round < \(Thoroughness.times(100)); round++) {
          const pond = randomPond(1 + below(8)), { pebbles } = pond;
          const readers = new Readers(new Network(pond)), what = JSON.stringify(pond);
          const read = pebbles.map(({ needs = true, when = true }) =>
            [...new Set([...mentioned(pond, needs), ...mentioned(pond, when)])].sort());
          pebbles.forEach((_, pebble) => {
            expectSame(readers.readBy(pebble), read[pebble], `read by ${pebble} of ${what}`);
            expectSame(readers.of(pebble),
              [...read.keys()].filter(k => read[k].includes(pebble)), `readers in ${what}`);
          });
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func casesAreSaidInWords() throws {
    let said = try JavaScript.result(
      of: """
        const cases = [{ kind: 'failed', name: 'locked' }, { kind: 'timedOut' },
          { kind: 'is', name: 'heads' }, { kind: 'succeeded', name: 'beta' },
          { kind: 'failed', name: 'two\\nlines' }];
        const run = new Run({ makespan: 0, pebbles: [], pond: { pebbles: [{ name: 'a', cases },
          { name: 'b' }], conditions: [] } });
        const ending = (outcome, held) => {
          run.outcomes = [outcome];
          run.held = [held];
          return run.ending(0);
        };
        return [...cases.map(captionOf), ending(1, [0]), ending(1, [1]), ending(0, [2, 3]),
          ending(1, [0, 4]), ending(0, []), ending(2)].join('\\n');
        """)

    #expect(
      said == """
        as locked
        timed out
        with heads
        as beta
        as two lines
        failed as locked
        failed, timed out
        succeeded with heads and as beta
        failed as locked and as two lines
        succeeded
        skipped
        """)
  }

  @Test func aBodyEndsWithEachCaseOnItsOwnAndWithAValueIfThereIsAlwaysOne() throws {
    let said = try JavaScript.result(
      of: """
        const is = (name, exhaustive) => ({ kind: 'is', name, exhaustive });
        const beta = { kind: 'succeeded', name: 'beta' };
        const ways = (cases, outcome) => waysOf({ cases }, outcome)
          .map(way => `${way.outcome}:${way.held.join('+')}`).join(' ');
        return [
          ways(undefined, succeeded), ways([beta], failed), ways([beta], succeeded),
          ways([is('a'), beta], succeeded), ways([is('a', true), is('b', true)], succeeded),
          ways([beta, is('a', true), is('b', true)], succeeded),
          ways([is('a', true), { kind: 'failed', name: 'full' }, { kind: 'timedOut' }], failed),
        ].join('\\n');
        """)

    #expect(
      said == """
        0:
        1:
        0: 0:0
        0: 0:0 0:1
        0:0 0:1
        0:1 0:2 0:0+1
        1: 1:1 1:2
        """)
  }
}
