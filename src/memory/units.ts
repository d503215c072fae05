import { NO_TIMES, type Times } from '../language/time/times.js';
import type { Item, MarkdownScan } from '../markdown/block.js';
import { type Bullet, parseBullet } from '../markdown/bullet.js';
import { findEntities } from '../markdown/entities.js';
import { kindName } from '../markdown/fact-kinds.js';
import { scanMarkdown } from '../markdown/scan.js';
import { visibleLines } from '../markdown/visible.js';
import { searchText } from '../text/search-text.js';
import { entitySlug } from '../text/slug.js';
import { type EntityPage, readEntityPage } from './entity-page.js';
import { DEFAULT_CONFIDENCE, factId } from './fact.js';
import { Forgotten } from './forgotten.js';
import { notesDetail, readOpinionNotes } from './opinion-notes.js';
import { isRetiredHeading } from './opinions-page.js';
import { holdsFacts, type Page } from './pages.js';
import type { Unit, UnitDetail, UnitKind } from './unit.js';
import { readValidity } from './validity.js';

/** What the index holds of one file. */
export interface PageUnits {
  readonly units: readonly Unit[];
  readonly entity: EntityPage | null;
  /** How many statements were left out because they are forgotten. */
  readonly forgotten: number;
}

/** Log text of a list item is one unit up to this length, in lines and characters; above, every line is one. */
const SHORT_ITEM = { lines: 4, chars: 600 };
/** A longer physical line is cut at white space into units of at most this many characters, all citing the line. */
const LONG_LINE = 2_000;

/**
 * Reads a page into units, in line order, without what is forgotten. Pure.
 * @param times prepared for the text; without it no fact has a validity
 */
export function readUnits(
  path: string,
  page: Page,
  text: string,
  forgotten = Forgotten.NOTHING,
  times: Times = NO_TIMES,
): PageUnits {
  const scan = scanMarkdown(text);
  const entity = page.role === 'entity' ? readEntityPage(path, scan) : null;
  const reader = new UnitReader(page, scan, entity, forgotten, times);
  return { units: reader.read(), entity, forgotten: reader.leftOut };
}

type FactFields = Pick<Unit, 'fact' | 'validFrom' | 'validTo' | 'isPeriod'>;
const NO_FACT: FactFields = { fact: null, validFrom: null, validTo: null, isPeriod: false };

class UnitReader {
  private readonly units: Unit[] = [];
  private readonly visible: readonly string[];
  private readonly facts: boolean;
  private section = -1;
  /** The headings that the next line stands under, each with its depth. */
  private readonly above: { readonly depth: number; readonly position: number }[] = [];
  private retired = false;
  leftOut = 0;

  constructor(
    private readonly page: Page,
    private readonly scan: MarkdownScan,
    private readonly entity: EntityPage | null,
    private readonly forgotten: Forgotten,
    private readonly times: Times,
  ) {
    this.visible = visibleLines(scan);
    this.facts = holdsFacts(page.role);
  }

  read(): readonly Unit[] {
    let line = this.tags() + 1;
    for (const block of this.scan.blocks) {
      if (block.type !== 'heading' && block.type !== 'item') continue;
      // Nested items may start on their parent's line: the line belongs to the outermost.
      if (block.startLine < line) continue;
      this.plainLines(line, block.startLine - 1);
      line = block.type === 'heading' ? this.heading(block.startLine, block.endLine, block.depth) : this.item(block);
    }
    this.plainLines(line, this.visible.length);
    return this.units;
  }

  /** Tags of the front matter find their page. Returns the last line of it. */
  private tags(): number {
    const [front] = this.scan.blocks;
    if (front?.type !== 'frontMatter') return 0;
    const lines = this.scan.lines.slice(0, front.endLine - 1);
    const at = lines.findIndex((line) => /^tags?\s*:/i.test(line));
    if (at >= 0) {
      const after = lines.slice(at + 1);
      const end = after.findIndex((line) => !/^\s*-\s/.test(line));
      const items = after.slice(0, end < 0 ? after.length : end);
      const own = lines[at]?.replace(/^tags?\s*:/i, '').split(',') ?? [];
      const names = [...own, ...items.map((item) => item.replace(/^\s*-\s/, ''))]
        .map((name) => name.replace(/[[\]"'#]/g, '').trim())
        .filter((name) => name !== '');
      const text = `tags: ${names.join(', ')}`;
      if (names.length > 0) this.push(at + 1, at + 1 + items.length, this.lineKind(), text, null, NO_FACT, text);
    }
    return front.endLine;
  }

  private heading(startLine: number, endLine: number, depth: number): number {
    const text = this.visibleText(startLine, endLine).replace(/^#+\s*|\s*#*\s*$/g, '');
    if (depth <= 2) this.retired = this.page.role === 'opinions' && isRetiredHeading(text);
    if (text !== '') {
      // A heading stands under itself: that is how it is told from other lines.
      while ((this.above.at(-1)?.depth ?? 0) >= depth) this.above.pop();
      const under = this.above.at(-1)?.position;
      this.section = this.units.length;
      this.above.push({ depth, position: this.section });
      this.push(startLine, endLine, this.lineKind(), text, under === undefined ? null : { under });
    }
    return endLine + 1;
  }

  private item(item: Item): number {
    const end = Math.max(item.startLine, item.textEndLine);
    const text = this.visibleText(item.startLine, end);
    if (text === '') return item.startLine;
    const parsed = this.facts ? parseBullet(text) : { type: 'plain' as const };
    if (parsed.type === 'fact') {
      if (this.forgotten.has(parsed.bullet)) {
        this.leftOut++;
        return factEnd(this.page, item) + 1;
      }
      this.fact(item, end, parsed.bullet);
    } else if (end > item.startLine && end - item.startLine < SHORT_ITEM.lines && text.length <= SHORT_ITEM.chars) {
      this.push(item.startLine, end, this.lineKind(), text, null);
    } else {
      this.plainLines(item.startLine, end);
    }
    return end + 1;
  }

  private fact(item: Item, end: number, bullet: Bullet): void {
    const day = this.page.day;
    const detail: UnitDetail = {
      entities: bullet.entities,
      ...(bullet.kind === 'O' ? { confidence: bullet.confidence ?? DEFAULT_CONFIDENCE } : {}),
      ...(bullet.blockId === null ? {} : { view: true }),
      ...(this.page.role === 'opinions' ? notesDetail(readOpinionNotes(this.scan, item)) : {}),
      ...(this.retired ? { retired: true } : {}),
    };
    const id = bullet.blockId ?? factId({ kind: bullet.kind, entities: bullet.entities, text: bullet.text, day });
    const validity = readValidity(bullet.text, day, this.times);
    this.push(item.startLine, end, kindName(bullet.kind), bullet.statement, detail, {
      fact: id,
      validFrom: validity?.from ?? null,
      validTo: validity?.to ?? null,
      isPeriod: validity?.type === 'period',
    });
  }

  private plainLines(from: number, to: number): void {
    for (let line = from; line <= to; line++) {
      const visible = this.visible[line - 1] ?? '';
      if (visible.length <= LONG_LINE) {
        const text = stripMarkers(visible);
        if (text !== '') this.push(line, line, this.lineKind(), text, null);
        continue;
      }
      for (const piece of cutLongLine(visible)) {
        const text = stripMarkers(piece);
        if (text !== '') this.push(line, line, this.lineKind(), text, null, NO_FACT, piece);
      }
    }
  }

  private push(
    line: number,
    endLine: number,
    kind: UnitKind,
    text: string,
    detail: UnitDetail | null,
    fact: FactFields = NO_FACT,
    // The whole line is searched, its list marker and kind letter too: what is in a file can be found.
    searched = this.visible.slice(line - 1, endLine).join(' '),
  ): void {
    if (fact.fact === null && this.section !== this.units.length && this.forgotten.hasLine(text)) {
      this.leftOut++;
      return;
    }
    const written = detail?.entities ?? (text.includes('@') || text.includes('＠') ? findEntities(text) : []);
    const slugs = new Set(written.map(entitySlug));
    if (this.entity !== null) slugs.add(this.entity.slug);
    const kept = written.length > 0 ? { entities: written, ...detail } : detail;
    this.units.push({
      line,
      endLine,
      kind,
      section: this.section,
      text,
      detail: kept,
      slugs: [...slugs],
      search: searchText(searched),
      ...fact,
    });
  }

  private visibleText(from: number, to: number): string {
    if (from === to) return stripMarkers(this.visible[from - 1] ?? '');
    return this.visible
      .slice(from - 1, to)
      .map(stripMarkers)
      .filter((line) => line !== '')
      .join(' ');
  }

  private lineKind(): UnitKind {
    switch (this.page.role) {
      case 'core':
      case 'summary':
      case 'entity':
        return this.page.role;
      case 'daily':
      case 'dump':
      case 'topic':
        return 'log';
      default:
        return 'page';
    }
  }
}

/** The last line of what belongs to a typed fact: on the page of opinions, the notes under it too. */
export function factEnd(page: Page, item: Item): number {
  return page.role === 'opinions' ? item.endLine : Math.max(item.startLine, item.textEndLine);
}

/** The text of a line without quote and list markers and surrounding white space. */
function stripMarkers(line: string): string {
  return line.replace(/^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)*/, '').trimEnd();
}

/** Cuts at white space; where there is none, between a letter or digit and something else, so that no word is cut. */
function cutLongLine(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = from + LONG_LINE < text.length ? cutBefore(text, from, from + LONG_LINE) : text.length;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

function cutBefore(text: string, from: number, limit: number): number {
  // A pair of surrogates must not be torn.
  const to = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  const piece = text.slice(from, to);
  const space = piece.search(/\s\S*$/);
  if (space > 0) return from + space;
  const boundary = piece.search(/[^\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}]*$/u);
  return boundary > 0 ? from + boundary : to;
}
