// What the parts of the page share: the run, what is selected, and what part of time is in sight.

class Inspector {
  constructor(run) {
    this.run = run;
    this.earlier = null;
    // A pebble or, if that is -1, a group.
    this.picked = -1;
    this.pickedGroup = -1;
    this.whole = Math.max(run.makespan, 1);
    this.from = 0;
    this.to = this.whole;
    this.view = 'timeline';
    // Bodies that are supposed to end otherwise: position, and in which of their ways.
    this.supposed = new Map();
    this.ending = null;
    this.outline = new Outline(run);
    // The pebbles that pass the filters, and the rows that they stand in.
    this.listed = this.rows = new Uint32Array(0);
    this.places = new Int32Array(run.count).fill(-1);
    this.actions = {};
  }

  /// Has an action done whenever something changes: `pick`, `time`, `rows`, `view`, `ending`,
  /// `earlier`, and `run`, while that is under way.
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

  /// Opens the groups around the selection, where there are groups.
  revealPick() {
    const { picked, places, outline, view } = this;
    if (view !== 'timeline' || picked < 0 || places[picked] >= 0) return;
    if (outline.reveal(picked)) this.list(this.listed);
  }

  /// Selects what a row stands for.
  pickRow(row) {
    if (row === undefined) return;
    const group = this.outline.groupAt(row);
    if (group < 0) return this.pick(row);
    this.picked = -1;
    this.pickedGroup = group;
    // The address names no pebble, so that a link to any of them leads there.
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

  /// Where the selection stands among the rows; -1 if nowhere.
  get pickedPlace() {
    const { picked, pickedGroup } = this;
    return picked < 0 ? this.groupPlaces?.get(pickedGroup) ?? -1 : this.places[picked];
  }

  /// What the selection goes through: rows, and in lanes the pebbles of each; in the graph, which
  /// has no groups, the pebbles.
  get stops() {
    if (this.view === 'graph') return this.listed;
    return this.knownStops ??= this.outline.isPacked
      ? Uint32Array.from([...this.rows].flatMap(row => this.outline.laneAt(row) ?? [row])) : this.rows;
  }

  /// Goes so many rows up or down from the selection.
  move(by) {
    const { stops, run, picked, pickedGroup } = this;
    const own = picked >= 0 ? picked : pickedGroup >= 0 ? run.count + pickedGroup : -1;
    const place = own < 0 ? -1 : stops.indexOf(own);
    this.pickRow(stops[place < 0 ? 0 : Math.max(0, Math.min(stops.length - 1, place + by))]);
  }

  /// The run goes on: what shows all of it goes on showing that.
  grow() {
    const showsAllTime = this.showsAllTime;
    this.whole = Math.max(this.run.makespan, 1);
    if (showsAllTime) this.to = this.whole;
  }

  showTime(from, to) {
    // A millionth of the run, or a nanosecond, is the least there is to see.
    const least = Math.max(this.whole / 1e6, 1), middle = (from + to) / 2;
    const span = Math.min(Math.max(to - from, least), this.whole);
    // At an edge it is moved rather than cut, so that what is zoomed out of is as wide as it was.
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

  /// How the body of a pebble ends as things are supposed; one that did not run would succeed.
  body(pebble) {
    const way = this.supposed.get(pebble);
    return way ? this.ways(pebble)[way] : this.first(pebble);
  }

  /// The ways in which it can end: first as it did, then with the other outcome. What is given has
  /// no other.
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

  /// Lets the body of a pebble end in one of its ways, or in the next.
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
    // Its rows are the same; what they count is not.
    this.outline.rows(this.listed);
    this.tell('ending');
  }

  /// How each pebble ended, or is supposed to.
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
    // The run was not asked for it.
    if (leftOut.length && run.document.goalReached === undefined) ends.goal = unknown;
    return ends;
  }
}

function linkTo(run, pebble) { return `#pebble=${encodeURIComponent(run.names[pebble])}`; }

/// The pebble that the address names; `undefined` if there is none.
function linkedPebble(run) {
  const [, name] = /^#pebble=(.*)$/s.exec(location.hash) ?? [];
  if (name === undefined) return undefined;
  try {
    return run.positions.get(decodeURIComponent(name));
  } catch {
    return undefined;
  }
}
