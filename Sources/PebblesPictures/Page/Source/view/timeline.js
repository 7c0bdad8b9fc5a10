// The rows, the axis above them, and arrows from cause to effect between them.

const laneMargin = 16;

class Timeline {
  constructor(inspector) {
    this.inspector = inspector;
    this.box = byID('rows');
    this.lane = new Lane(inspector);
    this.rows = new Rows(this.box, byID('space'), {
      make: makeRow, show: (row, place) => this.lane.show(row, inspector.rows[place]),
    });
    this.rows.afterDrawing = () => this.afterDrawing();
    this.redrawSoon = onceAFrame(() => this.redraw());
    this.box.addEventListener('click', event => this.click(event));
    this.resize();
    new ResizeObserver(() => this.resize()).observe(this.box);
    inspector.on('rows', () => {
      this.rows.reset(inspector.rows.length);
      this.drawnAt = document.timeline.currentTime;
    });
    inspector.on('time', () => this.redrawSoon());
    inspector.on('run', () => this.drawAxis());
    inspector.on('ending', () => this.rows.redraw());
    inspector.on('earlier', () => this.rows.redraw());
    colours.whenChanged(() => this.rows.redraw());
    inspector.on('view', () => this.box.hidden || (this.redraw(), this.showPick()));
    inspector.on('pick', () => this.showPick());
    addEventListener('beforeprint', () => this.print(true));
    addEventListener('afterprint', () => this.print(false));
  }

  /// Selects the pebble that was clicked, even inside a lane. Opens or closes a group that was
  /// clicked.
  click({ target, clientX }) {
    const { inspector, lane } = this, { outline } = inspector, row = target.closest('.row');
    if (!row) return;
    const id = Number(row.dataset.row), group = outline.groupAt(id), own = outline.laneAt(id);
    if (own) {
      const x = clientX - row.parts.lane.getBoundingClientRect().left;
      const pebble = target.closest('.lane') ? lane.pebbleAt(own, x) : own[0];
      if (pebble >= 0) inspector.pick(pebble);
      return;
    }
    if (group >= 0) inspector.fold(group);
    else inspector.pick(id);
  }

  resize() {
    if (this.box.hidden) return;
    const style = getComputedStyle(this.box);
    this.lane.nameWidth = parseFloat(style.getPropertyValue('--names'));
    // After the end, there is room for the frame of the last bar.
    this.lane.width = Math.max(40, this.box.clientWidth - this.lane.nameWidth - laneMargin);
    this.rows.reset(this.inspector.rows.length);
    this.drawAxis();
  }

  /// Prepares the rows for printing, and restores them afterwards. The width of the paper is not
  /// known yet, so labels are placed as on narrow paper.
  print(isPrinting) {
    this.resize();
    if (isPrinting) this.lane.width = 450;
    this.rows.print(isPrinting);
    const { count, end } = this.rows, isPart = isPrinting && end < count && !this.box.hidden;
    byID('omitted').hidden = !isPart;
    setText(byID('omitted'), isPart ? `${grouped(end)} of ${grouped(count)} rows are on paper.` : '');
  }

  redraw() {
    // If the new range of time has changed the list, the rows have already been drawn in this
    // frame.
    if (this.drawnAt !== document.timeline.currentTime) this.rows.redraw();
    this.drawAxis();
  }

  showPick() {
    const { inspector, rows } = this, place = inspector.pickedPlace;
    if (place >= 0 && !this.box.hidden) rows.reveal(place);
    rows.redraw();
  }

  /// The number of rows by which the keys for a page move the selection.
  get pageLength() { return Math.max(1, Math.floor(this.box.clientHeight / usualRowHeight) - 2); }

  /// Shows the range of time in which the visible pebbles ran.
  fitTime() {
    const { inspector, rows } = this, { run, outline } = inspector;
    let from = Infinity, to = -Infinity;
    for (const row of inspector.rows.subarray(rows.first, rows.end)) {
      const group = outline.groupAt(row), lane = outline.laneAt(row) ?? [row];
      from = Math.min(from, group < 0 ? run.decided(lane[0]) : outline.froms[group]);
      to = Math.max(to, group < 0 ? run.finished[lane.at(-1)] : outline.tos[group]);
    }
    const margin = Math.max(to - from, 1) * 0.05;
    if (from <= to) inspector.showTime(from - margin, to + margin);
  }

  zoom(factor) {
    const { from, to } = this.inspector, middle = (from + to) / 2, half = (to - from) * factor / 2;
    this.inspector.showTime(middle - half, middle + half);
  }

  drawAxis() {
    const { from, to } = this.inspector, { width, nameWidth } = this.lane, span = to - from;
    const labels = [];
    let lines = '';
    for (const time of ticks(from, to, width / 100)) {
      const x = nameWidth + (time - from) / span * width;
      lines += `M${x.toFixed(1)} 0v9999`;
      if (x + 40 > nameWidth + width) continue;
      labels.push(drawing('text', { x: (x + 4).toFixed(1), y: 16 }, time ? brief(time) : '0'));
    }
    byID('axis').replaceChildren(drawing('path', { d: lines }), ...labels);
    byID('grid').replaceChildren(drawing('path', { d: lines }));
  }

  afterDrawing() {
    const place = this.inspector.pickedPlace;
    const selected = place < 0 ? null : this.rows.elementOf(place);
    if (selected) this.box.setAttribute('aria-activedescendant', selected.id);
    else this.box.removeAttribute('aria-activedescendant');
    this.drawArrows();
  }

  /// Draws the arrows that lead to the selected pebble: one from the pebble that decided its
  /// condition, one to that pebble from the pebble that decided its condition, and so on back to
  /// the start, for at most sixty pebbles. Arrows between pebbles without places are left out.
  drawArrows() {
    const { inspector, lane } = this, { run, places } = inspector;
    let path = '';
    for (let pebble = inspector.picked, steps = 0; pebble >= 0 && steps < 60; steps++) {
      const cause = run.causes[pebble];
      if (cause >= 0 && places[cause] >= 0 && places[pebble] >= 0) {
        path += this.arrow(places[cause], places[pebble],
          lane.percent(run.finished[cause]), lane.percent(run.decided(pebble)));
      }
      pebble = cause;
    }
    if (path === this.arrows) return;
    this.arrows = path;
    byID('arrows').replaceChildren(drawing('path', { d: path }));
  }

  arrow(from, to, begin, end) {
    const { nameWidth, width } = this.lane, x = at => nameWidth + Math.max(0, at) / 100 * width;
    const middle = row => this.rows.heights.offset(row) + this.rows.heights.of(row) / 2;
    const y = middle(to), way = to > from ? y - 7 : y + 7;
    const across = Math.max(0, x(end) - x(begin) - 4);
    return `M${x(begin)} ${middle(from)}h4V${way}Q${x(begin) + 4} ${y} ${x(begin) + 9} ${y}`
      + `H${x(begin) + 4 + across}m-4-3l4 3l-4 3`;
  }
}

/// Returns round times between two times, at most about `count`.
function ticks(from, to, count) {
  const least = (to - from) / Math.max(2, count), power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map(digit => digit * power).find(size => size >= least), times = [];
  for (let time = Math.ceil(from / step) * step; time <= to && step > 0; time += step) {
    times.push(time);
  }
  return times;
}
