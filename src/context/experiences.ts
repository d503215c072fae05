import type { FoundUnit, IndexedFile, IndexSearch } from '../index/search.js';
import type { WeightedField } from '../recall/relevance.js';
import { safeLine } from './envelope.js';

/** The parts of an experience: when it applies (`situation`), what to do (`approach`), what to avoid (`reflect`). */
type Part = 'situation' | 'approach' | 'reflect';

/** Lessons that an agent learned from tasks of one kind. */
interface Experience extends Readonly<Record<Part, readonly string[]>> {
  /** The name of the page's file, without `.md`. */
  readonly name: string;
  readonly path: string;
}

const SECTIONS: readonly (readonly [part: Part, heading: RegExp])[] = [
  ['situation', /^(?:situation|when|trigger|context|scope)\b|^(?:情境|场景|情况|适用)/iu],
  ['reflect', /^(?:reflect(?:ion)?s?|avoid|pitfalls?|lessons?|don'?ts?)\b|^(?:反思|避免|教训|注意|坑)/iu],
  ['approach', /^(?:approach|do|steps?|how|solution)\b|^(?:做法|方法|步骤|方案)/iu],
];

/** Whether a page holds experience of the agent. */
export function isExperiencePath(path: string): boolean {
  return path.startsWith('bank/experiences/');
}

/** The experiences of a workspace, as the index has them: without forgotten or commented-out text. */
export function readExperiences(search: IndexSearch): readonly Experience[] {
  const pages = search.files().filter(({ path }: IndexedFile) => isExperiencePath(path));
  return pages.flatMap(({ path }) => {
    const file = search.file(path);
    if (file === undefined || file.lastUnit < file.firstUnit) return [];
    return [experienceOf(path, search.range(file.firstUnit, file.lastUnit))];
  });
}

function experienceOf(path: string, units: readonly FoundUnit[]): Experience {
  const name = (path.split('/').at(-1) ?? '').replace(/\.md$/u, '');
  const found: Record<Part, string[]> = { situation: [], approach: [], reflect: [] };
  // A unit is a heading if its field `section` has its own key. This maps the key of each heading to its text.
  const headings = new Map(units.flatMap(({ key, section, text }) => (section === key ? [[key, text] as const] : [])));
  for (const unit of units) {
    if (headings.has(unit.key)) continue;
    // Brackets before a line name the kind of a memory. An experience must not claim a kind, so use parentheses.
    const text = safeLine(unit.text).replace(/^\[([^\]]*)\]/u, '($1)');
    const heading = unit.section === null ? '' : (headings.get(unit.section) ?? '');
    // Text under no known heading counts as approach, because the whole page is experience.
    const part = SECTIONS.find(([, pattern]) => pattern.test(heading.trim()))?.[0] ?? 'approach';
    if (text !== '' && !found[part].includes(text)) found[part].push(text);
  }
  return { name: safeLine(name), path, ...found };
}

/**
 * The texts of an experience with their weights. A text weighs more if it says more about the tasks that the experience is
 * for. Pure.
 */
export function experienceFields({ name, situation, approach, reflect }: Experience): readonly WeightedField[] {
  return [
    { text: [name.replaceAll('-', ' '), ...situation].join('\n'), weight: 1 },
    { text: approach.join('\n'), weight: 0.7 },
    { text: reflect.join('\n'), weight: 0.5 },
  ];
}

const TO_CHECK =
  /\b(?:check|verify|confirm|make sure|ensure|test|compare|measure|monitor|watch|rerun|replay)\b|确认|检查|验证|核对|确保|复测|回归|重放|重跑|观察|监控/iu;
const FORBIDS = /\b(?:avoid|never|don't|do not|not|without|no)\b|避免|不要|不得|不能|不可|切勿|禁止|别/iu;

/**
 * Whether a lesson says what to check afterwards. A lesson that forbids something is not a check, even if it mentions tests.
 */
function isCheck(lesson: string): boolean {
  const at = lesson.search(TO_CHECK);
  const forbids = lesson.search(FORBIDS);
  return at >= 0 && (forbids < 0 || at < forbids);
}

/** The text of an experience for a block. It repeats no sentence and has no label without content. Pure. */
export function renderExperience(experience: Experience, score: number): string {
  const { name, path, situation, approach, reflect } = experience;
  const said = new Set<string>();
  const lines = [`### Experience: ${name}`, `Source: ${safeLine(path)}`, `Score: ${score.toFixed(3)}`];
  const part = (label: string, items: readonly string[]): void => {
    const fresh = items.filter((item) => !said.has(item));
    if (fresh.length === 0) return;
    for (const item of fresh) said.add(item);
    lines.push('', `${label}:`, ...fresh.map((item) => `- ${item}`));
  };
  part('Trigger', situation.slice(0, 1));
  part('Do', approach);
  const [checks, avoid] = [reflect.filter(isCheck), reflect.filter((item) => !isCheck(item))];
  part('Avoid', avoid);
  part('Scope', situation.slice(1));
  part('Check', checks);
  return lines.join('\n');
}
