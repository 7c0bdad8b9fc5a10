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
    this.text = byID('text');
    this.text.addEventListener('input', () => this.apply());
    for (const id of ['part', 'order']) byID(id).addEventListener('change', () => this.apply());
    endNames.forEach((name, end) => {
      // Those that are rare are there when they are.
      if (end <= wasNotNeeded || run.counts[end]) byID('outcomes').append(this.chip(name, end));
    });
    inspector.on('earlier', () => this.earlierChanged());
    inspector.on('pick', () => byID('part').value === pickedPart && this.apply());
    this.earlierChanged();
  }

  chip(name, end) {
    const { run } = this.inspector;
    const text = `${endMarks[end]} ${grouped(run.counts[end])} ${name}`;
    const chip = element('button', { class: name.replace(' ', '-'), 'aria-pressed': 'true' }, text);
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
    const rows = filters.rows(this.order(byID('order').value));
    byID('count').textContent = rows.length === run.count
      ? counted(run.count)
      : `${grouped(rows.length)} of ${counted(run.count)}`;
    byID('empty').hidden = rows.length > 0;
    inspector.list(rows);
  }

  askForPart(part) {
    const { inspector, filters } = this, { run, earlier, picked } = inspector;
    const least = run.makespan / 1000;
    if (part === chainPart || part === pickedPart) {
      const to = part === chainPart || picked < 0 ? run.last : picked;
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

  /// The pebbles in an order, sorted once; `undefined` for that of definition.
  order(name) {
    const { run, earlier } = this.inspector;
    const start = pebble => run.hasRun(pebble) ? run.started[pebble] : run.finished[pebble];
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
    return positions.sort((one, other) => keys[one] - keys[other] || one - other);
  }

  byName() {
    const { all } = this.names;
    return Uint32Array.from(all.keys()).sort((one, other) =>
      all[one] < all[other] ? -1 : all[one] > all[other] ? 1 : one - other);
  }

  clear() {
    if (!this.text.value) return false;
    this.text.value = '';
    this.apply();
    return true;
  }
}
