// A row of the timeline with one pebble: its name, its wait, its bar with its attempts, and a label
// where there is room.

/// Creates the element of a row, with its parts as a property.
function makeRow(slot) {
  const parts = {
    mark: element('span', { class: 'mark', 'aria-hidden': 'true' }),
    text: element('span', { class: 'text' }),
    took: element('span', { class: 'took' }),
    earlier: element('div', { class: 'earlier' }),
    wait: element('div', { class: 'wait' }),
    tail: element('div', { class: 'tail' }),
    bar: element('div', { class: 'bar' }),
    dot: element('div', { class: 'dot' }),
    label: element('span', { class: 'label' }),
  };
  const name = element('div', { role: 'rowheader', class: 'name' },
    parts.mark, parts.text, parts.took);
  const lane = element('div', { role: 'gridcell', class: 'lane' },
    parts.earlier, parts.tail, parts.wait, parts.bar, parts.dot, parts.label);
  const row = element('div', { role: 'row', class: 'row', id: `row-${slot}` }, name, lane);
  Object.assign(parts, { name, lane });
  row.parts = parts;
  return row;
}

class Lane {
  constructor(inspector) {
    this.inspector = inspector;
    this.width = 800;
    this.nameWidth = 200;
  }

  get chain() {
    const { run } = this.inspector;
    if (this.knownChain?.of !== run.longestChain) {
      this.knownChain = Object.assign(new Set(run.longestChain), { of: run.longestChain });
    }
    return this.knownChain;
  }

  /// Fills the element of a row. Returns whether the row may be taller than usual.
  show(row, id) {
    const { inspector } = this, { outline } = inspector, { parts } = row;
    const group = outline.groupAt(id), lane = outline.laneAt(id), level = outline.level(id);
    const isList = group < 0 && !lane;
    row.dataset.row = id;
    row.setAttribute('aria-level', level);
    parts.name.style.paddingLeft = `${14 * level}px`;
    for (const part of ['earlier', 'tail', 'wait', 'dot']) parts[part].hidden = true;
    if (parts.canvas) parts.canvas.hidden = isList;
    if (group < 0) {
      row.removeAttribute('aria-expanded');
      parts.lane.removeAttribute('aria-label');
    }
    return isList ? this.showPebble(row, id)
      : group < 0 ? this.showLane(row, lane) : this.showGroup(row, group);
  }

  showPebble(row, pebble) {
    const { inspector, chain } = this, { run } = inspector, { parts } = row;
    const hasRun = run.hasRun(pebble), isChanged = inspector.isChanged(pebble);
    const end = isChanged ? inspector.ending[pebble] : run.ends[pebble];
    row.className = `row ${styleOf(end)}${chain.has(pebble) ? ' critical' : ''}`
      + (isChanged ? ` changed ${end < wasBlocked ? '' : 'unrun'}` : '');
    row.setAttribute('aria-selected', pebble === inspector.picked);
    setText(parts.mark, endMarks[end]);
    setText(parts.text, visible(run.names[pebble]));
    setText(parts.took, hasRun && !run.origin(pebble) ? brief(run.took(pebble)) : '');
    parts.bar.hidden = !hasRun;
    parts.dot.hidden = hasRun || run.isOpen(pebble);
    this.showEarlier(parts.earlier, pebble);
    this.showWait(parts.wait, pebble);
    if (hasRun) this.showBars(parts, pebble);
    else parts.dot.style.left = `${this.percent(run.finished[pebble])}%`;
    this.showLabel(parts.label, pebble);
    return this.isTall(parts);
  }

  isTall({ text }) {
    // Names have larger letters than labels, and a mark and a time beside them. A short name always
    // fits and is not measured.
    const name = text.textContent, room = (this.nameWidth - 120) / 1.1;
    return name.length * 14 > room && measure(name) > room;
  }

  /// Returns the position of a time in the lane, in percent. Times that are not visible are just
  /// outside of the lane.
  percent(time) {
    const { from, to } = this.inspector;
    return Math.max(-2, Math.min(102, (time - from) / (to - from) * 100));
  }

  stretch(part, from, to) {
    const left = this.percent(from);
    part.style.left = `${left}%`;
    part.style.width = `${this.percent(to) - left}%`;
  }

  showWait(wait, pebble) {
    const { run } = this.inspector, waited = run.waited(pebble);
    wait.hidden = !(waited > 0);
    if (waited > 0) this.stretch(wait, run.ready[pebble], run.ready[pebble] + waited);
  }

  showBars({ bar, tail }, pebble) {
    const { run } = this.inspector, { attempts } = run.record(pebble);
    this.stretch(bar, run.started[pebble], run.finished[pebble]);
    tail.hidden = !(run.upUntil(pebble) > run.finished[pebble]);
    if (!tail.hidden) this.stretch(tail, run.finished[pebble], run.upUntil(pebble));
    if (!attempts && !bar.firstChild) return;
    bar.replaceChildren(...attemptParts(run, pebble, attempts ?? []));
  }

  showEarlier(part, pebble) {
    const { earlier, run } = this.inspector, before = earlier?.positionOf(pebble) ?? -1;
    part.hidden = before < 0 || !earlier.run.hasRun(before)
      || earlier.run.started[before] === run.started[pebble]
      && earlier.run.finished[before] === run.finished[pebble];
    if (part.hidden) return;
    this.stretch(part, earlier.run.started[before], earlier.run.finished[before]);
  }

  /// Shows the label in its bar if it fits there and the bar is plain, otherwise after the bar,
  /// otherwise before it. A label that fits nowhere is truncated, in the bar or after it, where
  /// there is more room.
  showLabel(label, pebble) {
    const { inspector } = this, { run } = inspector, room = this.width / 100;
    const isChanged = inspector.isChanged(pebble);
    const text = isChanged ? wouldText(inspector.ending[pebble]) : this.text(pebble);
    const end = this.percent(run.finished[pebble]) * room, needed = measure(text) + 14;
    const begin = run.hasRun(pebble) ? this.percent(run.started[pebble]) * room : end - 6;
    const waitBegin = run.ready[pebble] >= 0 ? this.percent(run.ready[pebble]) * room : begin;
    const left = Math.max(0, begin), right = Math.min(end, this.width);
    const isPlain = run.outcomes[pebble] === succeeded && !isChanged
      && !(run.record(pebble).attempts?.length > 1);
    const side = isPlain && right - left > needed ? 'inside'
      : end + needed + 6 < this.width ? 'after' : waitBegin > needed ? 'before'
        : right - left > this.width - right ? 'on' : 'after';
    setText(label, text);
    label.className = `label ${side}${run.upUntil(pebble) && side !== 'inside' ? ' over' : ''}`;
    const { style } = label;
    style.left = side === 'inside' ? `${left / room}%` : side === 'after' ? `${end / room}%` : 'auto';
    style.right = side === 'before' ? `${100 - waitBegin / room}%`
      : side === 'on' ? `${100 - right / room}%` : 'auto';
    const space = side === 'before' ? waitBegin : side === 'on' ? right - left
      : this.width - Math.max(0, side === 'inside' ? begin : end);
    style.maxWidth = `${Math.max(0, space - 4) / room}%`;
    label.hidden = end < 0 && !(run.until(pebble) > inspector.from) || begin > this.width;
  }

  text(pebble) {
    const { run } = this.inspector, { error, reason } = run.record(pebble);
    if (run.isOpen(pebble)) return openText(run, pebble);
    const cases = run.caseText(pebble, '', run.held[pebble]).slice(1);
    if (run.hasRun(pebble)) {
      const text = run.outcomes[pebble] === failed ? shortened(error, 90)
        : run.serviceText(pebble) || run.origin(pebble) || brief(run.took(pebble));
      return [cases, text].filter(Boolean).join(error ? ': ' : ', ');
    }
    const cause = run.causes[pebble];
    const kind = run.ends[pebble] > wasNotNeeded ? '' : `${endNames[run.ends[pebble]]}, `;
    if (reason !== 'conditionFalse') return kind + (skipWords[reason] ?? reason);
    return kind + (cause < 0 ? 'never to run' : `because of ${shortened(run.names[cause])}`);
  }
}

/// Returns the parts of the bar of a pebble with several attempts: the failed attempts, and the
/// pauses between attempts.
function attemptParts(run, pebble, attempts) {
  const begin = run.started[pebble], took = Math.max(run.took(pebble), 1), parts = [];
  const add = (kind, from, to) => {
    const part = element('i', { class: kind });
    part.style.left = `${(from - begin) / took * 100}%`;
    part.style.width = `${Math.max(0, to - from) / took * 100}%`;
    parts.push(part);
  };
  attempts.slice(0, 60).forEach(({ started, finished, error }, k) => {
    if (k) add('pause', attempts[k - 1].finished, started);
    if (error !== undefined) add('tried', started, finished);
  });
  return parts;
}

/// Returns a text about the state of a pebble that has not settled.
function openText(run, pebble) {
  const { limits = [], attempts, isStopping } = run.record(pebble);
  if (run.hasRun(pebble)) {
    const again = attempts?.length ? `attempt ${attempts.length + 1}, ` : '';
    return `${again}${isStopping ? 'asked to stop, ' : ''}${brief(run.took(pebble))} so far`;
  }
  if (run.ready[pebble] >= 0) {
    const [limit] = limits, name = limit?.name === undefined ? '' : ` ${shortened(limit.name, 30)}`;
    return limit ? `ready, behind ${limitWords[limit.kind] ?? limit.kind}${name}` : 'ready';
  }
  const waitingFor = run.waitingFor(pebble);
  const named = waitingFor.slice(0, 2).map(name => shortened(name, 30)).join(', ');
  const more = waitingFor.length > 2 ? ` and ${waitingFor.length - 2} more` : '';
  return named ? `waits for ${named}${more}` : 'waits';
}

const limitWords = {
  maxConcurrent: 'the limit on running pebbles', blockingThreads: 'the threads for blocking bodies',
};

/// Returns a text about the supposed end of a pebble.
function wouldText(end) {
  return `would ${['succeed', 'fail', 'be blocked', 'not be needed'][end] ?? 'not run'}`;
}

const skipWords = {
  conditionFalse: 'its condition became false', stalled: 'stalled', cancelled: 'cancelled',
  disabled: 'disabled', notAskedFor: 'not asked for',
  resourceHeld: 'the resource it waited for was not released or stays down',
};
