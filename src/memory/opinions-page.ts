import { type Bullet, parseBullet } from '../markdown/bullet.js';
import { scanMarkdown } from '../markdown/scan.js';
import { visibleLines } from '../markdown/visible.js';
import { DEFAULT_CONFIDENCE, opinionId } from './fact.js';
import { type OpinionNotes, readOpinionNotes } from './opinion-notes.js';

/** An opinion of `bank/opinions.md`. Lines are 1-based. */
export interface PageOpinion extends OpinionNotes {
  /** `o-…`, as written or computed. */
  readonly id: string;
  readonly bullet: Bullet;
  /** As written, else {@link DEFAULT_CONFIDENCE}. */
  readonly confidence: number;
  readonly isRetired: boolean;
  readonly startLine: number;
  readonly textEndLine: number;
  readonly endLine: number;
}

const ID_AT_END = /\s\^o-[0-9a-z]{13}\s*$/;

/** The opinions of a page, in its order. What is no opinion is not ours. Pure. */
export function readOpinionsPage(text: string): readonly PageOpinion[] {
  const scan = scanMarkdown(text);
  const visible = visibleLines(scan);
  const opinions: PageOpinion[] = [];
  let isRetired = false;
  for (const block of scan.blocks) {
    if (block.type === 'heading' && block.depth <= 2) isRetired = isRetiredHeading(block.text);
    if (block.type !== 'item' || block.level > 0) continue;
    const textEndLine = Math.max(block.startLine, block.textEndLine);
    const shown = withIdLast(visible.slice(block.startLine - 1, textEndLine));
    const parsed = parseBullet(shown.replace(/^\s*[-+*]\s+/, ''));
    if (parsed.type === 'fact' && parsed.bullet.kind === 'O') {
      const { bullet } = parsed;
      opinions.push({
        ...readOpinionNotes(scan, block),
        id: bullet.blockId?.startsWith('o-') ? bullet.blockId : opinionId(bullet),
        bullet,
        confidence: bullet.confidence ?? DEFAULT_CONFIDENCE,
        isRetired,
        startLine: block.startLine,
        textEndLine,
        endLine: block.endLine,
      });
    }
  }
  return opinions;
}

/** An opinion stays the same one when somebody writes on below the line that ends with its id. */
function withIdLast(lines: readonly string[]): string {
  if (lines.length === 1) return lines.join();
  const at = lines.findIndex((line) => ID_AT_END.test(line));
  const id = ID_AT_END.exec(lines[at] ?? '')?.[0] ?? '';
  return lines.map((line, index) => (index === at ? line.replace(ID_AT_END, '') : line)).join(' ') + id.trimEnd();
}

export function isRetiredHeading(text: string): boolean {
  return /^(?:retired|已退役)(?![\p{L}\p{N}])/iu.test(text.trim());
}
