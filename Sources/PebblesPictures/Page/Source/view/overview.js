// The whole run at a glance, and a brush that picks a part of its time.

class Overview {
  constructor(inspector) {
    this.inspector = inspector;
    this.canvas = byID('overview');
    this.drawSoon = onceAFrame(() => this.draw());
    new ResizeObserver(this.drawSoon).observe(this.canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', this.drawSoon);
    inspector.on('time', () => this.showBrush());
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
      start = time(event);
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', event => {
      const now = time(event);
      if (start === null || Math.abs(now - start) < inspector.whole / 500) return;
      inspector.showTime(Math.min(start, now), Math.max(start, now));
    });
    canvas.addEventListener('pointerup', () => { start = null; });
    canvas.addEventListener('dblclick', () => inspector.showTime(0, inspector.whole));
  }

  showBrush() {
    const { from, to, whole, showsAllTime } = this.inspector, brush = byID('brush');
    brush.hidden = showsAllTime;
    brush.style.left = `${from / whole * 100}%`;
    brush.style.width = `${(to - from) / whole * 100}%`;
  }

  /// How many run and wait, by columns of pixels.
  columns(width) {
    const { run, whole } = this.inspector;
    const column = time => Math.max(0, Math.min(width - 1, Math.floor(time / whole * width)));
    const running = new Int32Array(width + 1), waiting = new Int32Array(width + 1), failures = [];
    for (let pebble = 0; pebble < run.count; pebble++) {
      const end = column(run.finished[pebble]);
      if (run.outcomes[pebble] === failed) failures.push(end);
      if (!run.hasRun(pebble)) continue;
      const start = column(run.started[pebble]);
      running[start]++;
      running[end + 1]--;
      waiting[column(run.ready[pebble])]++;
      waiting[start]--;
    }
    for (let x = 1; x <= width; x++) {
      running[x] += running[x - 1];
      waiting[x] += waiting[x - 1];
    }
    return { column, running, waiting, failures };
  }

  draw() {
    const { canvas, inspector } = this, { run } = inspector, ratio = devicePixelRatio || 1;
    const width = canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    const height = canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    const { column, running, waiting, failures } = this.columns(width);
    const most = running.reduce((one, other) => Math.max(one, other), 1);
    const mostWaiting = waiting.reduce((one, other) => Math.max(one, other), most);
    const context = canvas.getContext('2d'), style = getComputedStyle(document.documentElement);
    const paint = colour => { context.fillStyle = style.getPropertyValue(colour); };
    const bars = (colour, counts, top) => {
      paint(colour);
      for (let x = 0; x < width; x++) {
        const size = counts[x] / top * height * 0.85;
        context.fillRect(x, height - size, 1, size);
      }
    };
    bars('--waiting', waiting, mostWaiting);
    bars('--succeeded', running, most);
    paint('--failed');
    for (const x of failures) context.fillRect(x - ratio, 0, 2 * ratio, 8 * ratio);
    paint('--text');
    for (const pebble of run.longestChain) {
      if (!run.hasRun(pebble)) continue;
      const start = column(run.started[pebble]);
      const size = Math.max(1, column(run.finished[pebble]) - start);
      context.fillRect(start, height - 3 * ratio, size, 3 * ratio);
    }
    canvas.setAttribute('aria-label', `At most ${counted(most)} at a time`);
  }
}
