import type { Day } from '../base/clock.js';
import type { TimeReader } from '../language/time/read-time.js';
import type { DateReaderOf } from '../line/day.js';
import { readLineForm, readSeries } from '../line/form.js';
import { readOriginLines, withoutSaidOnNote } from '../line/generated.js';
import { type LinePlaces, NO_LINE_PLACE, readLinePlaces } from '../line/record.js';
import type { ParsedStatement, StatementParser } from '../line/statement/statement.js';
import { isLineBelowTableHeader } from '../line/table.js';
import type { Unit, UnitDetail, UnitKind } from '../line/unit.js';
import type { readValidity } from '../line/validity.js';
import type { ListItem, MarkdownScan } from '../markdown/block.js';
import {
  type Bullet,
  joinEntityName,
  kindName,
  type PromotedLine,
  parseBullet,
  readPromotedLine,
  textAfterLeadingEntities,
} from '../markdown/bullet.js';
import { findEntities } from '../markdown/entities.js';
import { scanMarkdown } from '../markdown/scan.js';
import { lineNumbersInFences, visibleLines } from '../markdown/visible.js';
import { linkedNames, markupSearchText, mayHaveMarkup, tagKeys, tagsIn, withoutMarkup } from '../markdown/wiki.js';
import { searchText } from '../text/search-text.js';
import { entitySlug } from '../text/slug.js';
import { type EntityPage, readEntityPage } from './entity-page.js';
import { CITATION_AT_END, DEFAULT_CONFIDENCE, factId } from './fact.js';
import { ForgottenStatements } from './forgotten.js';
import { isRetiredHeading, opinionDetail, readOpinionNotes } from './opinions-page.js';
import { withAhead } from './page/ahead.js';
import { FalseKindDetector } from './page/bare-letters.js';
import { markGeneratedUnits } from './page/generated.js';
import { fieldRole, type PageHead, readHead, readProperty } from './page/head.js';
import { cutLongLine, introducesList, MAX_UNIT_CHARS, stripMarkers } from './page/lines.js';
import { noteSlug, tagSlug, wholeNameSlug } from './page/names.js';
import { slugsOfDefinedTerms } from './page/terms.js';
import { lineKindOf, mayHaveFacts, type Page, type PageRole, pageOfPath, RETAIN_HEADING } from './pages.js';

/** The content of one file for the index. */
export interface PageUnits {
  readonly units: readonly Unit[];
  readonly entity: EntityPage | null;
  /** Number of statements left out because they are forgotten. */
  readonly forgotten: number;
}

/** Maximum size of a list item that is one unit, in lines and characters. In a longer item, every line is a unit. */
const SHORT_ITEM = { lines: 4, chars: 600 };

/** Maximum line distance between an introduction and its list: one blank line. */
const MOST_BEFORE_LIST = 2;

/**
 * Parses a page into units, in line order, without forgotten ones. Pure.
 * @param reading parsers for dates and statements, slow to load; without them only the text of facts is read
 */
export function readUnits(
  path: string,
  page: Page,
  text: string,
  forgotten = ForgottenStatements.NOTHING,
  reading?: FactParsers,
): PageUnits {
  const scan = scanMarkdown(text);
  const head = readHead(path, page, scan);
  if (head.isDrawing) return { units: [], entity: null, forgotten: 0 };
  const entity = page.role === 'entity' ? readEntityPage(path, scan) : null;
  const visible = visibleLines(scan);
  const isRead = reading !== undefined && !GENERATED_ROLES.has(page.role);
  const isImport = page.role === 'import';
  const placeOf = isRead ? readLinePlaces(path, page.day, scan, visible, reading.dates, isImport) : () => NO_LINE_PLACE;
  const reader = new UnitReader(page, scan, visible, placeOf, head, entity, forgotten, reading);
  const units = markGeneratedUnits(reader.read(), page, text);
  const ahead = isRead ? reading.ahead : undefined;
  return {
    units: ahead === undefined ? units : withAhead(units, page, visible, lineNumbersInFences(scan), ahead),
    entity,
    forgotten: reader.leftOut,
  };
}

/** Parsers for the places of lines, and for the validity and the content of facts. */
interface FactParsers {
  /** Opens a reader of dates with the names of months. */
  readonly dates: DateReaderOf;
  /** Reads the times in the languages of the page. */
  readonly times: TimeReader;
  /** Reads the times that the lines of the page announce. */
  readonly ahead?: TimeReader;
  readonly readValidity: typeof readValidity;
  readonly readStatement: StatementParser;
}

type FactFields = Pick<Unit, 'fact' | 'validFrom' | 'validTo' | 'isPeriod'>;
/** Roles of pages that this program writes. The dates in their lines are those of facts elsewhere. */
const GENERATED_ROLES: ReadonlySet<PageRole> = new Set(['entity', 'opinions', 'summary']);

const NO_FACT: FactFields = { fact: null, validFrom: null, validTo: null, isPeriod: false };

function statementOf(
  { statement, text, entities }: Bullet,
  day: Day | null,
  { readStatement, times }: FactParsers,
): ParsedStatement {
  const told = text === statement ? textAfterLeadingEntities(statement) : text;
  const said = told.replace(CITATION_AT_END, '');
  const lead = statement.slice(0, statement.indexOf(said));
  const names = lead === '' ? NONE : entities.length === 1 ? entities : findEntities(lead);
  return readStatement(said, day, times, names);
}

class UnitReader {
  private readonly units: Unit[] = [];
  private readonly code: ReadonlySet<number>;
  private readonly facts: boolean;
  private readonly lineKind: UnitKind;
  private section = -1;
  /** The list items that enclose the next line, each with its depth and the index of its unit. */
  private items: { readonly level: number; readonly position: number }[] = [];
  /** The headings above the next line, each with its depth and the index of its unit. */
  private readonly above: { readonly depth: number; readonly position: number }[] = [];
  private retired = false;
  /**
   * Whether the next line is in the section that `retain` writes. There, a kind letter without a colon always counts as a
   * kind.
   */
  private isRetain = false;
  private readonly letters: FalseKindDetector | undefined;
  /** The last line that has only list markers (`- -`). All nested items that start on this line are empty. */
  private markersOnly = 0;
  /** The line that says who speaks in the next lines, and the index of its unit, or -1. */
  private speakerLine = { line: 0, position: -1 };
  leftOut = 0;

  constructor(
    private readonly page: Page,
    private readonly scan: MarkdownScan,
    private readonly visible: readonly string[],
    private readonly placeOf: LinePlaces,
    private readonly head: PageHead,
    private readonly entity: EntityPage | null,
    private readonly forgotten: ForgottenStatements,
    private readonly reading: FactParsers | undefined,
  ) {
    this.code = lineNumbersInFences(scan);
    this.facts = mayHaveFacts(page.role);
    this.lineKind = lineKindOf(page.role);
    if (page.role === 'daily' || page.role === 'topic') this.letters = new FalseKindDetector(scan.lines);
  }

  read(): readonly Unit[] {
    this.pageItself();
    let line = this.head.endLine + 1;
    for (const block of this.scan.blocks) {
      if (block.type !== 'heading' && block.type !== 'item') continue;
      // A nested item may start on the line of its parent (`- - text`). Such a line belongs to the outermost item.
      if (block.startLine < line) continue;
      const before = this.units.length;
      this.plainLines(line, block.startLine - 1);
      if (block.type === 'item' && this.units.length > before) this.beginList(block);
      line = block.type === 'heading' ? this.heading(block.startLine, block.endLine, block.depth) : this.item(block);
    }
    this.plainLines(line, this.visible.length);
    return this.units;
  }

  /**
   * Adds a unit for the page itself, as if it were a heading above the whole page. Its text is the names of the page.
   * Then adds the fields of the front matter.
   */
  private pageItself(): void {
    const { names, keys, tags, fields } = this.head;
    if (names.length > 0) {
      this.units.push({
        line: 1,
        endLine: 1,
        kind: this.lineKind,
        section: 0,
        // The line end at the end makes this text differ from the text of every line of the page.
        text: `${names.join('\n')}\n`,
        detail: { page: true },
        slugs: [...keys, ...new Set(tags.flatMap(tagKeys).map(tagSlug))],
        search: searchText(names.join(' ')),
        ...NO_FACT,
        day: this.placeOf(1).day,
        speaker: null,
        form: 0,
        head: 0,
        series: null,
      });
    }
    for (const field of fields) {
      const written = this.scan.lines.slice(field.startLine - 1, field.endLine).join(' ');
      this.push(field.startLine, field.endLine, this.lineKind, field.text, FIELD, NO_FACT, written);
    }
  }

  private heading(startLine: number, endLine: number, depth: number): number {
    // If a heading has several lines, the last one is its underline.
    const text = this.shown(startLine, Math.max(startLine, endLine - 1)).replace(/^#+\s*|\s*#*\s*$/g, '');
    this.items = [];
    if (depth <= 2) this.isRetain = depth === 2 && text === RETAIN_HEADING;
    if (depth <= 2) this.retired = this.page.role === 'opinions' && isRetiredHeading(text);
    if (text !== '') {
      // The section of a heading is the heading itself. No other line has itself as its section.
      while ((this.above.at(-1)?.depth ?? 0) >= depth) this.above.pop();
      const under = this.above.at(-1)?.position;
      this.section = this.units.length;
      this.above.push({ depth, position: this.section });
      this.push(startLine, endLine, this.lineKind, text, under === undefined ? null : { under });
    }
    return endLine + 1;
  }

  /**
   * Starts a list after other text. If the line directly before ends in a colon, it introduces the list and becomes the
   * parent of its items.
   */
  private beginList({ startLine }: ListItem): void {
    const position = this.units.length - 1;
    const last = this.units[position];
    // An indented line belongs to a list item before, so it introduces no list.
    if (last === undefined || /^\s/.test(this.scan.lines[last.line - 1] ?? '')) return;
    const isText = last.detail?.field === undefined && !this.code.has(last.line);
    const leads = isText && startLine - last.endLine <= MOST_BEFORE_LIST && introducesList(last.text);
    this.items = leads ? [{ level: -1, position }] : [];
  }

  private item(item: ListItem): number {
    const end = Math.max(item.startLine, item.textEndLine);
    if (end === this.markersOnly) return item.startLine;
    const written = this.written(item.startLine, end);
    if (written === '') {
      if (end === item.startLine) this.markersOnly = end;
      return item.startLine;
    }
    while ((this.items.at(-1)?.level ?? -1) >= item.level) this.items.pop();
    const position = this.units.length;
    const promoted = readPromotedLine(written);
    const isNoKind = !this.isRetain && this.letters?.isNoKind(item, written) === true;
    const parsed =
      this.facts && !isNoKind ? parseBullet(promoted?.text ?? withoutSaidOnNote(written)) : { type: 'plain' as const };
    if (parsed.type === 'fact') {
      if (this.forgotten.has(parsed.bullet)) {
        this.leftOut++;
        return lastLineOfFact(this.page, item) + 1;
      }
      this.fact(item, end, parsed.bullet, promoted);
    } else this.plainItem(item.startLine, end);
    if (this.units.length > position && !this.units[position]?.detail?.embed)
      this.items.push({ level: item.level, position });
    return end + 1;
  }

  private plainItem(startLine: number, end: number): void {
    const text = this.shown(startLine, end);
    const isShort = end > startLine && end - startLine < SHORT_ITEM.lines && text.length <= SHORT_ITEM.chars;
    const isProperty = (line: string): boolean => readProperty(stripMarkers(line)) !== undefined;
    const hasFields = text.includes('::') && this.visible.slice(startLine - 1, end).some(isProperty);
    if (isShort && !hasFields) {
      this.push(startLine, end, this.lineKind, text, this.inItem());
      return;
    }
    const first = this.units.length;
    this.plainLines(startLine, startLine, this.inItem());
    this.plainLines(startLine + 1, end, this.units.length > first ? { under: first } : this.inItem());
  }

  /** The detail of a line in a list item: which unit is its parent. */
  private inItem(): UnitDetail | null {
    const item = this.items.at(-1);
    return item === undefined ? null : { under: item.position };
  }

  /** @param promoted set for a copy of a line of another page; the copy has the id of the original */
  private fact(item: ListItem, end: number, bullet: Bullet, promoted?: PromotedLine): void {
    const day = promoted === undefined ? this.page.day : (pageOfPath(promoted.source)?.day ?? null);
    const from = readOriginLines(bullet.origin);
    const detail: UnitDetail = {
      entities: bullet.entities,
      ...(bullet.kind === 'O' ? { confidence: bullet.confidence ?? DEFAULT_CONFIDENCE } : {}),
      ...(bullet.blockId === null && promoted === undefined ? {} : { view: true }),
      ...(from === undefined ? {} : { from }),
      ...(this.page.role === 'opinions' ? opinionDetail(readOpinionNotes(this.scan, item)) : {}),
      ...(this.retired ? { retired: true } : {}),
      ...(this.reading === undefined ? {} : { statement: statementOf(bullet, day, this.reading) }),
    };
    const id = bullet.blockId ?? factId({ kind: bullet.kind, entities: bullet.entities, text: bullet.text, day });
    const validity = this.reading?.readValidity(bullet.text, day, this.reading.times);
    this.push(item.startLine, end, kindName(bullet.kind), bullet.statement, detail, {
      fact: id,
      validFrom: validity?.from ?? null,
      validTo: validity?.to ?? null,
      isPeriod: validity?.type === 'period',
    });
  }

  /**
   * Adds units for the lines from number `from` to number `to`. None of these lines is a fact.
   * @param place says which unit is the parent of these units
   */
  private plainLines(from: number, to: number, place: UnitDetail | null = null): void {
    let header: number | undefined;
    for (let line = from; line <= to; line++) {
      const visible = this.visible[line - 1] ?? '';
      if (visible.length > MAX_UNIT_CHARS) {
        this.longLine(line, visible, place);
        continue;
      }
      const text = this.shown(line, line);
      if (this.isNoText(line, text, place)) continue;
      if (!text.includes('|')) header = undefined;
      else if (!this.code.has(line) && isLineBelowTableHeader(this.visible[line] ?? '')) header = this.units.length;
      const row = header === undefined ? undefined : header === this.units.length ? CELLS : { under: header };
      this.push(line, line, this.lineKind, text, row === undefined ? place : { ...place, ...row });
    }
  }

  private isNoText(line: number, text: string, place: UnitDetail | null): boolean {
    return text === '' ? this.unseenLine(line, place) : this.property(line, text, place);
  }

  /** Handles a line without displayed text. An embed becomes a unit; a block id is added to the unit before. */
  private unseenLine(line: number, place: UnitDetail | null): true {
    const visible = this.visible[line - 1] ?? '';
    const unseen = markupSearchText(visible);
    if (unseen.startsWith('^')) this.identify(this.units.length - 1, unseen);
    else if (unseen !== '') this.push(line, line, this.lineKind, unseen, { ...place, ...EMBED }, NO_FACT, visible);
    return true;
  }

  /** Makes a unit searchable by the block id on a line of its own. */
  private identify(position: number, id: string): void {
    const unit = this.units[position];
    if (unit === undefined || unit.detail?.page) return;
    const unseen = [unit.detail?.unseen ?? [], id].flat().join(' ');
    this.units[position] = {
      ...unit,
      detail: { ...unit.detail, unseen },
      search: `${unit.search} ${searchText(id)}`,
    };
  }

  private longLine(line: number, visible: string, place: UnitDetail | null): void {
    for (const piece of cutLongLine(visible)) {
      const text = stripMarkers(piece);
      if (text !== '') this.push(line, line, this.lineKind, text, place, NO_FACT, piece);
    }
  }

  /** Handles a field of a block or the page. Machine fields and names of the page become no units. */
  private property(line: number, text: string, place: UnitDetail | null): boolean {
    const property = this.code.has(line) ? undefined : readProperty(text);
    if (property === undefined) return false;
    const use = fieldRole(property.key);
    if (property.key === 'id' && place?.under !== undefined && BLOCK_UUID.test(property.value))
      this.identify(place.under, property.value);
    if (use === 'value' || use === 'tags') this.push(line, line, this.lineKind, text, { ...place, ...FIELD });
    return true;
  }

  private push(
    line: number,
    endLine: number,
    kind: UnitKind,
    text: string,
    detail: UnitDetail | null,
    fact: FactFields = NO_FACT,
    given?: string,
  ): void {
    if (fact.fact === null && this.section !== this.units.length && this.forgotten.hasLine(text)) {
      this.leftOut++;
      return;
    }
    const isCode = this.code.has(line);
    const isFact = fact.fact !== null;
    const lines = line === endLine ? [this.visible[line - 1] ?? ''] : this.visible.slice(line - 1, endLine);
    const written = given ?? lines.join(' ');
    const entities = detail?.entities ?? (!isCode && /[@＠]/.test(text) ? findEntities(text) : NONE);
    const isPlain = isCode || isFact || given !== undefined || !mayHaveMarkup(written);
    const unseen = isPlain ? '' : lines.map(markupSearchText).filter(Boolean).join(' ');
    const told = unseen === '' ? detail : { ...detail, unseen };
    const kept = entities.length === 0 || detail?.entities !== undefined ? told : { entities, ...told };
    const searched = isPlain ? written : `${lines.map(withoutMarkup).join(' ')} ${unseen}`.trimEnd();
    const { day, speaker, form, head } = this.placeOf(line);
    this.units.push({
      line,
      endLine,
      kind,
      section: this.section,
      text,
      // Field by field: a spread takes several times as long.
      fact: fact.fact,
      validFrom: fact.validFrom,
      validTo: fact.validTo,
      isPeriod: fact.isPeriod,
      day,
      speaker: isFact ? null : speaker,
      form: readLineForm(text, this.visible[line - 1]) | form,
      head: isFact ? 0 : this.distanceTo(head),
      series: isFact ? null : readSeries(text),
      detail: kept,
      slugs: this.keysOf(text, entities, isCode ? undefined : written, isFact, detail?.cells),
      // The whole line is indexed, with its list marker and kind letter, so that all text of a file can be found.
      search: searchText(searched),
    });
  }

  /** All keys of a unit: what it names and links to, what it defines, and the whole name that a fact is about. */
  private keysOf(
    text: string,
    entities: readonly string[],
    written: string | undefined,
    isFact: boolean,
    isHeader: true | undefined,
  ): readonly string[] {
    const named = this.slugsOf(entities, written ?? '');
    if (isFact) {
      const whole = joinEntityName(entities[0], text);
      return whole === undefined ? named : [...new Set([...named, wholeNameSlug(entitySlug(whole))])];
    }
    if (written === undefined || isHeader) return named;
    const defined = slugsOfDefinedTerms(this.page, text, this.section === this.units.length);
    return defined.length === 0 ? named : [...named, ...defined];
  }

  /** Number of units from the one on a line above to the next one; 0 if there is none on that line. */
  private distanceTo(line: number | null): number {
    if (line === null) return 0;
    if (this.speakerLine.line !== line)
      this.speakerLine = { line, position: this.units.findLastIndex((unit) => unit.line === line) };
    const { position } = this.speakerLine;
    return position < 0 ? 0 : this.units.length - position;
  }

  /** Keys of a unit: the entities that it names, its links and tags, and the entity of its page. */
  private slugsOf(entities: readonly string[], written: string): readonly string[] {
    const hasLinks = /[[#]/.test(written);
    const links = hasLinks ? [...linkedNames(written).map(noteSlug), ...tagsIn(written).map(tagSlug)] : NONE;
    const own = this.entity === null ? NONE : [this.entity.slug];
    // Fast path: most lines have no keys.
    if (entities.length + links.length + own.length === 0) return NONE;
    const all = [...entities.map(entitySlug), ...links, ...own];
    return all.length > 1 ? [...new Set(all)] : all;
  }

  /** Text of some lines as written, without markers and comments. */
  private written(from: number, to: number, read = stripMarkers): string {
    if (from === to) return read(this.visible[from - 1] ?? '');
    return this.visible
      .slice(from - 1, to)
      .map(read)
      .filter((line) => line !== '')
      .join(' ');
  }

  /** Text of some lines as {@link written} returns it, but without markup. */
  private shown(from: number, to: number): string {
    return this.written(
      from,
      to,
      this.code.has(from) ? stripMarkers : (line) => stripMarkers(withoutMarkup(readPromotedLine(line)?.text ?? line)),
    );
  }
}

/** Last line that belongs to a typed fact; on the page of opinions this includes its notes. */
export function lastLineOfFact(page: Page, item: ListItem): number {
  return page.role === 'opinions' ? item.endLine : Math.max(item.startLine, item.textEndLine);
}

const NONE: readonly string[] = [];
const FIELD: UnitDetail = { field: true };
const EMBED: UnitDetail = { field: true, embed: true };
const BLOCK_UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const CELLS: UnitDetail = { cells: true };
