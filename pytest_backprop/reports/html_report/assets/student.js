// Lays out the computation graph of a submission and draws it. All text goes in as text nodes.
"use strict";
(() => {
  const place = document.getElementById("graph-place");
  if (!place) return;
  const data = JSON.parse(document.getElementById("graph-data").textContent);
  const status = document.getElementById("graph-status");
  const CHARACTER = 7.3;
  const LINE = 14;
  const POINTS = 72;

  function sized(node) {
    // wide letters take two columns
    const columns = (text) => [...text].reduce((n, c) => n + (c.codePointAt(0) > 0x10ff ? 2 : 1), 0);
    const width = Math.max(34, Math.max(...node.lines.map(columns)) * CHARACTER + 16);
    return { width, height: node.lines.length * LINE + 10 };
  }

  // a graph larger than a course's is laid out in a second, not in minutes: fewer rounds, straight edges
  const HASTY = { nslimit: 1, nslimit1: 1, mclimit: 0.1, splines: "line" };
  const LARGE = 360;

  function layoutGraph(viz) {
    const sizes = new Map(data.nodes.map((node) => [node.id, sized(node)]));
    const graph = {
      graphAttributes: {
        rankdir: "TB", nodesep: 0.22, ranksep: 0.34,
        ...(data.nodes.length + data.edges.length > LARGE ? HASTY : {}),
      },
      nodeAttributes: { shape: "box", fixedsize: "true", label: "" },
      nodes: data.nodes.map(({ id }) => ({
        name: id,
        attributes: { width: sizes.get(id).width / POINTS, height: sizes.get(id).height / POINTS },
      })),
      edges: data.edges.map(([tail, head]) => ({ tail, head })),
    };
    const result = JSON.parse(viz.renderString(graph, { format: "json0", yInvert: true }));
    return { result, sizes };
  }

  // -- drawing

  function make(name, attributes = {}, text = null) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== null) element.textContent = text;
    return element;
  }

  function drawNode(node, [x, y], { width, height }) {
    const leads = node.href && document.getElementById(node.href.slice(1));
    const link = make(leads ? "a" : "g", { id: node.id, class: `node ${node.kind}` });
    if (leads) link.setAttribute("href", node.href);
    else link.setAttribute("role", "img");
    link.append(make("title", {}, node.label));
    const left = x - width / 2;
    const top = y - height / 2;
    const round = node.kind === "leaf" ? height / 2 : 4;
    link.append(make("rect", { class: "shape", x: left, y: top, width, height, rx: round }));
    if (node.kind === "wrong") {
      const inner = { x: left + 3, y: top + 3, width: width - 6, height: height - 6, rx: 2 };
      link.append(make("rect", { class: "inner", ...inner }));
    }
    if (node.late) {
      link.append(make("rect", { class: "flag", x: left + width - 5, y: top, width: 5, height, rx: 2 }));
    }
    node.lines.forEach((line, n) => {
      const name = n === 2 ? "mark" : n === 1 ? "second" : "first";
      link.append(make("text", { class: name, x, y: top + 16 + n * LINE }, line));
    });
    return link;
  }

  function drawEdge(edge) {
    const [end, ...rest] = edge.pos.replace(/^e,/, "").split(" ");
    const points = rest.map((pair) => pair.split(",").map(Number));
    const [first, ...curve] = points;
    const group = make("g", { "aria-hidden": "true" });
    group.append(make("path", { class: "edge", d: `M${first} C${curve.join(" ")}` }));
    const tip = end.split(",").map(Number);
    const from = points.at(-1);
    const angle = (Math.atan2(tip[1] - from[1], tip[0] - from[0]) * 180) / Math.PI;
    group.append(
      make("path", {
        class: "head",
        d: "M0 0 L-10 -3.5 L-10 3.5 Z",
        transform: `translate(${tip}) rotate(${angle})`,
      }),
    );
    return group;
  }

  function draw({ result, sizes }) {
    const [, , right, bottom] = result.bb.split(",").map(Number);
    // with the y axis inverted, the box may run either way
    const [width, height] = [right, Math.max(bottom, Number(result.bb.split(",")[1]))].map(Math.ceil);
    const svg = make("svg", {
      viewBox: `-4 -4 ${width + 8} ${height + 8}`,
      role: "group",
      "aria-labelledby": "graph",
      "aria-describedby": "graph-help",
    });
    const places = new Map();
    for (const object of result.objects) places.set(object.name, object.pos.split(",").map(Number));
    const near = new Map(data.nodes.map((node) => [node.id, []]));
    for (const edge of result.edges ?? []) {
      const drawn = drawEdge(edge);
      for (const end of [edge.tail, edge.head]) {
        near.get(result.objects[end].name).push(drawn.firstChild);
      }
      svg.append(drawn);
    }
    const links = data.nodes.map((node) => drawNode(node, places.get(node.id), sizes.get(node.id)));
    svg.append(...links);
    return { svg, links, near, width: width + 8, height: height + 8 };
  }

  // -- use

  function lineOf(link) {
    const href = link.getAttribute("href");
    return href && document.getElementById(href.slice(1));
  }

  function listen({ svg, links, near }) {
    const stops = links.filter((link) => link.hasAttribute("href"));
    const stop = (link) => {
      for (const other of stops) other.setAttribute("tabindex", other === link ? "0" : "-1");
    };
    if (stops.length) stop(stops[0]);
    function mark(link, on) {
      for (const edge of near.get(link.id)) edge.classList.toggle("near", on);
      lineOf(link)?.classList.toggle("met", on);
    }
    for (const link of links) {
      link.addEventListener("mouseenter", () => mark(link, true));
      link.addEventListener("mouseleave", () => mark(link, false));
    }
    for (const link of stops) {
      // only here: a shape that listens for focus can be reached by Tab
      link.addEventListener("focus", () => mark(link, true));
      link.addEventListener("blur", () => mark(link, false));
    }
    svg.addEventListener("focusin", (event) => {
      const link = event.target.closest(".node");
      if (stops.includes(link)) stop(link);
    });
    svg.addEventListener("keydown", (event) => {
      const here = stops.indexOf(event.target.closest(".node"));
      const next = {
        ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1,
        Home: 0, End: stops.length - 1,
      }[event.key];
      if (here < 0 || next === undefined) return;
      event.preventDefault();
      stops[Math.min(Math.max(next, 0), stops.length - 1)].focus();
    });
    // a line number leads to its node, and a node to its line, in whatever cell is folded
    window.addEventListener("hashchange", () => {
      const link = links.find(({ id }) => `#${id}` === location.hash);
      if (link) {
        link.scrollIntoView({ block: "center", inline: "center" });
        link.focus({ preventScroll: true });
      }
    });
  }

  // what a reader looks for first: the wrong line, then whatever else is marked
  const fault =
    data.nodes.find(({ kind }) => kind === "wrong") ??
    data.nodes.find(({ kind, late }) => kind === "unused" || late);
  const LEGIBLE = 0.75;

  function zoom({ svg, links, width, height }) {
    const tools = document.getElementById("graph-tools");
    const target = fault && links.find(({ id }) => id === fault.id);
    let scale = 1;
    function apply() {
      svg.style.width = `${width * scale}px`;
    }
    /** Enlarges around the middle of what is seen. */
    function enlarge(by) {
      const [x, y] = [place.scrollLeft + place.clientWidth / 2, place.scrollTop + place.clientHeight / 2];
      scale *= by;
      apply();
      place.scrollTo(x * by - place.clientWidth / 2, y * by - place.clientHeight / 2);
    }
    function fitting() {
      const room = parseFloat(getComputedStyle(place).maxHeight) || height;
      return Math.min(1, (place.clientWidth - 24) / width, (room - 24) / height);
    }
    /** The first fault in the middle; the page itself stays where it is. */
    function centre() {
      const [seen, node] = [place.getBoundingClientRect(), target.getBoundingClientRect()];
      place.scrollBy(
        node.left + node.width / 2 - seen.left - place.clientWidth / 2,
        node.top + node.height / 2 - seen.top - place.clientHeight / 2,
      );
    }
    tools.addEventListener("click", (event) => {
      const { zoom: by } = event.target.dataset;
      if (by === "fit") enlarge(fitting() / scale);
      else if (by === "fault") {
        enlarge(Math.max(1, scale) / scale);
        centre();
      } else if (by) enlarge(Number(by));
    });
    scale = fitting();
    if (scale < LEGIBLE) scale = 1;
    apply();
    if (target) centre();
    tools.querySelector("[data-zoom='fault']").hidden = !target;
    tools.hidden = false;
  }

  Viz.instance()
    .then((viz) => {
      const drawn = draw(layoutGraph(viz));
      status.remove();
      place.append(drawn.svg);
      listen(drawn);
      zoom(drawn);
    })
    .catch((error) => {
      status.textContent = status.dataset.failed;
      console.error(error);
    });
})();
