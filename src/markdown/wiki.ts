import { tryWithFallback } from '../base/failure.js';
import { changeOutsideCode, replaceCodeSpans } from './inline.js';

/**
 * Embeds and block references of Obsidian and Logseq. They do not count as text of the line, because the text that they
 * show is written elsewhere.
 */
const EMBED = String.raw`!\[\[[^[\]]*\]\]|\{\{(?:embed|query|renderer|video|youtube|tweet|twitter|pdf|zotero|cloze)\b[^}]*\}\}`;
const BLOCK = String.raw`\(\([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\)\)`;
const BLOCK_LINK = new RegExp(String.raw`\[([^[\]]*)\]\(${BLOCK}\)`, 'g');
const NO_TEXT = new RegExp(String.raw`\s*(?:${EMBED}|${BLOCK})\s*`, 'g');
/** A block id at the end of a line. A single letter is not an id: `^D` means a key to press. */
const BLOCK_ID = /(?:^|\s)\^[A-Za-z0-9][A-Za-z0-9-]+$/;
const CALLOUT = /^((?:[\s>]|[-*+]\s)*>\s*)\[!([^[\]]{1,80})\][+-]?\s*(.*)$/;
/**
 * The usual form of a callout type: `note`, `my-type|wide`. Such a type is only a style. Any other type, for example `Our
 * plan`, is text of the writer: if the callout has no title, the type is used as the title. See {@link KNOWN_TYPE}.
 */
const TYPE = /^[a-z][\w-]*(?:\|.*)?$/;
const KNOWN_TYPE =
  /^(?:note|abstract|summary|tldr|info|todo|tip|hint|important|success|check|done|question|help|faq|warning|caution|attention|fail(?:ure)?|missing|danger|error|bug|example|quote|cite)(?:\|.*)?$/i;

/** A quick test whether a line may match one of the patterns above. Most lines match none. */
const MACHINERY = /\[!|!\[\[|\{\{|\(\(|\^[\w-]+$/;

/** A faster test before {@link MACHINERY}: a line without any of these characters has no markup. */
const MAY_BE_MACHINERY = /[[{(^]/;

/** Quick test whether lines may contain markup. */
export function mayHaveMarkup(text: string): boolean {
  return MAY_BE_MACHINERY.test(text);
}

/** Removes the markup from a line: embedded files, block references and ids, the type of a callout. Code stays as it is. */
export function withoutMarkup(line: string): string {
  if (!MAY_BE_MACHINERY.test(line) || !MACHINERY.test(line)) return line;
  const ofItsOwn = line.replace(CALLOUT, (_, lead: string, type: string, title: string) => {
    return lead.replace(/>[\s>]*$/, '') + (title || titleOf(type));
  });
  return changeOutsideCode(ofItsOwn, (part) => part.replace(BLOCK_LINK, labelOf).replace(NO_TEXT, ' ')).replace(
    BLOCK_ID,
    '',
  );
}

/**
 * Block references and embedded blocks. They are not searchable: a search for the id of a block should find only the line
 * that defines it.
 */
const NAMELESS = new RegExp(String.raw`${BLOCK}|\{\{[a-z]+\s*\}\}`, 'g');

/** Markup that {@link withoutMarkup} removes but a search should find: names of embedded files, the id of a block. */
export function markupSearchText(line: string): string {
  if (!MAY_BE_MACHINERY.test(line) || !MACHINERY.test(line)) return '';
  const text = replaceCodeSpans(line);
  const embeds = [...text.matchAll(NO_TEXT)].map(([embed]) => embed.replace(NAMELESS, '').replace(NAMELESS, '').trim());
  return [...embeds, BLOCK_ID.exec(text)?.[0].trim() ?? ''].filter((part) => part !== '').join(' ');
}

/**
 * The title to show for a callout that has no title of its own: its type. '' if the type has the usual form or is a known
 * one, because then it is only a style.
 */
function titleOf(type: string): string {
  return TYPE.test(type) || KNOWN_TYPE.test(type) ? '' : type.replace(/\|.*$/, '');
}

const ALIASED = /\[\[[^[\]|]+\|([^[\]]+)\]\]/g;
const LABELLED = /\[([^[\]]+)\]\(\[\[[^[\]]+\]\]\)/g;
const WORD = /[\p{L}\p{N}]/u;

/** The text as a reader sees it: the label of a link replaces the link. */
export function textWithLinkLabels(text: string): string {
  if (!text.includes('[[')) return text;
  return changeOutsideCode(text, (part) => part.replace(ALIASED, labelOf).replace(LABELLED, labelOf));
}

/**
 * The label of a link. If the link touches a word, the label keeps its brackets. Without the brackets, the label and
 * that word would become one word.
 */
function labelOf(link: string, label: string, at: number, text: string): string {
  const isApart = !WORD.test(text.charAt(at - 1)) && !WORD.test(text.charAt(at + link.length));
  const bracket = link.startsWith('[[') ? 2 : 1;
  return isApart ? label.trim() : '['.repeat(bracket) + label.trim() + ']'.repeat(bracket);
}

const LINK = /\[\[([^[\]|#^]+)[^[\]]*\]\]/g;
const MARKDOWN_LINK = /\]\(<?([^()<>]+?\.md)(?:#[^()<>\s]*)?>?\)/g;
const TAG = /(?<![^\s([{,;"'])#(?:\[\[([^[\]]+)\]\]|([\p{L}\p{N}_/-]*[\p{L}_][\p{L}\p{N}_/-]*))/gu;

/** The names of the notes that a line links to, each once. Links in code spans do not count. */
export function linkedNames(line: string): readonly string[] {
  if (!line.includes('](') && !line.includes('[[')) return [];
  const text = replaceCodeSpans(line);
  const names = [...text.matchAll(LINK)].map(([, name = '']) => plainNotePath(name.trim()));
  const files = [...text.matchAll(MARKDOWN_LINK)].map(([, path = '']) => noteName(path));
  return [...new Set([...names, ...files])].filter((name) => name !== '' && !/^\w+:/.test(name));
}

/** The name of the note to which a path leads: `Folder/Note 1` for `../Folder/Note%201.md`. */
function noteName(path: string): string {
  const name = plainNotePath(path);
  return tryWithFallback(() => decodeURIComponent(name), name);
}

/** A note's path without leading `./` and `../` and without `.md`. */
export function plainNotePath(path: string): string {
  return path.replace(/^(?:\.{0,2}\/)+/, '').replace(/\.md$/, '');
}

/** The tags in a line, in lower case and without `#`, each once, with their parent tags. Tags in code do not count. */
export function tagsIn(line: string): readonly string[] {
  // The `#` signs of a heading, and inside an address, are no tags.
  if (!/(?:^|[\s([{,;"'])#[^\s#]/.test(line)) return [];
  const written = [...replaceCodeSpans(line).matchAll(TAG)].map(([, link, tag]) => link ?? tag ?? '');
  return [...new Set(written.flatMap(tagKeys))];
}

/** The keys of a tag and of its parent tags: `project` and `project/heat` for `#project/heat`. */
export function tagKeys(tag: string): readonly string[] {
  const folded = tag.normalize('NFKC').toLowerCase();
  const parts = folded.replace(/^#|\/+$/g, '').split('/');
  return parts.map((_, depth) => parts.slice(0, depth + 1).join('/')).filter((key) => key !== '');
}
