// Search, filters and order.

const chainPart = 'chain', pickedPart = 'picked', waitedPart = 'waited';
const differentPart = 'different';

class Controls {
  constructor(inspector) {
    const { run } = inspector;
    this.inspector = inspector;
    this.filters = new Filters(run.count);
    this.names = new FoldedNames(run.names);
    this.wanted = endNames.map(() => true);
    this.sorted = {};
    // The last pebble of the listed chain; -1 if none is listed.
    this.chainEnd = -1;
    this.text = byID('text');
    this.text.addEventListener('input', () => this.apply());
    for (const id of ['part', 'order']) {
      byID(id).addEventListener('change', () => {
        this.chainEnd = -1;
        this.apply();
      });
    }
    this.chips = endNames.map((name, end) => this.chip(name, end));
    byID('outcomes').append(...endsByGravity.map(end => this.chips[end]));
    this.showCounts();
    for (const [id, name] of [['groups', 'isGrouped'], ['lanes', 'isPacked']]) {
      byID(id).addEventListener('click', () => this.arrange(name));
    }
    inspector.on('time', onceAFrame(() => this.askForTime() && this.apply()));
    inspector.on('run', () => this.runChanged());
    inspector.on('earlier', () => this.earlierChanged());
    inspector.on('pick', () => byID('part').value === pickedPart && this.apply());
  }

  /// Turns groups or lanes on or off.
  arrange(name) {
    const { outline } = this.inspector;
    outline[name] = !outline[name];
    this.inspector.list(this.inspector.listed);
    this.showArrangement();
  }

  showArrangement() {
    const { outline } = this.inspector;
    byID('groups').setAttribute('aria-pressed', outline.isGrouped);
    byID('lanes').setAttribute('aria-pressed', outline.isPacked);
  }

  showCounts() {
    const { run } = this.inspector;
    endNames.forEach((name, end) => {
      setText(this.chips[end], `${endMarks[end]} ${grouped(run.counts[end])} ${name}`);
      // Rare ends have a button only if they occur, or if they are filtered out, so that they can
      // be listed again.
      this.chips[end].hidden = (end > wasNotNeeded || run.isLive) && !run.counts[end]
        && this.wanted[end];
    });
  }

  runChanged() {
    this.sorted = {};
    this.filters.forget();
    this.showCounts();
    this.apply();
  }

  chip(name, end) {
    const chip = element('button', { class: name.replace(' ', '-'), 'aria-pressed': 'true' });
    chip.addEventListener('click', () => {
      this.wanted[end] = !this.wanted[end];
      chip.setAttribute('aria-pressed', this.wanted[end]);
      this.apply();
    });
    return chip;
  }

  earlierChanged() {
    const hasEarlier = this.inspector.earlier !== null, part = byID('part'), order = byID('order');
    for (const select of [part, order]) {
      const option = select.querySelector(`[value=${differentPart}]`);
      option.hidden = option.disabled = !hasEarlier;
      if (!hasEarlier && select.value === differentPart) select.selectedIndex = 0;
    }
    delete this.sorted[differentPart];
    this.filters.part.question = `before ${this.filters.part.question}`;
    this.apply();
  }

  apply() {
    const { inspector, filters } = this, { run } = inspector;
    this.names.search(filters.text, this.text.value);
    const isWanted = pebble => this.wanted[run.ends[pebble]];
    filters.outcome.ask(this.wanted.every(Boolean) ? '' : this.wanted.join(), isWanted);
    this.askForPart(byID('part').value);
    this.askForTime();
    const rows = filters.rows(this.order(byID('order').value));
    const count = rows.length === run.count
      ? counted(run.count)
      : `${grouped(rows.length)} of ${counted(run.count)}`;
    const { from, to, showsAllTime } = inspector;
    setText(byID('count'), count + (showsAllTime ? '' : `, ${brief(from)} to ${brief(to)}`));
    byID('empty').hidden = rows.length > 0;
    if (!run.count) setText(byID('empty'), 'This run has no pebbles.');
    this.showArrangement();
    inspector.list(rows);
  }

  /// Filters by the visible range of time. Returns whether the range has changed.
  askForTime() {
    const { run, from, to, showsAllTime } = this.inspector, { time } = this.filters;
    const before = time.question, { spans } = run;
    time.ask(showsAllTime ? '' : `${from} ${to}`, pebble =>
      spans.from[pebble] <= to && spans.to[pebble] >= from);
    return time.question !== before;
  }

  askForPart(part) {
    const { inspector, filters } = this, { run, earlier, picked } = inspector;
    const least = run.makespan / 1000;
    if (part === chainPart || part === pickedPart) {
      // The listed chain does not change while the selection moves within it.
      if (!run.chain(this.chainEnd).includes(picked)) this.chainEnd = picked;
      const to = part === chainPart || this.chainEnd < 0 ? run.last : this.chainEnd;
      const chain = new Set(run.chain(to));
      filters.part.ask(`chain to ${to}`, pebble => chain.has(pebble));
    } else if (part === waitedPart) {
      filters.part.ask(part, pebble => run.waited(pebble) > least);
    } else if (part === differentPart && earlier) {
      filters.part.ask(part, pebble => earlier.differs(run, pebble));
    } else {
      filters.part.ask('');
    }
  }

  /// Returns the pebbles in an order, which is computed once; `undefined` for definition order.
  order(name) {
    const { run, earlier } = this.inspector;
    // Pebbles that have not started in a run under way come last.
    const start = pebble => run.hasRun(pebble) ? run.started[pebble]
      : run.isOpen(pebble) ? Infinity : run.finished[pebble];
    const change = pebble => {
      const before = earlier.positionOf(pebble);
      return before < 0 ? Infinity : Math.abs(run.took(pebble) - earlier.run.took(before));
    };
    const keys = {
      start, took: pebble => -run.took(pebble), waited: pebble => -run.waited(pebble),
      different: pebble => -change(pebble),
    };
    if (name === 'name') return this.sorted.name ??= this.byName();
    if (!keys[name]) return undefined;
    return this.sorted[name] ??= this.byKey(Float64Array.from(run.names, (_, k) => keys[name](k)));
  }

  byKey(keys) {
    const positions = Uint32Array.from(keys.keys());
    return positions.sort((one, other) => keys[one] === keys[other] ? one - other
      : keys[one] - keys[other]);
  }

  byName() {
    const { all } = this.names;
    return Uint32Array.from(all.keys()).sort((one, other) =>
      all[one] < all[other] ? -1 : all[one] > all[other] ? 1 : one - other);
  }

  /// Clears the search or, if the search is empty, shows the whole time of the run.
  clear() {
    if (!this.text.value) return this.inspector.showTime(0, this.inspector.whole);
    this.text.value = '';
    this.apply();
  }
}
