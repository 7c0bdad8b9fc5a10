// Groups of pebbles: clusters, and pebbles whose names begin with the same part.

const fewestInGroup = 2, mostUnsplit = 30;

/// The groups. Each has a title and the number of the group around it, which is lower than its own
/// number; -1 for an outermost group.
class Groups {
  constructor({ pond, names }) {
    this.names = names;
    this.titles = [];
    this.parents = [];
    this.levels = [];
    /// The innermost group of each pebble, or -1.
    this.of = new Int32Array(names.length).fill(-1);
    const rest = this.addClusters(pond.clusters ?? []);
    this.split(endsAtSigns, rest, () => true, 1);
    const sizes = this.sizes();
    // Pebbles without a group, and pebbles of large groups, are grouped by the first word of their
    // names.
    this.split(endOfWord, rest, group => group < 0 || sizes[group] > mostUnsplit, 0);
  }

  get count() { return this.titles.length; }

  add(title, parent) {
    this.titles.push(title.trim() ? title : 'without a name');
    this.parents.push(parent);
    return this.levels.push(parent < 0 ? 1 : this.levels[parent] + 1) - 1;
  }

  /// Adds the clusters as groups. Returns, for each name, the position after the prefix that
  /// consists of the names of its clusters.
  addClusters(clusters) {
    const rest = new Uint32Array(this.names.length), made = [];
    for (const { name, parent, first, count } of clusters) {
      const group = count ? this.add(shortened(name), made[parent] ?? -1) : -1;
      made.push(group);
      for (let pebble = first; pebble < first + count && group >= 0; pebble++) {
        this.of[pebble] = group;
        if (this.names[pebble].startsWith(name, rest[pebble])) rest[pebble] += name.length + 1;
      }
    }
    return rest;
  }

  sizes() {
    const sizes = new Uint32Array(this.count), { of } = this;
    for (let pebble = 0; pebble < of.length; pebble++) if (of[pebble] >= 0) sizes[of[pebble]]++;
    return sizes;
  }

  /// Splits names into parts, and makes a group of the pebbles whose names begin with the same
  /// parts. No group is made for a single pebble, or for all pebbles of the group around it: what
  /// these have in common then begins the titles of the groups inside. `gap` is the number of
  /// characters between two parts.
  split(findEnds, rest, isSplit, gap) {
    const { names, of } = this, count = names.length, outers = new Map();
    // The beginnings of all names, as numbers, so that each string is made once. `starts` contains
    // the index of the first beginning of each name.
    const starts = new Uint32Array(count + 1), keys = [], ends = [], sizes = [], found = [];
    for (let pebble = 0; pebble < count; pebble++) {
      const group = of[pebble], name = names[pebble], begin = rest[pebble];
      if (isSplit(group)) {
        let outer = outers.get(group);
        if (!outer) outers.set(group, outer = { size: 0, keys: new Map() });
        outer.size++;
        found.length = 0;
        findEnds(name, begin, found);
        for (let place = 0; place < found.length; place++) {
          const text = name.slice(begin, found[place]);
          let key = outer.keys.get(text);
          if (key === undefined) outer.keys.set(text, key = sizes.push(0) - 1);
          sizes[key]++;
          keys.push(key);
          ends.push(found[place]);
        }
      }
      starts[pebble + 1] = keys.length;
    }
    const made = new Int32Array(sizes.length).fill(-1);
    for (let pebble = 0; pebble < count; pebble++) {
      if (starts[pebble] === starts[pebble + 1]) continue;
      let group = of[pebble], all = outers.get(group).size, from = rest[pebble];
      for (let place = starts[pebble]; place < starts[pebble + 1]; place++) {
        const key = keys[place], end = ends[place];
        if (sizes[key] < fewestInGroup) break;
        rest[pebble] = end + gap;
        if (sizes[key] === all) continue;
        if (made[key] < 0) made[key] = this.add(titleOf(names[pebble].slice(from, end)), group);
        group = made[key];
        all = sizes[key];
        from = end + gap;
      }
      of[pebble] = group;
    }
  }
}

/// Returns the title of a group of names that have a part in common: this part, without the signs
/// at its beginning.
function titleOf(part) { return shortened(part.replace(/^[/.:]+(?=[^/.:])/, '')); }

/// Finds the ends of the parts of a name except the last, at `/`, `.` or `:`. Several such signs in
/// a row count as one.
function endsAtSigns(name, start, found) {
  for (let place = start + 1; place < name.length - 1 && found.length < 8; place++) {
    const code = name.charCodeAt(place);
    if (isSign(code) && !isSign(name.charCodeAt(place - 1))) found.push(place);
  }
}

function isSign(code) { return code === 47 || code === 46 || code === 58; }

/// Finds the end of the first word of a name: before a capital letter, a number or a sign.
function endOfWord(name, start, found) {
  let place = start;
  for (let code = name.charCodeAt(place); code < 128; code = name.charCodeAt(++place)) {
    const isSmall = code >= 97 && code <= 122, isLarge = code >= 65 && code <= 90;
    if (isSmall || isLarge && place === start) continue;
    if (place > start + 1) found.push(place);
    return;
  }
  if (place >= name.length) return;
  const word = /^\p{L}\p{Ll}+(?=[^\p{Ll}])/u.exec(name.slice(start, start + 40));
  if (word) found.push(start + word[0].length);
}
