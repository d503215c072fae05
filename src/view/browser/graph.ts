import { forceCenter, forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force';
import { createHtmlElement, createSvgElement } from './parts.js';

const MOST_NODES = 150;
/** Maximum number of connecting lines per node. The strongest are drawn first; more lines would hide the structure. */
const LINKS_A_NODE = 3;
const STEPS = 300;
const [WIDTH, HEIGHT] = [760, 620] as const;
const [LEAST_WIDTH, LEAST_HEIGHT] = [560, 220] as const;

/** The data of a graph: the names, sizes and links of its nodes, and the texts beside the drawing. */
interface GraphData {
  /** Pairs of nodes with the number of times that they occur together, most important first. */
  readonly together: readonly (readonly [number, number, number])[];
  readonly nameOf: (place: number) => string;
  readonly addressOf: (place: number) => string;
  readonly weight: (place: number) => number;
  readonly caption: string;
  /**
   * Describes the graph for a screen reader.
   * @param number number of drawn nodes
   */
  readonly label: (number: number) => string;
}

interface Node {
  readonly place: number;
  readonly radius: number;
  x?: number;
  y?: number;
}

interface Link {
  readonly source: Node;
  readonly target: Node;
  readonly times: number;
}

/** Draws a graph; null if there are no pairs. */
export function drawGraph(drawn: GraphData): HTMLElement | null {
  const { together, weight } = drawn;
  const places = new Set<number>();
  for (const [a, b] of together) if (places.size < MOST_NODES - 1) places.add(a).add(b);
  if (places.size === 0) return null;
  const most = Math.max(1, ...[...places].map(weight));
  const sorted = [...places].sort((a, b) => a - b);
  const nodes = sorted.map((place): Node => ({ place, radius: 4 + 14 * Math.sqrt(weight(place) / most) }));
  const links = strongest(together, new Map(nodes.map((node) => [node.place, node])));
  layOut(nodes, links);
  return picture(drawn, nodes, links);
}

function strongest(together: GraphData['together'], nodes: ReadonlyMap<number, Node>): readonly Link[] {
  const drawn = new Map<number, number>();
  return together.flatMap(([a, b, times]) => {
    const [source, target] = [nodes.get(a), nodes.get(b)];
    const [ofA, ofB] = [drawn.get(a) ?? 0, drawn.get(b) ?? 0];
    if (source === undefined || target === undefined || Math.min(ofA, ofB) >= LINKS_A_NODE) return [];
    drawn.set(a, ofA + 1).set(b, ofB + 1);
    return [{ source, target, times }];
  });
}

/** Computes the final positions at once, so that nothing moves on the screen. */
function layOut(nodes: Node[], links: readonly Link[]): void {
  forceSimulation(nodes)
    .force('charge', forceManyBody().strength(nodes.length > 60 ? -90 : -220))
    .force('link', forceLink<Node, Link>([...links]).distance(70))
    .force(
      'collide',
      forceCollide<Node>().radius(({ radius }) => radius + 9),
    )
    .force('center', forceCenter(WIDTH / 2, HEIGHT / 2))
    .force('x', forceX(WIDTH / 2).strength(0.07))
    .force('y', forceY(HEIGHT / 2).strength(0.09))
    .stop()
    .tick(STEPS);
}

function picture(drawn: GraphData, nodes: readonly Node[], links: readonly Link[]): HTMLElement {
  const most = Math.max(1, ...links.map(({ times }) => times));
  const lines = links.map(({ source, target, times }) => {
    const ends = { x1: source.x, y1: source.y, x2: target.x, y2: target.y };
    return {
      source,
      target,
      line: createSvgElement('line', { ...ends, 'stroke-width': 0.8 + 2.6 * ((times - 1) / most) }),
    };
  });
  const groups = nodes.map((node) => {
    const name = drawn.nameOf(node.place);
    const [href, transform] = [drawn.addressOf(node.place), `translate(${node.x} ${node.y})`];
    const group = createSvgElement(
      'a',
      { href, tabindex: nodes.length > 40 ? -1 : 0, transform },
      createSvgElement('circle', { r: node.radius }),
      createSvgElement('text', { y: -node.radius - 4 }, name),
      createSvgElement('title', {}, name),
    );
    const mark = (isOn: boolean): void => {
      for (const { source, target, line } of lines)
        line.classList.toggle('near', isOn && (source === node || target === node));
    };
    group.addEventListener('mouseenter', () => mark(true));
    group.addEventListener('mouseleave', () => mark(false));
    // In a large graph only large nodes show their names permanently.
    if (nodes.length > 45 && node.radius < 9) group.classList.add('quiet');
    return group;
  });
  const shape = { viewBox: boundsOf(nodes), role: 'group', 'aria-label': drawn.label(nodes.length) };
  const drawing = createSvgElement('svg', shape, ...lines.map(({ line }) => line), ...groups);
  return createHtmlElement('figure', { class: 'graph' }, drawing, createHtmlElement('figcaption', {}, drawn.caption));
}

/** View box around the nodes, with a minimum size so that few nodes are not drawn huge. */
function boundsOf(nodes: readonly Node[]): string {
  const [xs, ys] = [nodes.map(({ x = 0 }) => x), nodes.map(({ y = 0 }) => y)];
  const [left, width] = span(xs, 60, LEAST_WIDTH);
  const [top, height] = span(ys, 34, LEAST_HEIGHT);
  return [left, top, width, height].map(Math.round).join(' ');
}

function span(places: readonly number[], room: number, least: number): readonly [from: number, length: number] {
  const [first, last] = [Math.min(...places) - room, Math.max(...places) + room];
  const length = Math.max(last - first, least);
  return [(first + last - length) / 2, length];
}
