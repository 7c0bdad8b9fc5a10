extension JavaScript {
  /// A script that makes random ponds in the documented JSON format, and that evaluates their
  /// conditions as they are written.
  ///
  /// Pebbles may refer to each other in cycles, and share conditions. All of them have the same
  /// cases. The value of a condition is 1, 0, or -1 if it is not known yet.
  static let randomPonds = """
    \(JavaScript.random)
    const cases = [{ kind: 'failed', name: 'locked' }, { kind: 'succeeded', name: 'beta' },
      { kind: 'is', name: 'heads' }];
    const words = ['succeeded', 'failed', 'skipped'];
    const randomPond = count => {
      const atom = () => {
        const pebble = below(count), place = below(3), of = words[place ? 0 : 1];
        return oneOf([
          { pebble, is: words.filter(() => below(2)) }, { pebble, is: [oneOf(words)] },
          { pebble, is: ['succeeded'] }, { pebble, is: [of], case: place },
          { pebble, is: words.filter(word => word !== of), case: place },
        ]);
      };
      const conditions = [];
      const any = () => {
        if (!below(12)) return below(2) > 0;
        return conditions.length && below(3) ? below(conditions.length) : atom();
      };
      for (let left = below(2 * count + 1); left; left--) {
        conditions.push(oneOf([
          { all: listOf(below(4), any) }, { any: listOf(below(4), any) }, { not: any() },
          { label: 'why', of: any() },
        ]));
      }
      const some = () => below(3) ? any() : undefined;
      return { pebbles: listOf(count, k => ({ name: `p${k}`, cases, needs: some(), when: some() })),
        conditions, goal: some() };
    };
    const randomHeld = ({ pebbles }) =>
      pebbles.map(() => below(4) ? cases.flatMap((_, place) => below(2) ? place : []) : undefined);
    const partsOf = ({ all, any, not, of }) => all ?? any ?? [not ?? of];
    const outcomeOfCase = place => place ? 0 : 1;
    const valueOf = (pond, condition, outcomes, held) => {
      if (typeof condition === 'boolean') return Number(condition);
      if (typeof condition === 'number') {
        return valueOf(pond, pond.conditions[condition], outcomes, held);
      }
      const { pebble, is, all, any, not } = condition;
      if (is) {
        const outcome = outcomes[pebble], place = condition.case;
        if (outcome === 255) return -1;
        if (place === undefined) return Number(is.includes(words[outcome]));
        // The case, or its negation, which lists the other outcomes.
        const holds = outcome === outcomeOfCase(place) && (held[pebble] ?? []).includes(place);
        return Number(holds === (is.includes(words[outcomeOfCase(place)])));
      }
      const values = partsOf(condition).map(part => valueOf(pond, part, outcomes, held));
      if (all) return values.includes(0) ? 0 : values.includes(-1) ? -1 : 1;
      if (any) return values.includes(1) ? 1 : values.includes(-1) ? -1 : 0;
      return not === undefined || values[0] < 0 ? values[0] : 1 - values[0];
    };
    const mentioned = (pond, condition) => {
      if (typeof condition === 'boolean') return [];
      if (typeof condition === 'number') return mentioned(pond, pond.conditions[condition]);
      if (condition.is) return [condition.pebble];
      return partsOf(condition).flatMap(part => mentioned(pond, part));
    };
    """
}
