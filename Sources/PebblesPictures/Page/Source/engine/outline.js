// The rows of the page: pebbles, groups of pebbles that can be opened and closed, and lanes of
// pebbles that do not overlap.

/// The maximum number of pebbles that are at first shown without groups, or with all groups open.
const mostUnfolded = 100;

/// The outline of a run. A row is a number: first come the pebbles, then the groups, then the
/// lanes.
class Outline {
  constructor(run) {
    this.run = run;
    this.isGrouped = run.count > mostUnfolded;
    this.isPacked = false;
    // Whether the user opened or closed a group, by group.
    this.opened = new Map();
    this.lanes = [];
    this.version = 0;
    // The supposed ends of the pebbles while the user asks what if; otherwise null.
    this.supposedEnds = null;
  }

  get groups() { return this.knownGroups ??= new Groups(this.run); }

  get hasGroups() { return this.isGrouped && this.groups.count > 0; }

  groupAt(row) {
    const group = row - this.run.count;
    return group >= 0 && this.hasGroups && group < this.groups.count ? group : -1;
  }

  get firstLane() { return this.run.count + (this.hasGroups ? this.groups.count : 0); }

  laneAt(row) { return this.lanes[row - this.firstLane]; }

  isOpen(group) { return this.opened.get(group) ?? this.listed.length <= mostUnfolded; }

  toggle(group, isOpen = !this.isOpen(group)) { this.opened.set(group, isOpen); }

  /// Opens all groups around a pebble. Returns whether any of these groups had been closed.
  reveal(pebble) {
    let hasChanged = false;
    if (!this.hasGroups) return false;
    for (let group = this.groups.of[pebble]; group >= 0; group = this.groups.parents[group]) {
      hasChanged ||= !this.isOpen(group);
      this.opened.set(group, true);
    }
    return hasChanged;
  }

  /// Returns the depth of a row in groups, starting at 1.
  level(row) {
    if (!this.hasGroups) return 1;
    const group = this.groupAt(row);
    if (group >= 0) return this.groups.levels[group];
    const own = this.groups.of[this.laneAt(row)?.[0] ?? row];
    return own < 0 ? 1 : this.groups.levels[own] + 1;
  }

  /// Returns the rows of the listed pebbles, in their order. A group comes at the place of its
  /// first listed pebble.
  rows(listed) {
    this.listed = listed;
    this.lanes = [];
    this.version++;
    if (!this.hasGroups) return this.isPacked ? Uint32Array.from(this.packed(listed)) : listed;
    const inside = this.inside = this.sum(listed), rows = [], pending = [inside.get(-1) ?? []];
    const places = [0];
    while (pending.length) {
      const depth = pending.length - 1, items = pending[depth];
      if (places[depth] === items.length) {
        pending.pop();
        places.pop();
        continue;
      }
      const item = items[places[depth]++];
      if (Array.isArray(item)) {
        for (const row of this.isPacked ? this.packed(item) : item) rows.push(row);
        continue;
      }
      rows.push(this.run.count + item);
      if (!this.isOpen(item)) continue;
      pending.push(inside.get(item));
      places.push(0);
    }
    return Uint32Array.from(rows);
  }

  /// Returns the listed contents of each group: inner groups, and lists of the pebbles between
  /// them. Also computes the counts and the time spans of the groups.
  sum(listed) {
    const { run, groups } = this, { spans, finished } = run, kinds = endNames.length;
    const ends = this.supposedEnds ?? run.ends;
    const inside = new Map();
    this.counts = new Uint32Array(groups.count * kinds);
    this.changes = new Uint32Array(groups.count);
    this.froms = new Float64Array(groups.count).fill(Infinity);
    this.tos = new Float64Array(groups.count).fill(-Infinity);
    const itemsOf = group => {
      let items = inside.get(group);
      if (!items) inside.set(group, items = []);
      return items;
    };
    // The list of pebbles at the end of each group; undefined if the group does not end with one.
    const lasts = new Array(groups.count + 1);
    for (const pebble of listed) {
      let group = groups.of[pebble];
      if (lasts[group + 1]) lasts[group + 1].push(pebble);
      else itemsOf(group).push(lasts[group + 1] = [pebble]);
      const from = spans.from[pebble], to = finished[pebble];
      while (group >= 0) {
        const parent = groups.parents[group];
        if (this.froms[group] === Infinity) {
          itemsOf(parent).push(group);
          lasts[parent + 1] = undefined;
        }
        this.counts[group * kinds + ends[pebble]]++;
        if (ends[pebble] !== run.ends[pebble]) this.changes[group]++;
        this.froms[group] = Math.min(this.froms[group], from);
        this.tos[group] = Math.max(this.tos[group], to);
        group = parent;
      }
    }
    return inside;
  }

  /// Returns the listed pebbles of a group, including the pebbles of its inner groups.
  members(group) {
    const found = [], pending = [group];
    while (pending.length) {
      for (const item of this.inside.get(pending.pop())) {
        if (typeof item === 'number') pending.push(item);
        else for (const pebble of item) found.push(pebble);
      }
    }
    return found;
  }

  /// Returns whether any pebble of a group is listed.
  isListed(group) { return this.hasGroups && this.froms[group] < Infinity; }

  countsOf(group) {
    return this.counts.subarray(group * endNames.length, (group + 1) * endNames.length);
  }

  /// Returns the worst end of the listed pebbles in a group.
  worst(group) {
    const counts = this.countsOf(group);
    return endsByGravity.find(end => counts[end]) ?? succeeded;
  }

  /// Puts pebbles into as few lanes as possible, and returns the rows of the lanes.
  packed(pebbles) {
    const { run } = this, first = this.firstLane, rows = [];
    // A heap of the lanes, with the lane that ends first on top.
    const heap = [], { from } = run.spans;
    const order = [...pebbles].sort((one, other) => from[one] - from[other]);
    for (const pebble of order) {
      const begin = run.decided(pebble), end = run.until(pebble);
      if (heap.length && heap[0].end <= begin) {
        heap[0].lane.push(pebble);
        heap[0].end = end;
        sink(heap);
      } else {
        const lane = [pebble];
        rows.push(first + this.lanes.push(lane) - 1);
        rise(heap, { lane, end });
      }
    }
    return rows;
  }
}

function rise(heap, entry) {
  let place = heap.push(entry) - 1;
  while (place && heap[(place - 1) >> 1].end > entry.end) {
    heap[place] = heap[(place - 1) >> 1];
    place = (place - 1) >> 1;
  }
  heap[place] = entry;
}

function sink(heap) {
  const [entry] = heap;
  let place = 0;
  for (;;) {
    let next = 2 * place + 1;
    if (next + 1 < heap.length && heap[next + 1].end < heap[next].end) next++;
    if (next >= heap.length || heap[next].end >= entry.end) break;
    heap[place] = heap[next];
    place = next;
  }
  heap[place] = entry;
}
