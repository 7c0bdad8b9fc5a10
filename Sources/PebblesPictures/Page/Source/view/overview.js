// An overview of the whole run, with a brush that selects a range of time.

class Overview {
  constructor(inspector) {
    this.inspector = inspector;
    this.canvas = byID('overview');
    this.drawSoon = onceAFrame(() => this.draw());
    new ResizeObserver(this.drawSoon).observe(this.canvas);
    colours.whenChanged(() => this.draw());
    inspector.on('time', () => this.showBrush());
    inspector.on('glance', () => this.drawSoon());
    this.followPointer();
    this.showBrush();
  }

  followPointer() {
    const { canvas, inspector } = this;
    let start = null;
    const time = event => {
      const part = event.offsetX / canvas.clientWidth;
      return Math.max(0, Math.min(1, part)) * inspector.whole;
    };
    canvas.addEventListener('pointerdown', event => {
      if (event.button || !event.isPrimary) return;
      start = time(event);
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', event => {
      const now = time(event);
      if (!event.isPrimary) return;
      if (!event.buttons) start = null;
      if (start === null || Math.abs(now - start) < inspector.whole / 500) return;
      inspector.showTime(Math.min(start, now), Math.max(start, now));
    });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      canvas.addEventListener(end, () => { start = null; });
    }
    canvas.addEventListener('dblclick', () => inspector.showTime(0, inspector.whole));
  }

  showBrush() {
    const { from, to, whole, showsAllTime } = this.inspector, brush = byID('brush');
    brush.hidden = showsAllTime;
    brush.style.left = `${from / whole * 100}%`;
    brush.style.width = `${(to - from) / whole * 100}%`;
  }

  draw() {
    const { canvas, inspector } = this, { run } = inspector, ratio = devicePixelRatio || 1;
    const width = canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    const whole = canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    const height = whole - scaleHeight * ratio;
    const unit = width / inspector.whole;
    const column = time => Math.max(0, Math.min(width - 1, Math.floor(time * unit)));
    const { counts, marks } = columnsOf(run, run.ends, run.names.keys(), column, width);
    const context = canvas.getContext('2d');
    const paint = colour => { context.fillStyle = colours.of(colour); };
    const most = paintColumns(context, counts, { width, height, scale: 0.85, least: ratio });
    paint('failed');
    for (const x of marks) context.fillRect(x - ratio, 0, 2 * ratio, 6 * ratio);
    paint('text');
    for (const pebble of run.longestChain) {
      if (!run.hasRun(pebble)) continue;
      const start = column(run.started[pebble]);
      const size = Math.max(1, column(run.finished[pebble]) - start);
      context.fillRect(start, height, size, 2 * ratio);
    }
    this.drawScale(context, paint, width, whole, ratio);
    const failures = run.counts[failed] ? `, ${grouped(run.counts[failed])} failed` : '';
    const label = `${brief(run.makespan)}: at most ${counted(most)} at a time${failures}`;
    canvas.setAttribute('aria-label', label);
  }

  drawScale(context, paint, width, height, ratio) {
    const { whole } = this.inspector;
    context.font = `${10 * ratio}px ${getComputedStyle(document.body).fontFamily}`;
    for (const time of ticks(0, whole, width / ratio / 110)) {
      const x = time / whole * width, text = time ? brief(time) : '0';
      paint('line');
      context.fillRect(x, height - (scaleHeight - 2) * ratio, ratio, scaleHeight * ratio);
      paint('soft');
      if (x + context.measureText(text).width + 6 * ratio > width) continue;
      context.fillText(text, x + 4 * ratio, height - 3 * ratio);
    }
  }
}

const scaleHeight = 15;

/// Returns, for each column, the number of running pebbles for each way in which they ended, and
/// the number of waiting pebbles; also returns the columns in which a pebble failed or was blocked.
function columnsOf(run, ends, pebbles, column, width) {
  const counts = { succeeded: 0, failed: 0, running: 0, waiting: 0 }, marks = new Set();
  for (const kind in counts) counts[kind] = new Int32Array(width + 1);
  const { finished, started, ready } = run, { waiting } = counts;
  const byEnd = endNames.map((_, end) => counts[styleOf(end)]);
  for (const pebble of pebbles) {
    const end = column(finished[pebble]), kind = ends[pebble];
    if (kind === failed || kind === wasBlocked) marks.add(end);
    // A pebble that did not run has no place, even if it would run as supposed.
    if (!(kind < wasBlocked && run.hasRun(pebble) || kind === isRunning)) continue;
    const start = column(started[pebble]), running = byEnd[kind];
    running[start]++;
    running[end + 1]--;
    if (ready[pebble] === started[pebble]) continue;
    waiting[column(ready[pebble])]++;
    waiting[start]--;
  }
  for (const kind in counts) {
    for (let x = 1; x <= width; x++) counts[kind][x] += counts[kind][x - 1];
  }
  return { counts, marks };
}

/// Draws columns, with one kind on top of the other. Failures are at the bottom, where they are not
/// overlooked. Returns the largest number of pebbles that run at a time.
function paintColumns(context, counts, { width, height, scale, least }) {
  const totals = counts.succeeded.map((count, x) => count + counts.failed[x] + counts.running[x]);
  const top = totals.reduce((one, count, x) => Math.max(one, count + counts.waiting[x]), 1);
  const below = new Int32Array(width + 1), unit = height * scale / top;
  for (const kind of ['failed', 'running', 'succeeded', 'waiting']) {
    context.fillStyle = fillOf(context, kind);
    const own = counts[kind];
    // Adjacent columns of the same height are drawn as one rectangle.
    for (let x = 0, end; x < width; x = end) {
      const count = own[x], base = below[x];
      for (end = x; end < width && own[end] === count && below[end] === base; end++) {
        below[end] += count;
      }
      if (!count) continue;
      const size = Math.max(least, count * unit);
      context.fillRect(x, height - base * unit - size, end - x, size);
    }
  }
  return totals.reduce((one, other) => Math.max(one, other), 0);
}
