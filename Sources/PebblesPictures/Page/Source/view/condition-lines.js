// A condition as lines, with the value of each operand at the time at which the whole condition was
// decided.

const mostConditionLines = 150, deepestCondition = 12;

/// The lines of a condition. A line is `{ depth, mark, moot, parts }`; the parts are texts and
/// positions of pebbles. The goal is the condition of pebble -1.
class ConditionLines {
  constructor(run, pebble) {
    this.run = run;
    this.lines = [];
    this.omitted = 0;
    const time = pebble < 0 ? Infinity : run.decided(pebble);
    // Pebbles that settled later did not affect the decision. A pebble that settled at the same
    // time counts, because it may have affected the decision.
    this.outcomes = run.outcomes.map((outcome, other) =>
      run.finished[other] <= time && other !== pebble ? outcome : unsettled);
    this.values = run.network.values(this.outcomes, run.held);
    const { needs, when } = run.pond.pebbles[pebble] ?? { when: run.pond.goal };
    const own = [needs, when].filter(condition => condition !== undefined);
    if (own.length > 1) this.add({ all: own }, -1, 0, false, this.values[pebble]);
    else for (const condition of own) this.addOperand(condition, 0, false);
  }

  addOperand(operand, depth, moot) {
    const value = this.valueOf(operand), { conditions } = this.run.network;
    if (typeof operand === 'number') this.add(conditions[operand], operand, depth, moot, value);
    else this.add(operand, -1, depth, moot, value);
  }

  valueOf(operand) {
    if (typeof operand === 'boolean') return operand ? yes : no;
    if (typeof operand === 'number') return this.values[this.run.network.pebbleCount + operand];
    const { pebble, is, case: place } = operand, { network, held } = this.run;
    return network.atomValue(pebble, maskOf(is), place, this.outcomes[pebble], held);
  }

  add(condition, place, depth, moot, value) {
    if (this.lines.length >= mostConditionLines || depth > deepestCondition) {
      this.omitted++;
      return;
    }
    const { pebble } = condition, { run } = this;
    // The atom is true, but its pebble did not succeed, so it gets no tick.
    const isSad = value === yes && pebble >= 0 && run.ends[pebble] !== succeeded;
    const mark = isSad ? '•' : value === yes ? '✓' : value === no ? '✗' : '?';
    const isMoot = moot || value === unknown;
    const parts = this.partsOf(condition, value);
    this.lines.push({ depth, mark, moot: isMoot, parts });
    if (typeof condition === 'boolean' || condition.pebble !== undefined) return;
    // An operand with another value than its operator did not decide the operator.
    const decisive = condition.not !== undefined ? 1 - value : value;
    for (const operand of operandsOf(condition)) {
      this.addOperand(operand, depth + 1, isMoot || this.valueOf(operand) !== decisive);
    }
  }

  partsOf(condition, value) {
    if (typeof condition === 'boolean') return [condition ? 'always' : 'never'];
    if (condition.pebble !== undefined) return this.atomParts(condition, value);
    if (condition.label !== undefined) return [`“${shortened(condition.label)}”`];
    return [condition.all ? 'all of' : condition.any ? 'any of' : 'not'];
  }

  atomParts({ pebble, is, case: place }, value) {
    const { run } = this, outcome = run.outcomes[pebble], one = run.pond.pebbles[pebble].cases?.[place];
    const own = one && outcomeOf(one), isNegated = maskOf(is) >> own & 1 ? '' : 'not ';
    const word = one ? isNegated + run.caseText(pebble, outcomeNames[own], [place]) : wordOf(is);
    if (value === yes) {
      const said = outcome === succeeded || is.length === 1 ? '' : outcome === skipped
        ? `: it ${pastOf(run, pebble)}` : `: it ${run.ending(pebble)}`;
      return [pebble, ` ${word}${said}`];
    }
    const otherwise = outcome === own && !run.held[pebble]?.length ? ' otherwise' : '';
    const past = outcome === skipped ? pastOf(run, pebble) : run.ending(pebble);
    const open = run.isOpen(pebble) ? 'that is still open' : 'that was still open';
    const fact = value === no ? `it ${past}${otherwise}` : open;
    return [pebble, ` ${word} – ${fact}`];
  }
}

/// Returns the word for a set of outcomes, as in a condition.
function wordOf(names) {
  const mask = maskOf(names);
  return { 3: 'completed', 7: 'settled', 0: 'never' }[mask] ?? names.join(' or ');
}
