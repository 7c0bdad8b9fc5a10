// Rows with many pebbles: a group is shown as one bar, and a lane shows its pebbles one after the
// other.

Object.assign(Lane.prototype, {
  showGroup(row, group) {
    const { inspector } = this, { outline } = inspector, { parts } = row;
    const end = outline.worst(group), isOpen = outline.isOpen(group);
    const counts = outline.countsOf(group);
    const from = outline.froms[group], to = outline.tos[group];
    const isChanged = outline.changes[group] > 0;
    row.className = `row group ${styleOf(end)}${isChanged ? ' changed' : ''}`;
    row.setAttribute('aria-expanded', isOpen);
    row.setAttribute('aria-selected', group === inspector.pickedGroup);
    setText(parts.mark, isOpen ? '−' : '+');
    setText(parts.text, `${endMarks[end]} ${visible(outline.groups.titles[group])}`);
    setText(parts.took, grouped(counts.reduce((sum, count) => sum + count, 0)));
    parts.bar.hidden = true;
    const texts = labelsOf(counts, brief(to - from)).map(text => isChanged ? `would be ${text}` : text);
    parts.lane.setAttribute('aria-label', texts[0]);
    this.placeLabel(parts.label, texts, from, to);
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

  /// Paints how many pebbles of a group ran at each time, from the beginning of the group to its
  /// end.
  paintGroup(canvas, group, from, to) {
    const { inspector } = this, { outline } = inspector;
    // Usually, the canvas already has the right content.
    const { from: begin, to: end } = inspector;
    const key = [group, outline.version, begin, end, this.width, colours.of('text')].join();
    if (canvas.dataset.key === key) return;
    const context = this.contextOf(canvas), members = outline.members(group), height = 20;
    canvas.dataset.key = key;
    const at = time => Math.round(this.percent(time) / 100 * this.width);
    const width = Math.ceil(this.width), outside = Math.ceil(width * 0.03);
    // Pebbles at times that are not visible are painted in the columns outside of the lane.
    const column = time => Math.max(0, Math.min(width + 2 * outside - 1, at(time) + outside));
    const { counts, marks } = columnsOf(inspector.run, inspector.ends, members,
      column, width + 2 * outside);
    context.translate(-outside, 0);
    paintColumns(context, counts,
      { width: width + 2 * outside, height, scale: 0.75, least: 1 });
    context.fillStyle = colours.of('failed');
    for (const x of marks) context.fillRect(x - 1, 1, 2, 3);
    context.fillStyle = colours.of('soft');
    context.fillRect(at(from) + outside, height, Math.max(2, at(to) - at(from)), 1);
  },

  contextOf(canvas) {
    const ratio = devicePixelRatio || 1, context = canvas.getContext('2d');
    canvas.width = Math.round(this.width * ratio);
    canvas.height = usualRowHeight * ratio;
    context.scale(ratio, ratio);
    return context;
  },

  /// Places a label after its bar, before it, or on it with a background.
  placeLabel(label, texts, from, to) {
    const room = this.width / 100, begin = this.percent(from) * room, end = this.percent(to) * room;
    const space = Math.max(begin, this.width - end);
    // The longest text that fits is used, even if it has to cover the group, of which it may hide a
    // half.
    const over = texts.slice(1).find(one => measure(one) < this.width / 2) ?? texts.at(-1);
    const beside = texts.find(one => measure(one) + 20 < space);
    const text = beside && texts.indexOf(beside) <= texts.indexOf(over) ? beside : over;
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

  /// Paints the pebbles of a lane, with their names where there is room.
  paint(canvas, lane) {
    const { inspector } = this, { run, picked } = inspector, context = this.contextOf(canvas);
    context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const at = time => Math.round(this.percent(time) / 100 * this.width);
    for (let place = firstAfter(run, lane, inspector.from); place < lane.length; place++) {
      const pebble = lane[place], ready = at(run.decided(pebble));
      if (ready > this.width) break;
      const start = run.hasRun(pebble) ? at(run.started[pebble]) : ready;
      const end = Math.max(at(run.finished[pebble]), start + 2);
      context.fillStyle = colours.of('waiting');
      context.fillRect(ready, 9, start - ready, 6);
      if (run.until(pebble) > run.finished[pebble]) {
        context.fillStyle = colours.of('succeeded');
        context.fillRect(end, 11, at(run.until(pebble)) - end, 2);
      }
      this.paintPebble(context, pebble, start, end);
      if (pebble !== picked) continue;
      context.strokeStyle = colours.of('text');
      context.lineWidth = 2;
      context.strokeRect(start - 1, 3, end - start + 1, 18);
    }
  },

  paintPebble(context, pebble, start, end) {
    const { inspector } = this, { run } = inspector, own = inspector.ends[pebble];
    const style = styleOf(own), hasRun = run.hasRun(pebble);
    if (inspector.isChanged(pebble)) {
      context.fillStyle = colours.of('changed');
      context.fillRect(start - 4, 0, end - start + 8, usualRowHeight);
      if (hasRun && own >= wasBlocked) return this.paintUnrun(context, style, start, end);
    }
    if (!hasRun && !run.isOpen(pebble)) return this.paintDot(context, style, start);
    context.fillStyle = fillOf(context, style);
    // A gap separates the pebble from the next one.
    const width = Math.max(2, end - start - 1);
    context.fillRect(start, 4, width, 16);
    if (style === 'failed' && width > 4) {
      context.strokeStyle = colours.of(style);
      context.lineWidth = 1;
      context.strokeRect(start + 0.5, 4.5, width - 1, 15);
    }
    const name = shortened(run.names[pebble], 40), needed = measure(name) + 10;
    if (end - start < 30 || needed > end - start) return;
    const left = Math.max(start, 0);
    if (style === 'failed') {
      context.fillStyle = colours.of('background');
      context.fillRect(left + 2, 5, needed - 4, 14);
    }
    context.fillStyle = colours.of(style === 'failed' ? 'failed' : 'background');
    context.fillText(name, left + 5, 16);
  },

  /// Paints a pebble that ran, but would not have run under the suppositions.
  paintUnrun(context, style, start, end) {
    context.strokeStyle = colours.of(style);
    context.lineWidth = 1.5;
    context.setLineDash([4, 3]);
    context.strokeRect(start + 1, 5, Math.max(1, end - start - 3), 14);
    context.setLineDash([]);
  },

  /// Paints a skipped pebble, with the same sign as in its own row.
  paintDot(context, style, x) {
    context.beginPath();
    for (const [across, down] of [[0, -6], [6, 0], [0, 6], [-6, 0]]) {
      context.lineTo(x + across, 12 + down);
    }
    context.closePath();
    context.fillStyle = context.strokeStyle = colours.of(style);
    context.lineWidth = 1.5;
    if (style === 'blocked' || style === 'succeeded') context.fill();
    else context.stroke();
  },

  /// Returns the pebble of a lane that is nearest to a distance from the left edge of the lane; -1
  /// if no pebble is near.
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

/// Returns the place in a lane of the first pebble that ends at or after a time. The pebbles of a
/// lane are in the order of their ends.
function firstAfter(run, lane, time) {
  let low = 0, high = lane.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run.until(lane[middle]) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/// Returns texts with the counts of ends in a group and its duration, from the longest text to the
/// shortest. In short texts, ends with the same sign are counted together.
function labelsOf(counts, span) {
  const bySign = new Map();
  for (const end of endsByGravity) {
    if (!counts[end]) continue;
    bySign.set(endMarks[end], (bySign.get(endMarks[end]) ?? 0) + counts[end]);
  }
  const signs = Array.from(bySign, ([sign, count]) => `${sign} ${grouped(count)}`);
  return [`${countsText(counts)} in ${span}`, `${signs.join(' ')} in ${span}`, signs.join(' '),
    signs[0]];
}

/// Returns the counts of ends in words, worst end first: `3 failed, 96 succeeded`.
function countsText(counts) {
  return endsByGravity.filter(end => counts[end])
    .map(end => `${grouped(counts[end])} ${endNames[end]}`).join(', ');
}
