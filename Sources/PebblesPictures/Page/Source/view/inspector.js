// The state that the parts of the page share: the run, the selection, and the visible range of
// time.

class Inspector {
  constructor(run) {
    this.run = run;
    this.earlier = null;
    // The selected pebble; -1 if a group or nothing is selected.
    this.picked = -1;
    this.pickedGroup = -1;
    this.whole = Math.max(run.makespan, 1);
    this.from = 0;
    this.to = this.whole;
    this.view = 'timeline';
    // The bodies that are supposed to end otherwise: the index of the supposed way, by the position
    // of the pebble.
    this.supposed = new Map();
    this.ending = null;
    this.outline = new Outline(run);
    // The pebbles that pass the filters, and the rows that show them.
    this.listed = this.rows = new Uint32Array(0);
    this.places = new Int32Array(run.count).fill(-1);
    this.actions = {};
  }

  /// Performs an action at each change of a kind: `pick`, `time`, `rows`, `view`, `ending`,
  /// `earlier`, and, while the run is under way, `run` and `glance`.
  on(change, action) { (this.actions[change] ??= []).push(action); }

  tell(change) { for (const action of this.actions[change] ?? []) action(); }

  pick(pebble) {
    if (pebble === undefined || pebble === this.picked) return;
    this.picked = pebble;
    this.pickedGroup = -1;
    if (pebble >= 0) {
      history.replaceState(null, '', linkTo(this.run, pebble));
      this.revealPick();
    }
    this.tell('pick');
  }

  /// Opens the groups around the selected pebble if they hide it.
  revealPick() {
    const { picked, places, outline, view } = this;
    if (view !== 'timeline' || picked < 0 || places[picked] >= 0) return;
    if (outline.reveal(picked)) this.list(this.listed);
  }

  /// Selects the pebble or the group of a row.
  pickRow(row) {
    if (row === undefined) return;
    const group = this.outline.groupAt(row);
    if (group < 0) return this.pick(row);
    this.picked = -1;
    this.pickedGroup = group;
    // The pebble is removed from the address, so that a link to any pebble has an effect.
    history.replaceState(null, '', '#');
    this.tell('pick');
  }

  /// Lists the pebbles that pass the filters.
  list(listed) {
    const { outline, places } = this;
    this.listed = listed;
    this.rows = outline.rows(listed);
    if (this.pickedGroup >= 0 && !outline.isListed(this.pickedGroup)) this.pickedGroup = -1;
    this.knownStops = undefined;
    places.fill(-1);
    this.groupPlaces = new Map();
    const { count } = this.run;
    this.rows.forEach((row, place) => {
      if (row < count) places[row] = place;
      else if (outline.groupAt(row) >= 0) this.groupPlaces.set(outline.groupAt(row), place);
      else for (const pebble of outline.laneAt(row)) places[pebble] = place;
    });
    this.tell('rows');
  }

  /// Opens or closes a group, and selects it.
  fold(group, isOpen) {
    this.outline.toggle(group, isOpen);
    this.list(this.listed);
    this.pickRow(this.run.count + group);
  }

  /// The place of the selection among the rows; -1 if the selection is not among them.
  get pickedPlace() {
    const { picked, pickedGroup } = this;
    return picked < 0 ? this.groupPlaces?.get(pickedGroup) ?? -1 : this.places[picked];
  }

  /// The rows and pebbles that can be selected one after the other: the rows, with the pebbles of
  /// each lane in place of the lane. In the graph, which has no groups, the listed pebbles.
  get stops() {
    if (this.view === 'graph') return this.listed;
    return this.knownStops ??= this.outline.isPacked
      ? Uint32Array.from([...this.rows].flatMap(row => this.outline.laneAt(row) ?? [row])) : this.rows;
  }

  /// Moves the selection by a number of rows; up if the number is negative.
  move(by) {
    const { stops, run, picked, pickedGroup } = this;
    const own = picked >= 0 ? picked : pickedGroup >= 0 ? run.count + pickedGroup : -1;
    const place = own < 0 ? -1 : stops.indexOf(own);
    this.pickRow(stops[place < 0 ? 0 : Math.max(0, Math.min(stops.length - 1, place + by))]);
  }

  /// Takes over the makespan of a run under way. If the whole time of the run was visible, it
  /// remains visible.
  grow() {
    const showsAllTime = this.showsAllTime;
    this.whole = Math.max(this.run.makespan, 1);
    if (showsAllTime) this.to = this.whole;
  }

  showTime(from, to) {
    // The shortest visible range is a millionth of the run, or a nanosecond if that is longer.
    const least = Math.max(this.whole / 1e6, 1), middle = (from + to) / 2;
    const span = Math.min(Math.max(to - from, least), this.whole);
    // At the start or the end of the run, the range is moved instead of being shortened, so that
    // zooming keeps its width.
    this.from = Math.max(0, Math.min(middle - span / 2, this.whole - span));
    this.to = this.from + span;
    this.tell('time');
  }

  get showsAllTime() { return this.to - this.from >= this.whole * 0.999; }

  show(view) {
    this.view = view;
    this.revealPick();
    this.tell('view');
  }

  /// Returns the supposed end of the body of a pebble. If the body did not run, it is by default
  /// supposed to succeed.
  body(pebble) {
    const way = this.supposed.get(pebble);
    return way ? this.ways(pebble)[way] : this.first(pebble);
  }

  /// Returns the ways in which the body of a pebble can end: first as it did, then with the other
  /// outcome, then with the same outcome and other cases. A given pebble cannot have the other
  /// outcome.
  ways(pebble) {
    const own = this.run.pond.pebbles[pebble], first = this.first(pebble), { outcome } = first;
    const isOther = ({ held }) => held.join() !== first.held.join();
    const otherwise = own.given ? [] : waysOf(own, 1 - outcome);
    return [first, ...otherwise, ...waysOf(own, outcome).filter(isOther)];
  }

  first(pebble) {
    const { run } = this, outcome = run.outcomes[pebble] === failed ? failed : succeeded;
    return run.hasRun(pebble) && !run.isOpen(pebble) ? { outcome, held: run.held[pebble] ?? [] }
      : waysOf(run.pond.pebbles[pebble], outcome)[0];
  }

  /// Supposes that the body of a pebble ends in one of its ways, by default in the next way.
  suppose(pebble, way = (this.supposed.get(pebble) ?? 0) + 1) {
    if (this.ways(pebble)[way] && way) this.supposed.set(pebble, way);
    else this.supposed.delete(pebble);
    this.settleSuppositions();
  }

  forgetSuppositions() {
    this.supposed.clear();
    this.settleSuppositions();
  }

  settleSuppositions() {
    this.ending = this.outline.supposedEnds = this.supposed.size ? this.supposedEnding() : null;
    // The rows stay the same, but their counts change.
    this.outline.rows(this.listed);
    this.tell('ending');
  }

  /// The supposed end of each pebble or, if nothing is supposed, its end in the run.
  get ends() { return this.ending ?? this.run.ends; }

  isChanged(pebble) {
    return this.ending !== null && this.ending[pebble] !== this.run.ends[pebble]
      && !this.run.isOpen(pebble);
  }

  supposedEnding() {
    const { run } = this, all = run.document.pebbles;
    const skippedFor = reason => all.flatMap(({ reason: own }, k) => own === reason ? [k] : []);
    const bodies = all.map((_, pebble) => this.body(pebble));
    const leftOut = skippedFor('notAskedFor');
    const ends = supposedEnds(run.network, {
      bodies: Uint8Array.from(bodies, ({ outcome }) => outcome),
      held: bodies.map(({ held }) => held),
      disabled: skippedFor('disabled'), notAskedFor: leftOut,
      cancelled: skippedFor('cancelled'),
    });
    // The goal was not part of the run.
    if (leftOut.length && run.document.goalReached === undefined) ends.goal = unknown;
    return ends;
  }
}

function linkTo(run, pebble) { return `#pebble=${encodeURIComponent(run.names[pebble])}`; }

/// Returns the pebble that the address of the page names; `undefined` if the address names none.
function linkedPebble(run) {
  const [, name] = /^#pebble=(.*)$/s.exec(location.hash) ?? [];
  if (name === undefined) return undefined;
  try {
    return run.positions.get(decodeURIComponent(name));
  } catch {
    return undefined;
  }
}
