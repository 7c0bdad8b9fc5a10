import PebblesTestSupport
import Testing

@testable import PebblesPictures

/// Tests of the kinds of skips: which skipped pebbles were needed and could not run.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct PageSkipsTests {
  /// A script that finds the conditions that are false because something is not needed, in the
  /// conditions as they are written.
  private static let spared = """
    const endsAsDefined = ({ pebbles, conditions }, outcomes, reasons, held) => {
      const isNotNeeded = pebbles.map((_, pebble) =>
        ['disabled', 'notAskedFor'].includes(reasons[pebble]));
      const isAtomSpared = ({ pebble, is, case: place }, wanted) => {
        const outcome = outcomes[pebble];
        if (valueOf({ conditions }, { pebble, is, case: place }, outcomes, held) === wanted) {
          return false;
        }
        const accepted = words.filter(word => is.includes(word) === (wanted === 1));
        return !accepted.includes('succeeded') || place !== undefined && accepted.length > 1
          || outcome === 0 || outcome === 2 && isNotNeeded[pebble];
      };
      // Starts from nothing, and adds what follows until nothing more follows.
      const known = [new Set(), new Set()];
      const isSpared = (one, wanted) => {
        if (typeof one === 'boolean') return Number(one) !== wanted;
        if (typeof one === 'number') return known[wanted].has(one);
        return isAtomSpared(one, wanted);
      };
      const isRowSpared = (row, wanted) => {
        if (row.not !== undefined) return isSpared(row.not, 1 - wanted);
        const isAnd = Boolean(row.any) !== (wanted === 1), parts = partsOf(row);
        return isAnd ? parts.some(one => isSpared(one, wanted))
          : parts.every(one => isSpared(one, wanted));
      };
      const count = () => known[0].size + known[1].size + isNotNeeded.filter(Boolean).length;
      for (let before = -1; before !== count();) {
        before = count();
        conditions.forEach((row, k) => {
          for (const wanted of [0, 1]) if (isRowSpared(row, wanted)) known[wanted].add(k);
        });
        pebbles.forEach(({ needs = true, when = true }, pebble) => {
          isNotNeeded[pebble] ||= reasons[pebble] === 'conditionFalse'
            && isRowSpared({ all: [needs, when] }, 1);
        });
      }
      return outcomes.map((outcome, pebble) => {
        if (outcome !== 2) return endNames[outcome] ?? 'unsettled';
        if (reasons[pebble] === 'cancelled') return 'cancelled';
        if (reasons[pebble] === 'disabled') return 'disabled';
        if (reasons[pebble] === 'notAskedFor') return 'not asked for';
        return isNotNeeded[pebble] ? 'not needed' : 'blocked';
      });
    };
    """

  /// A script that says the ends of skipped pebbles that have a condition on other pebbles.
  private static let small = """
    const is = (pebble, ...outcomes) => ({ pebble, is: outcomes });
    const cases = [{ kind: 'failed', name: 'locked' }, { kind: 'is', name: 'heads' }];
    const end = (when, outcomes, { reasons = [], held = [], conditions = [] } = {}) => {
      const pebbles = outcomes.map((_, k) => ({ name: `p${k}`, cases })), { length } = outcomes;
      const net = new Network({ pebbles: [...pebbles, { name: 'last', when }], conditions });
      const all = outcomes.map((_, pebble) => reasons[pebble]);
      return endNames[endsOf(net, [...outcomes, 2], [...all, 'conditionFalse'], held)[length]];
    };
    """

  @Test func aSkipIsNamedByItsReason() throws {
    let said = try JavaScript.result(
      of: """
        const reasons = ['cancelled', 'disabled', 'notAskedFor', 'stalled', 'resourceHeld'];
        const pebbles = reasons.map((_, k) => ({ name: `p${k}` }));
        const ends = endsOf(
          new Network({ pebbles, conditions: [] }), new Uint8Array(5).fill(2), reasons, []);
        return [Array.from(ends, end => endNames[end]).join(), endsOf(null, [0, 1, 255], [], []),
          endsByGravity.toSorted((one, other) => one - other)].join(' ');
        """)

    #expect(
      said == """
        cancelled,disabled,not asked for,blocked,blocked 0,1,255 0,1,2,3,4,5,6,7,8
        """)
  }

  @Test func onlyWhatWasNeededAndCouldNotRunIsBlocked() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.small)
        const done = is(0, 'succeeded');
        return [
          end(done, [1]), end(is(0, 'failed'), [0]), end(false, []), end(is(0, 'skipped'), [0]),
          end(done, [2], { reasons: ['disabled'] }), end(done, [2], { reasons: ['notAskedFor'] }),
          end(done, [2], { reasons: ['cancelled'] }), end(done, [2], { reasons: ['stalled'] }),
          end({ pebble: 0, is: ['failed'], case: 0 }, [1], { held: [[]] }),
          end({ pebble: 0, is: ['succeeded'], case: 1 }, [0], { held: [[]] }),
          end({ pebble: 0, is: ['succeeded'], case: 1 }, [1]),
          end({ pebble: 0, is: ['succeeded', 'skipped'], case: 0 }, [1], { held: [[0]] }),
        ].join();
        """)

    #expect(
      said == """
        blocked,not needed,not needed,not needed,not needed,not needed,blocked,blocked,not needed,\
        not needed,blocked,not needed
        """)
  }

  @Test func ofSeveralOperandsItDependsOnTheGate() throws {
    let said = try JavaScript.result(
      of: """
        \(Self.small)
        // The first pebble succeeded and the second one failed: neither was as it should be.
        const spared = is(0, 'failed'), missed = is(1, 'succeeded'), parts = [spared, missed];
        const of = (...conditions) => end(conditions.length - 1, [0, 1], { conditions });
        return [
          of({ all: parts }), of({ any: parts }), of({ any: [spared, spared] }), of({ any: [] }),
          of({ all: [missed, missed] }), of({ label: 'why', of: missed }),
          of({ not: is(0, 'succeeded') }), of({ not: is(1, 'failed') }),
          of({ any: [is(0, 'succeeded'), missed] }, { not: 0 }),
          of({ all: [is(0, 'succeeded'), is(1, 'failed')] }, { not: 0 }),
          of({ all: [] }, { not: 0 }), of({ label: 'inside', of: spared }, { any: [0, false] }),
        ].join();
        """)

    #expect(
      said == """
        not needed,blocked,not needed,not needed,blocked,blocked,not needed,blocked,not needed,\
        blocked,not needed,not needed
        """)
  }

  @Test func allSkipsAreThoseOfTheDefinition() throws {
    let wrong = try JavaScript.result(
      of: """
        \(JavaScript.randomPonds)
        \(Self.spared)
        const all = ['conditionFalse', 'conditionFalse', 'disabled', 'notAskedFor', 'cancelled'];
        for (let round = 0; round < \(Thoroughness.times(120)); round++) {
          const pond = randomPond(1 + below(9)), held = randomHeld(pond);
          const outcomes = pond.pebbles.map(() => oneOf([0, 1, 2, 2, 2]));
          const reasons = outcomes.map(outcome => outcome === 2 ? oneOf(all) : undefined);
          const ends = endsOf(new Network(pond), outcomes, reasons, held);
          expectSame(Array.from(ends, end => endNames[end]),
            endsAsDefined(pond, outcomes, reasons, held),
            JSON.stringify({ pond, outcomes, reasons, held }));
        }
        return verdict();
        """)

    #expect(wrong == "")
  }

  @Test func eachEndHasAStyleAndAMark() throws {
    let said = try JavaScript.result(
      of: """
        return endNames.map((name, end) => `${name} ${endMarks[end]} ${styleOf(end)}`).join();
        """)

    #expect(
      said == """
        succeeded ✓ succeeded,failed ✗ failed,blocked ⊘ blocked,not needed ○ skipped,\
        disabled ○ skipped,cancelled ○ skipped,not asked for ○ skipped,running ▸ running,\
        waiting · waiting
        """)
  }
}
