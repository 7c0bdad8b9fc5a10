// The drawn graph. Its nodes are links, so they can be reached and followed like other links.

// The scale below which the letters are too small.
const leastReadable = 0.6;

class Graph {
  constructor(inspector) {
    this.inspector = inspector;
    this.box = byID('graph');
    this.picture = byID('picture');
    this.scale = 1;
    this.drawn = null;
    inspector.on('view', () => this.show());
    inspector.on('pick', () => this.show());
    inspector.on('rows', () => this.show());
    inspector.on('run', () => this.isShown && this.drawn && this.paint());
    inspector.on('ending', () => this.mark());
    matchMedia('print').addEventListener('change', () => this.resize());
    this.followPointer();
  }

  /// Scrolls the graph when it is dragged, and zooms to the pointer when the wheel is turned with
  /// Ctrl, or with two fingers on a touchpad.
  followPointer() {
    const { box } = this;
    let last = null, hasMoved = false;
    box.addEventListener('pointerdown', event => {
      hasMoved = false;
      // The browser scrolls when a finger moves.
      last = event.button || event.pointerType === 'touch' ? null : event;
    });
    box.addEventListener('pointermove', event => {
      if (!event.buttons) last = null;
      if (!last) return;
      const across = event.clientX - last.clientX, down = event.clientY - last.clientY;
      if (!hasMoved && Math.hypot(across, down) < 4) return;
      if (!hasMoved) box.setPointerCapture(event.pointerId);
      hasMoved = true;
      box.scrollBy(-across, -down);
      last = event;
    });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      box.addEventListener(end, () => { last = null; });
    }
    // Links must not be dragged away as text, and a link is not followed if the graph was dragged.
    box.addEventListener('dragstart', event => event.preventDefault());
    box.addEventListener('click', event => hasMoved && event.detail && event.preventDefault(), true);
    box.addEventListener('wheel', event => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY / 200), event);
    }, { passive: false });
  }

  get isShown() { return this.inspector.view === 'graph'; }

  show() {
    if (!this.isShown) return byID('drawn').hidden = true;
    const { run, picked, listed } = this.inspector, isNew = !this.drawn;
    // A large pond is drawn again when the selection or the list changes, because it is drawn
    // around the selection.
    const isDrawn = this.drawn && (run.count <= wholeGraph
      || this.center === picked && (this.listed === listed
        || run.isLive && this.listed.length === listed.length));
    if (!isDrawn) this.draw(graphPebbles(run, picked, listed));
    const hasMoved = isNew || this.center !== picked;
    this.center = picked;
    this.listed = listed;
    this.mark();
    this.tell();
    if (isNew || !isDrawn && picked < 0) this.fit(leastReadable);
    if (hasMoved) this.reveal();
  }

  /// Shows the number of drawn pebbles if only a part of the pond is drawn. If all of it is drawn
  /// but only a part is listed, shows the number of listed pebbles.
  tell() {
    const { run, picked, listed } = this.inspector, drawn = this.drawn.model.pebbleNodes;
    const name = picked < 0 ? '' : ` around ${shortened(run.names[picked], 40)}`;
    const isPart = drawn < run.count;
    const text = isPart ? `${grouped(drawn)} of ${counted(run.count)}${name}`
      : listed.length < run.count ? `${grouped(listed.length)} of ${counted(run.count)} stand out` : '';
    setText(byID('drawn'), text);
    // If nothing is listed, another message says so.
    byID('drawn').hidden = !text || !listed.length;
  }

  draw(pebbles) {
    const model = new GraphModel(this.inspector.run, pebbles);
    const layout = layOut(model.nodes, model.lines.map(({ from, to }) => [from, to]));
    this.drawn = { model, layout, pebbles };
    this.paint();
    this.resize();
  }

  /// Draws the nodes and lines at their places; called again while the run is under way.
  paint() {
    const { layout, pebbles } = this.drawn, focused = this.nodes?.indexOf(document.activeElement);
    const model = new GraphModel(this.inspector.run, pebbles);
    this.drawn.model = model;
    this.nodes = model.nodes.map((node, k) => this.node(node, layout.nodes[k]));
    const lines = model.lines.map((line, k) => this.line(line, layout.lines[k]));
    this.picture.replaceChildren(...lines, ...this.nodes);
    this.picture.setAttribute('aria-label', `${counted(pebbles.length)} and what they read`);
    if (focused >= 0) this.nodes[focused]?.focus();
    this.mark();
  }

  resize() {
    if (!this.drawn) return;
    const { width, height } = this.drawn.layout, margin = 20;
    const size = [width + 2 * margin, height + 2 * margin];
    this.picture.setAttribute('viewBox', `${-margin} ${-margin} ${size[0]} ${size[1]}`);
    this.picture.setAttribute('width', size[0] * this.scale);
    this.picture.setAttribute('height', size[1] * this.scale);
  }

  /// Zooms by a factor. The point of the graph at the given place of the window stays there.
  zoom(factor, { clientX, clientY } = this.middle) {
    const before = this.picture.getBoundingClientRect(), { scale } = this;
    this.scale = Math.max(0.1, Math.min(4, scale / factor));
    this.resize();
    const after = this.picture.getBoundingClientRect(), growth = this.scale / scale;
    this.box.scrollBy(after.left + (clientX - before.left) * growth - clientX,
      after.top + (clientY - before.top) * growth - clientY);
  }

  get middle() {
    const { left, top, width, height } = this.box.getBoundingClientRect();
    return { clientX: left + width / 2, clientY: top + height / 2 };
  }

  /// Shows the whole graph, but at a scale of at least `least`. If the graph does not fit, its left
  /// edge is shown, scrolled to the middle of its height.
  fit(least = 0.1) {
    const { width, height } = this.drawn.layout, { box } = this;
    const scale = Math.min(box.clientWidth / (width + 50), box.clientHeight / (height + 50), 1);
    this.scale = Math.max(least, scale);
    this.resize();
    box.scrollTo(0, (box.scrollHeight - box.clientHeight) / 2);
  }

  node({ pebble, name, style, width, height }, { x, y }) {
    const { run } = this.inspector, isPebble = pebble >= 0;
    const content = [
      drawing('rect', {
        width, height, rx: isPebble ? 5 : 9, class: isPebble && run.isGiven(pebble) ? 'given' : '',
      }),
      drawing('text', { x: isPebble ? 25 : 8, y: height / 2 + 4 }, name),
    ];
    const place = `translate(${x - width / 2} ${y - height / 2})`;
    if (!isPebble) return drawing('g', { class: `node ${style ?? ''}`, transform: place }, ...content);
    content.push(drawing('text', { class: 'mark', x: 8, y: 17 }));
    return drawing('a', {
      href: linkTo(run, pebble), transform: place, 'data-pebble': pebble,
    }, ...content);
  }

  line({ mask, isTrue, isDecisive }, points) {
    const kind = isDecisive ? 'decisive' : isTrue ? 'true' : 'false';
    const line = drawing('path', { class: `line ${kind}`, d: pathThrough(points) });
    // Lines are solid for success, dotted for failure, and dashed for other outcomes.
    if (mask === 2) line.classList.add('dotted');
    else if (mask > 1) line.classList.add('dashed');
    return line;
  }

  mark() {
    if (!this.drawn) return;
    const { inspector } = this, { run, picked, ends, listed } = inspector;
    const isListed = new Set(listed);
    this.drawn.model.nodes.forEach(({ pebble }, k) => {
      if (pebble < 0) return;
      const node = this.nodes[k], isChanged = inspector.isChanged(pebble);
      node.setAttribute('class', ['node', styleOf(ends[pebble]), isListed.has(pebble) ? '' : 'out',
        pebble === picked ? 'picked' : '', isChanged ? 'changed' : ''].filter(Boolean).join(' '));
      setText(node.querySelector('.mark'), endMarks[ends[pebble]]);
      const isSettled = run.hasRun(pebble) && !run.isOpen(pebble);
      const said = isChanged ? wouldText(ends[pebble])
        : isSettled ? run.ending(pebble) : endNames[ends[pebble]];
      node.setAttribute('aria-label', `${visible(run.names[pebble])} ${said}`);
      if (pebble === picked) node.setAttribute('aria-current', 'true');
      else node.removeAttribute('aria-current');
    });
  }

  reveal() {
    const { model } = this.drawn, { picked, run } = this.inspector, { clientX, clientY } = this.middle;
    // Without a selection, a large pond is drawn around the pebble that ended last.
    const center = picked < 0 ? run.last : picked;
    const place = model.nodes.findIndex(({ pebble }) => pebble === center);
    if (place < 0) return;
    const { left, top, width, height } = this.nodes[place].getBoundingClientRect();
    this.box.scrollBy(left + width / 2 - clientX, top + height / 2 - clientY);
  }
}

/// Returns a smooth line through points, with an arrow at its end.
function pathThrough(points) {
  const [start] = points;
  if (points.length === 1) {
    const right = start.x + start.width / 2;
    return `M${right} ${start.y - 5}c22 -14 22 24 0 10`;
  }
  const isForward = points[points.length - 1].x >= start.x, way = isForward ? 1 : -1;
  let x = start.x + way * start.width / 2, { y } = start, path = `M${x} ${y}`;
  points.slice(1).forEach((point, k) => {
    const isLast = k === points.length - 2;
    const end = point.x - way * (point.width / 2 + (isLast ? 2 : 0)), middle = (x + end) / 2;
    path += `C${middle} ${y} ${middle} ${point.y} ${end} ${point.y}`;
    x = end;
    ({ y } = point);
  });
  return `${path}m${-5 * way} -4l${5 * way} 4l${-5 * way} 4`;
}
