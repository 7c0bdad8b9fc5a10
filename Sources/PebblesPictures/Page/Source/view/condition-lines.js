// A condition as lines, with what each part of it was when the whole was decided.

const mostConditionLines = 150, deepestCondition = 12;

/// A line is `{ depth, mark, moot, parts }`; parts are texts and positions of pebbles.
class ConditionLines {
  constructor(run, pebble) {
    this.run = run;
    this.lines = [];
    this.omitted = 0;
    const time = run.decided(pebble);
    // What settled later had no part in it. In a run without times, or within a nanosecond, it may
    // have: then it counts.
    this.outcomes = run.outcomes.map((outcome, other) =>
      run.finished[other] <= time && other !== pebble ? outcome : unsettled);
    this.values = run.network.values(this.outcomes);
    const { needs, when } = run.pond.pebbles[pebble];
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
    const outcome = this.outcomes[operand.pebble];
    return outcome === unsettled ? unknown : maskOf(operand.is) >> outcome & 1;
  }

  add(condition, place, depth, moot, value) {
    if (this.lines.length >= mostConditionLines || depth > deepestCondition) {
      this.omitted++;
      return;
    }
    const mark = value === yes ? '✓' : value === no ? '✗' : '?';
    const isMoot = moot || value === unknown;
    const parts = this.partsOf(condition, value);
    this.lines.push({ depth, mark, moot: isMoot, parts });
    if (typeof condition === 'boolean' || condition.pebble !== undefined) return;
    // An operand that says otherwise than what it is part of did not decide that.
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

  atomParts({ pebble, is }, value) {
    const { run } = this, word = wordOf(is);
    if (value === yes) return [pebble, ` ${word}`];
    const outcome = run.outcomes[pebble];
    const fact = value === no ? `it ${outcome === skipped ? pastOf(run, pebble) : endNames[outcome]}`
      : 'that was still open';
    return [pebble, ` ${word} – ${fact}`];
  }
}

/// The word for a set of outcomes, as in a condition.
function wordOf(names) {
  const mask = maskOf(names);
  return { 3: 'completed', 7: 'settled', 0: 'never' }[mask] ?? names.join(' or ');
}
