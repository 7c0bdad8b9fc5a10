// Rows that show many pebbles: a group, in one bar, and a lane, in which they stand one after the
// other.

Object.assign(Lane.prototype, {
  showGroup(row, group) {
    const { inspector } = this, { outline } = inspector, { parts } = row;
    const end = outline.worst(group), isOpen = outline.isOpen(group);
    const counts = outline.countsOf(group);
    const from = outline.froms[group], to = outline.tos[group];
    row.className = `row group ${styleOf(end)}`;
    row.setAttribute('aria-expanded', isOpen);
    row.setAttribute('aria-selected', group === inspector.pickedGroup);
    setText(parts.mark, isOpen ? '−' : '+');
    setText(parts.text, `${endMarks[end]} ${visible(outline.groups.titles[group])}`);
    setText(parts.took, grouped(counts.reduce((sum, count) => sum + count, 0)));
    parts.bar.hidden = true;
    const span = brief(to - from), short = endsByGravity.filter(kind => counts[kind])
      .map(kind => `${endMarks[kind]} ${grouped(counts[kind])}`);
    this.placeLabel(parts.label, [countsText(counts), short.join(' '), short[0]]
      .map(text => `${text} in ${span}`), from, to);
    this.paintGroup(this.canvasOf(parts), group, from, to);
    return this.isTall(parts);
  },

  canvasOf(parts) {
    if (!parts.canvas) {
      parts.canvas = element('canvas', { 'aria-hidden': 'true' });
      parts.lane.prepend(parts.canvas);
    }
    parts.canvas.hidden = false;
    return parts.canvas;
  },

  /// How many of a group ran when, from its beginning to its end.
  paintGroup(canvas, group, from, to) {
    const { inspector, colours } = this, { outline } = inspector;
    // Most often it is there already.
    const { from: begin, to: end } = inspector;
    const key = [group, outline.version, begin, end, this.width, colours.text].join();
    if (canvas.dataset.key === key) return;
    const context = this.contextOf(canvas), members = outline.members(group), height = 20;
    canvas.dataset.key = key;
    const at = time => Math.round(this.percent(time) / 100 * this.width);
    const width = Math.ceil(this.width), outside = Math.ceil(width * 0.03);
    // What is out of sight is drawn there.
    const column = time => Math.max(0, Math.min(width + 2 * outside - 1, at(time) + outside));
    const { counts, marks } = columnsOf(inspector.run, members, column, width + 2 * outside);
    context.translate(-outside, 0);
    paintColumns(context, kind => colours[kind], counts,
      { width: width + 2 * outside, height, scale: 0.75, least: 1 });
    context.fillStyle = colours.failed;
    for (const x of marks) context.fillRect(x - 1, 1, 2, 3);
    context.fillStyle = colours.soft;
    context.fillRect(at(from) + outside, height, Math.max(2, at(to) - at(from)), 1);
  },

  contextOf(canvas) {
    const ratio = devicePixelRatio || 1, context = canvas.getContext('2d');
    canvas.width = Math.round(this.width * ratio);
    canvas.height = usualRowHeight * ratio;
    context.scale(ratio, ratio);
    return context;
  },

  /// A label behind what it is of, before it, or in the midst of it on the background.
  placeLabel(label, texts, from, to) {
    const room = this.width / 100, begin = this.percent(from) * room, end = this.percent(to) * room;
    const space = Math.max(begin, this.width - end);
    // Over the group, it may hide a quarter of it.
    const text = texts.find(one => measure(one) + 20 < space)
      ?? texts.slice(1).find(one => measure(one) < this.width / 4) ?? texts.at(-1);
    const needed = measure(text) + 20, isAfter = end + needed < this.width;
    const isBefore = !isAfter && begin > needed;
    setText(label, text);
    label.hidden = false;
    label.className = `label ${isAfter ? 'after' : isBefore ? 'before' : 'on'}`;
    const { style } = label;
    style.left = isAfter ? `${end / room}%` : 'auto';
    style.right = isBefore ? `${100 - begin / room}%` : isAfter ? 'auto' : '0';
    style.maxWidth = isAfter || isBefore ? 'none' : '100%';
  },

  showLane(row, lane) {
    const { inspector } = this, { parts } = row;
    row.className = 'row lanes';
    row.setAttribute('aria-selected', lane.includes(inspector.picked));
    parts.bar.hidden = parts.label.hidden = true;
    setText(parts.mark, '');
    const only = lane.length === 1 && visible(inspector.run.names[lane[0]]);
    setText(parts.text, only || counted(lane.length));
    setText(parts.took, '');
    this.paint(this.canvasOf(parts), lane);
    delete parts.canvas.dataset.key;
    return false;
  },

  /// The pebbles of a lane, with their names where there is room.
  paint(canvas, lane) {
    const { inspector, colours } = this, { run, picked } = inspector, context = this.contextOf(canvas);
    context.font = `12px ${colours.font}`;
    const at = time => Math.round(this.percent(time) / 100 * this.width);
    for (let place = firstAfter(run, lane, inspector.from); place < lane.length; place++) {
      const pebble = lane[place], ready = at(run.decided(pebble));
      if (ready > this.width) break;
      const start = run.hasRun(pebble) ? at(run.started[pebble]) : ready;
      const end = Math.max(at(run.finished[pebble]), start + 2), style = styleOf(run.ends[pebble]);
      context.fillStyle = colours.waiting;
      context.fillRect(ready, 9, start - ready, 6);
      if (run.until(pebble) > run.finished[pebble]) {
        context.fillStyle = colours.succeeded;
        context.fillRect(end, 11, at(run.until(pebble)) - end, 2);
      }
      context.fillStyle = colours[style];
      // With a gap, so that neighbours are two.
      context.fillRect(start, 4, Math.max(2, end - start - 1), 16);
      if (pebble === picked) {
        context.strokeStyle = colours.text;
        context.lineWidth = 2;
        context.strokeRect(start - 1, 3, end - start + 1, 18);
      }
      const name = shortened(run.names[pebble], 40);
      if (end - start < 30 || measure(name) + 10 > end - start) continue;
      context.fillStyle = colours.background;
      context.fillText(name, Math.max(start, 0) + 5, 16);
    }
  },

  get colours() {
    const style = getComputedStyle(document.documentElement), colours = {};
    for (const name of ['succeeded', 'failed', 'skipped', 'waiting', 'text', 'background', 'running',
      'soft']) {
      colours[name] = style.getPropertyValue(`--${name}`);
    }
    colours.blocked = colours.failed;
    return { ...colours, font: getComputedStyle(document.body).fontFamily };
  },

  /// The pebble of a lane at a place from its left.
  pebbleAt(lane, x) {
    const { inspector } = this, { run, from, to } = inspector, room = (to - from) / this.width;
    const time = from + x * room;
    let nearest = -1, least = 4 * room;
    for (let place = firstAfter(run, lane, time - least); place < lane.length; place++) {
      const pebble = lane[place], begin = run.decided(pebble), end = run.until(pebble);
      const away = Math.max(begin - time, time - end, 0);
      if (begin > time + least) break;
      if (away < least) [nearest, least] = [pebble, away];
    }
    return nearest;
  },
});

/// The place of the first in a lane that ends after a time: they stand by their ends.
function firstAfter(run, lane, time) {
  let low = 0, high = lane.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run.until(lane[middle]) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/// `96 succeeded, 3 failed`, the worst first.
function countsText(counts) {
  return endsByGravity.filter(end => counts[end])
    .map(end => `${grouped(counts[end])} ${endNames[end]}`).join(', ');
}
