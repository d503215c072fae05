import { isRecord } from '../../base/json.js';
import { findTags } from '../../text/injected-tag.js';
import { OWN_LEAD } from '../../text/strip.js';

/** The one tag around everything that is injected. */
const CONTEXT_TAG = 'openviking-context';

const JOINT = '\n\n';

/** Sections in one envelope, '' when there are none. Pure. */
export function envelope(sections: readonly string[]): string {
  const said = sections.filter((section) => section !== '');
  return said.length === 0 ? '' : `<${CONTEXT_TAG}>\n${[OWN_LEAD, ...said].join('\n\n')}\n</${CONTEXT_TAG}>`;
}

/** A message's content with the block before its text; whatever else it holds stays as it is. Pure. */
export function prepended(content: unknown, block: string): unknown {
  if (typeof content === 'string') return block + JOINT + content;
  if (!Array.isArray(content)) return block;
  const [first, ...rest]: readonly unknown[] = content;
  if (isRecord(first) && first.type === 'text' && typeof first.text === 'string')
    return [{ ...first, text: block + JOINT + first.text }, ...rest];
  return [{ type: 'text', text: block }, ...content];
}

/** Escape sequences of terminals, whole; a lone escape goes with the control characters. */
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
/** Control characters, and what turns the direction of text or is not seen. */
const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
/** Tags that hosts and models give a meaning to, beside those of injected blocks. */
const MARKS =
  /<(?=[\s/|!]*(?:system|user|assistant|human|tool|function|instructions?|context|memory|memories|openviking|relevant|im_|\|))/giu;
/** Marks by which a line would pass for a heading, a list or a quotation of ours. */
const LINE_MARKS = /^(?:[\s>]*(?:#{1,6}(?=\s|$)|[-*+](?=\s)|`{3,}|~{3,}))+\s*/u;

/**
 * Somebody's text as one line that stands in an injected block and can be nothing else there: no tag that opens or ends
 * a block, no heading, no escape sequence, nothing unseen. Pure, linear.
 */
export function safeLine(text: string): string {
  const plain = text.replace(ANSI, '').replace(UNSEEN, '').replace(/\s+/gu, ' ').trim().replace(LINE_MARKS, '');
  if (!/[<＜]/u.test(plain)) return plain;
  const { tags } = findTags(plain);
  return tags.reduce((safe, { at }) => `${safe.slice(0, at)}‹${safe.slice(at + 1)}`, plain).replace(MARKS, '‹');
}
