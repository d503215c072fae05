import { posix } from 'node:path';
import { err, isReadErrorCode, ok, type Result, systemErrorCode, toFailure } from '../../base/failure.js';
import { asText } from '../../base/json.js';
import { findManagedBlocks } from '../../markdown/blocks.js';
import type { ForgottenStatements } from '../../memory/forgotten.js';
import { workspacePath } from '../../memory/pages.js';
import { type Proposal, proposalId } from '../../memory/proposals.js';
import type { UnsupportedLine } from '../../memory/supported.js';
import { refuseConflictCopy } from '../../workspace/readable.js';
import { type BankDraft, pagesOfType } from '../bank.js';
import type { MemoryType } from '../memory-type.js';
import { changedPagePart, comparePageText, formatLineNumbers } from '../page/ownership.js';
import { type ExtractSource, relativeHref, replaceLinks } from '../page/sources.js';
import {
  ENTITIES_FOLDER,
  isSameTitle,
  linkPage,
  pagePath,
  readFieldValues,
  titleFromValues,
  titleOfPage,
  writePage,
} from '../page/write-page.js';
import type { MemoryTypes } from '../types.js';
import type { OperationsDocument, PageNumberOrPath, PageOperation, RejectedOperation } from './document.js';
import { cleanModelFields, createUnwantedLineTest, type IsUnwantedLine, type MergedStatement } from './guard.js';
import { type NamedMessages, removeUnsupportedLines } from './support.js';

export interface PlanInput {
  readonly document: OperationsDocument;
  readonly types: MemoryTypes;
  readonly bank: BankDraft;
  readonly forgotten: ForgottenStatements;
  /** Finds the path of an entity's page by any of the entity's names. */
  readonly entityPath: (name: string) => string | undefined;
  /** Finds the source that an operation names, for example `m3`. */
  readonly sourceOf: (name: string) => ExtractSource | undefined;
  /** Source of statements that name no source. */
  readonly whole?: ExtractSource | undefined;
  /** The messages that our own model was shown. They must carry what it writes. */
  readonly messages?: NamedMessages | undefined;
  /** Whether the model may use its own words; default: true. */
  readonly mayWrite?: boolean | undefined;
}

type Write = Extract<PageOperation, { kind: 'write' }>;

const NOT_CARRIED = 'no message carries its lines';

/**
 * The last number that is tried at the end of a path. If recall would not read a page at the planned path, the same
 * path with `-2` at its end is tried, then with `-3`, and so on up to this number.
 */
const MOST_OTHERS = 9;

/**
 * Turns the operations of a document into planned changes of pages. The changes are only added to the plan of `bank`: no
 * file is written.
 */
export class OperationsPlanner {
  private readonly rejected: RejectedOperation[];
  private readonly merged: MergedStatement[] = [];
  private readonly refused: UnsupportedLine[] = [];
  /** Pages that an earlier application of the same document changed. */
  private readonly already = new Set<string>();
  /** Changes of lines that a person wrote. The person decides about them. */
  private readonly proposals: Proposal[] = [];
  private readonly made = new Map<number, string>();
  /** Deleted pages and their replacements. */
  private readonly replaced = new Map<string, string>();
  private readonly isUnwanted: IsUnwantedLine;

  constructor(private readonly input: PlanInput) {
    this.rejected = [...input.document.rejected];
    this.isUnwanted = createUnwantedLineTest(input.types.all, input.forgotten);
  }

  plan() {
    for (const kind of ['write', 'link', 'delete'] as const) {
      for (const operation of this.input.document.operations) {
        if (operation.kind === kind) this.take(operation);
      }
    }
    if (this.replaced.size > 0) this.redirect();
    const { rejected, merged, refused, already, proposals } = this;
    return { rejected, merged, refused, already: [...already], proposals };
  }

  /** Redirects links from deleted pages to their replacements. */
  private redirect(): void {
    const { bank, types } = this.input;
    for (const path of types.all.flatMap((type) => pagesOfType(bank.root, type))) {
      const text = bank.text(path);
      if (text === null || this.isDone(path)) continue;
      const changed = [...this.replaced].reduce((said, [gone, now]) => replaceLinks(said, path, gone, now), text);
      if (changed !== text) this.put(path, path, changed);
    }
  }

  private take(operation: PageOperation): void {
    try {
      const done =
        operation.kind === 'write'
          ? this.write(operation)
          : operation.kind === 'link'
            ? this.link(operation)
            : this.delete(operation);
      if (!done.ok) this.reject(operation.where, done.error);
    } catch (error) {
      if (isReadErrorCode(systemErrorCode(error))) throw error;
      // An operation throws if its path leads out of the workspace, or names no page.
      this.reject(operation.where, toFailure(error).message);
    }
  }

  /**
   * Plans a new text for a page, or its deletion if `text` is null. If the change touches lines that a person wrote, it
   * becomes a proposal instead.
   * @returns whether the change was planned
   */
  private put(where: string, path: string, text: string | null, sources: readonly ExtractSource[] = []): boolean {
    const { bank } = this.input;
    refuseConflictCopy(bank.root, path);
    const unread = bank.whyNotRead(path);
    if (unread !== undefined) {
      this.reject(where, `it ${unread.reason}; ${unread.hint}`, path);
      return false;
    }
    const before = bank.disk(path)?.text ?? '';
    const { touched, added, text: made } = comparePageText(before, text, bank.applied.oursOf(path));
    if (touched.length === 0) {
      bank.plan(path, text === null ? null : made, added);
      return true;
    }
    const citations = sources.slice(0, MOST_CITED).map((source) => source.path);
    const reason = text === null ? 'a model would delete the page' : 'a model would change lines that a person wrote';
    const proposal: Proposal = { action: 'change', page: path, ...changedPagePart(before, text), reason, citations };
    this.proposals.push(proposal);
    const why = `a person wrote ${formatLineNumbers(touched)} of it, so the change is only proposed as ${proposalId(proposal)}`;
    this.reject(where, `${why} in bank/proposals/`, path);
    return false;
  }

  private reject(operation: string, reason: string, page?: string): void {
    this.rejected.push({ operation, ...(page === undefined ? {} : { page }), reason });
  }

  private write({ where, type, page, given: asGiven, sources }: Write): Result<void, string> {
    const cleaned = cleanModelFields(type, asGiven, this.isUnwanted);
    const { bank } = this.input;
    const meant = this.target(type, page, cleaned);
    if (!meant.ok) return meant;
    const path = this.readable(where, meant.value);
    if (!path.ok) return path;
    if (typeof page === 'number') this.made.set(page, path.value);
    if (this.isDone(path.value)) return ok(undefined);
    const before = bank.text(path.value);
    if (type.operation_mode === 'update_only' && before === null)
      return err(`there is no such page, and pages of the type ${type.name} are only changed, never made`);
    if (type.operation_mode === 'add_only' && before !== null && !bank.isPlanned(path.value))
      return err(`${path.value} exists already, and pages of the type ${type.name} are never changed`);
    const { given, isCut } = this.supported(type, cleaned, before, sources);
    if (given === undefined) return err(NOT_CARRIED);
    const { sourceOf, whole } = this.input;
    const named = sources.flatMap((name) => sourceOf(name) ?? []);
    const found = named.length > 0 || whole === undefined ? named : [whole];
    const isRead = before === null || this.isRead(path.value);
    const written = writePage({
      type,
      path: path.value,
      before,
      given: this.unnamed(type, path.value, given),
      sources: found,
      isRead,
      isWritten: before !== null && bank.isPlanned(path.value),
      isOurs: bank.applied.oursOf(path.value),
      templates: this.input.types.templates,
    });
    if (!written.ok) {
      this.reject(where, written.error, path.value);
      return ok(undefined);
    }
    for (const { field, reason } of written.value.refused) this.reject(`${where}.${field}`, reason, path.value);
    if (isCut && written.value.text === before) this.reject(where, NOT_CARRIED, path.value);
    if (written.value.text === before || this.put(where, path.value, written.value.text, found))
      this.merged.push(...written.value.merged);
    return ok(undefined);
  }

  /**
   * The fields without the lines that no message carries; undefined if nothing of a new page is left. `isCut`: whether lines
   * were left out.
   */
  private supported(
    type: MemoryType,
    cleaned: Write['given'],
    before: string | null,
    cited: readonly string[],
  ): { readonly given: Write['given'] | undefined; readonly isCut: boolean } {
    const { messages, mayWrite = true } = this.input;
    if (messages === undefined) return { given: cleaned, isCut: false };
    const { given, refused, kept } = removeUnsupportedLines(type, cleaned, { messages, before, cited, mayWrite });
    this.refused.push(...refused);
    const isCut = refused.length > 0;
    return { given: isCut && kept === 0 && before === null ? undefined : given, isCut };
  }

  /**
   * Leaves out values that must not be written. If a name is only an alias of the entity, it must not rename the page of the
   * entity. If a truncated answer of the same document was applied before, sums and averages must not count its values
   * twice.
   */
  private unnamed(type: MemoryType, path: string, given: Write['given']): Write['given'] {
    const { bank, document, entityPath } = this.input;
    const [name = ''] = type.identity;
    const isAlias = type.directory === ENTITIES_FOLDER && entityPath(String(given[name] ?? '')) === path;
    const isCounted = bank.applied.isDone(document.id, path, bank.disk(path), true);
    const counts = type.fields
      .filter(({ merge_op }) => merge_op === 'sum' || merge_op === 'avg')
      .map((field) => field.name);
    const out = new Set([...(isAlias ? [name] : []), ...(isCounted ? counts : [])]);
    return Object.fromEntries(Object.entries(given).filter(([key]) => !out.has(key)));
  }

  private isDone(path: string): boolean {
    const { document, bank } = this.input;
    if (!this.already.has(path) && !bank.applied.isDone(document.id, path, bank.disk(path))) return false;
    this.already.add(path);
    return true;
  }

  private isRead(path: string): boolean {
    const hash = this.input.bank.disk(path)?.hash;
    if (hash === undefined) return true;
    return this.input.document.pages.some(
      (page) => page.path === path && page.hash.length >= 8 && hash.startsWith(page.hash),
    );
  }

  /**
   * Path of the page that an operation names by number or path. Returns `undefined` for a number that belongs neither
   * to a page that was shown nor to a page that this document creates. Also returns `undefined` for a path that is not
   * below `bank/`.
   */
  private named(page: PageNumberOrPath): string | undefined {
    if (typeof page === 'number')
      return this.made.get(page) ?? this.input.document.pages.find(({ page_id }) => page_id === page)?.path;
    const path = workspacePath(page);
    return posix.normalize(path) === path && path.startsWith('bank/')
      ? path.endsWith('.md')
        ? path
        : `${path}.md`
      : undefined;
  }

  private target(type: MemoryType, page: PageNumberOrPath | undefined, given: Write['given']): Result<string, string> {
    const named = page === undefined ? undefined : this.named(page);
    if (typeof page === 'string' && named === undefined) return err(`"${page.slice(0, 120)}" is not a page of bank/`);
    if (typeof page === 'number' && named === undefined && page < FIRST_NEW)
      return err(`the prompt did not show a page ${page}`);
    if (named === undefined) return this.placeOf(type, given);
    const holds = this.input.types.at(named);
    if (holds?.name !== type.name)
      return err(
        `${named} is ${holds === undefined ? 'not a page of a memory type' : `of the type ${holds.name}, not ${type.name}`}`,
      );
    const spelled = this.input.bank.spelled(named);
    if (this.input.bank.text(spelled) !== null || this.isDone(spelled)) return ok(spelled);
    // The page does not exist any more. Create it again, at the path that follows from the field values.
    const placed = this.placeOf(type, given);
    return placed.ok ? placed : err(`${named} does not exist`);
  }

  /**
   * Chooses the path of a page from its field values. If the type has a page with the same title, returns the path of that
   * page. Otherwise returns a free path.
   */
  private placeOf(type: MemoryType, given: Write['given']): Result<string, string> {
    const { bank, types, entityPath } = this.input;
    const values = readFieldValues(type, given);
    const first = pagePath(type, values, types.templates);
    if (!first.ok || type.identity.length === 0) return first;
    const title = titleFromValues(type, values) ?? '';
    const known = type.directory === ENTITIES_FOLDER ? entityPath(title) : undefined;
    if (known !== undefined && types.at(known)?.name === type.name) return ok(known);
    for (let count = 1; ; count++) {
      const path = bank.spelled(count === 1 ? first.value : first.value.replace(/\.md$/u, `-${count}.md`));
      const text = bank.text(path);
      const there = text === null ? null : titleOfPage(type, text);
      if (there === null || isSameTitle(there, title)) return ok(path);
    }
  }

  /** Returns the path if recall can read it, otherwise the next numbered path (`-2`, `-3`, …) that recall can read. */
  private readable(where: string, path: string): Result<string, string> {
    const { bank } = this.input;
    const unread = bank.whyNotRead(path);
    if (unread === undefined) return ok(path);
    for (let count = 2; count <= MOST_OTHERS; count++) {
      const other = bank.spelled(path.replace(/\.md$/u, `-${count}.md`));
      if (bank.whyNotRead(other) !== undefined) continue;
      this.reject(where, `it ${unread.reason}: written to ${other}; ${unread.hint}`, path);
      return ok(other);
    }
    return err(`${path} ${unread.reason}; ${unread.hint}`);
  }

  private link({ where, from, to, about }: Extract<PageOperation, { kind: 'link' }>): Result<void, string> {
    const { bank, types } = this.input;
    const [source, target] = [from, to].map((name) => this.named(name));
    if (source === undefined || target === undefined) return err('names a page that the prompt did not show');
    const type = types.at(source);
    const [text, other] = [bank.text(source), bank.text(target)];
    const otherType = types.at(target);
    if (type === undefined || text === null) return err(`${source} is not a page of a memory type`);
    if (other === null || otherType === undefined) return err(`${target} is not a page of a memory type`);
    if (source === target) return err('is a link to itself');
    if (this.isDone(source)) return ok(undefined);
    const href = relativeHref(source, target);
    const title = titleOfPage(otherType, other) ?? posix.basename(target, '.md');
    const [kind = 'related_to'] = /^[a-z]+(?:_[a-z]+){0,2}$/u.exec(asText(about.link_type) ?? '') ?? [];
    const link = { to_uri: href, match_text: title, link_type: kind, weight: about.weight ?? 1 };
    const linked = linkPage(type, text, link, types.templates);
    if (!linked.ok) return err(`${source} ${linked.error}`);
    if (linked.value !== text) this.put(where, source, linked.value);
    return ok(undefined);
  }

  private delete({ where, page, replacement }: Extract<PageOperation, { kind: 'delete' }>): Result<void, string> {
    const { bank, types } = this.input;
    const path = this.named(page);
    const type = path === undefined ? undefined : types.at(path);
    if (path === undefined || type === undefined) return err('names no page of a memory type that the prompt showed');
    if (this.isDone(path)) return ok(undefined);
    const text = bank.text(path);
    if (text === null) return ok(undefined);
    if (bank.isPlanned(path)) return err(`${path} is written by the same document`);
    if (type.operation_mode === 'add_only') return err(`pages of the type ${type.name} are never deleted`);
    if (!this.isRead(path)) return err(`${path} was not read, or has changed since: read the page again`);
    if (findManagedBlocks(text).length > 0)
      return err(`${path} has a generated block, so extraction must not delete it`);
    const other = replacement === undefined ? undefined : this.named(replacement);
    if (replacement !== undefined && (other === undefined || other === path || bank.text(other) === null))
      return err('its replacement is not a page');
    if (this.put(where, path, null) && other !== undefined) this.replaced.set(path, other);
    return ok(undefined);
  }
}

const MOST_CITED = 3;
/** The lowest number that a model may give to a new page. Lower numbers stand for pages that were shown. */
const FIRST_NEW = 100;
