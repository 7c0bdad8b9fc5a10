// What one row shows of a pebble: its name, when it waited and ran, and a label where there is
// room.

/// Makes the element of a row; its parts are kept with it.
function makeRow(slot) {
  const parts = {
    mark: element('span', { class: 'mark', 'aria-hidden': 'true' }),
    text: element('span', { class: 'text' }),
    took: element('span', { class: 'took' }),
    earlier: element('div', { class: 'earlier' }),
    wait: element('div', { class: 'wait' }),
    bar: element('div', { class: 'bar' }),
    dot: element('div', { class: 'dot' }),
    label: element('span', { class: 'label' }),
  };
  const name = element('div', { role: 'rowheader', class: 'name' },
    parts.mark, parts.text, parts.took);
  const lane = element('div', { role: 'gridcell', class: 'lane' },
    parts.earlier, parts.wait, parts.bar, parts.dot, parts.label);
  const row = element('div', { role: 'row', class: 'row', id: `row-${slot}` }, name, lane);
  row.parts = parts;
  return row;
}

class Lane {
  constructor(inspector) {
    this.inspector = inspector;
    this.width = 800;
    this.nameWidth = 200;
    this.chain = new Set(inspector.run.longestChain);
  }

  /// Fills the element of a row. Says whether it may be taller than usual.
  show(row, pebble) {
    const { inspector, chain } = this, { run } = inspector, { parts } = row;
    const hasRun = run.hasRun(pebble);
    row.className = `row ${run.style(pebble)}${chain.has(pebble) ? ' critical' : ''}`
      + (this.isChanged(pebble) ? ' changed' : '');
    row.dataset.pebble = pebble;
    row.setAttribute('aria-selected', pebble === inspector.picked);
    setText(parts.mark, run.mark(pebble));
    setText(parts.text, visible(run.names[pebble]));
    setText(parts.took, hasRun && !run.origin(pebble) ? brief(run.took(pebble)) : '');
    parts.bar.hidden = parts.wait.hidden = !hasRun;
    parts.dot.hidden = hasRun;
    this.showEarlier(parts.earlier, pebble);
    if (hasRun) this.showBars(parts, pebble);
    else parts.dot.style.left = `${this.percent(run.finished[pebble])}%`;
    this.showLabel(parts.label, pebble);
    // Names are larger than labels, and have a mark and a time beside them. Few letters fit anyway.
    const name = parts.text.textContent, room = (this.nameWidth - 120) / 1.1;
    return name.length * 14 > room && measure(name) > room;
  }

  isChanged(pebble) {
    const { ending, run } = this.inspector;
    return ending !== null && ending[pebble] !== run.ends[pebble];
  }

  /// Where a time is in the lane. What is out of sight is just outside of it.
  percent(time) {
    const { from, to } = this.inspector;
    return Math.max(-2, Math.min(102, (time - from) / (to - from) * 100));
  }

  stretch(part, from, to) {
    const left = this.percent(from);
    part.style.left = `${left}%`;
    part.style.width = `${this.percent(to) - left}%`;
  }

  showBars({ bar, wait }, pebble) {
    const { run } = this.inspector, { attempts } = run.record(pebble);
    this.stretch(wait, run.ready[pebble], run.started[pebble]);
    this.stretch(bar, run.started[pebble], run.finished[pebble]);
    if (!attempts && !bar.firstChild) return;
    const took = Math.max(run.took(pebble), 1);
    bar.replaceChildren(...(attempts ?? []).slice(1, 60).map(({ started }) => {
      const cut = element('i');
      cut.style.left = `${(started - run.started[pebble]) / took * 100}%`;
      return cut;
    }));
  }

  showEarlier(part, pebble) {
    const { earlier, run } = this.inspector, before = earlier?.positionOf(pebble) ?? -1;
    part.hidden = before < 0 || !earlier.run.hasRun(before)
      || earlier.run.started[before] === run.started[pebble]
      && earlier.run.finished[before] === run.finished[pebble];
    if (part.hidden) return;
    this.stretch(part, earlier.run.started[before], earlier.run.finished[before]);
  }

  /// A label stands in its bar if it fits, else behind it, else before it; if it fits nowhere it is
  /// cut.
  showLabel(label, pebble) {
    const { run } = this.inspector, text = this.text(pebble), room = this.width / 100;
    const end = this.percent(run.finished[pebble]) * room, needed = measure(text) + 14;
    const begin = run.hasRun(pebble) ? this.percent(run.started[pebble]) * room : end - 6;
    const waitBegin = run.hasRun(pebble) ? this.percent(run.ready[pebble]) * room : begin;
    const isInside = run.outcomes[pebble] === succeeded && end - begin > needed;
    const isAfter = end + needed + 6 < this.width || waitBegin < needed;
    const side = isInside ? 'inside' : isAfter ? 'after' : 'before';
    setText(label, text);
    label.className = `label ${side}`;
    const style = label.style;
    style.left = isInside ? `${Math.max(0, begin) / room}%` : isAfter ? `${end / room}%` : 'auto';
    style.right = side === 'before' ? `${100 - waitBegin / room}%` : 'auto';
    const space = side === 'before' ? waitBegin : this.width - Math.max(0, isInside ? begin : end);
    style.maxWidth = `${Math.max(0, space - 4) / room}%`;
    label.hidden = end < 0 || begin > this.width;
  }

  text(pebble) {
    const { run } = this.inspector, { error, reason } = run.record(pebble);
    const cases = run.caseText(pebble, '', run.held[pebble]).slice(1);
    if (run.hasRun(pebble)) {
      const text = run.outcomes[pebble] === failed ? shortened(error, 90)
        : run.origin(pebble) || brief(run.took(pebble));
      return [cases, text].filter(Boolean).join(error ? ': ' : ', ');
    }
    const cause = run.causes[pebble];
    const kind = run.ends[pebble] > wasNotNeeded ? '' : `${endNames[run.ends[pebble]]}, `;
    if (reason !== 'conditionFalse') return kind + (skipWords[reason] ?? reason);
    return kind + (cause < 0 ? 'never to run' : `because of ${shortened(run.names[cause])}`);
  }
}

const skipWords = {
  conditionFalse: 'its condition became false', stalled: 'stalled', cancelled: 'cancelled',
  disabled: 'disabled', notAskedFor: 'not asked for',
  resourceHeld: 'what it waited for was not given back or stays down',
};
