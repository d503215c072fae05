import { itemKey } from './document.js';

/** An item of Open Issues with the status that its tags give. */
export interface OpenIssue {
  /** The item as written. */
  readonly item: string;
  /** Key of the text without its status tags: the same issue has the same key in any state. */
  readonly key: string;
  readonly resolved: boolean;
}

export const RESTORED_TAG = '[restored]';

/**
 * Reads the status tags before and after an item, such as `[resolved]`. Only whole tags count, never words inside the
 * text.
 */
export function readIssue(item: string): OpenIssue {
  let text = item.trim();
  let resolved = false;
  for (let round = 0; round < MAX_TAGS; round++) {
    const tag = leadingTag(text) ?? trailingTag(text);
    if (tag === undefined) break;
    resolved ||= tag.resolved;
    text = tag.rest;
  }
  return { item, key: itemKey(text), resolved };
}

/** Removes from an item the tag that says that it was restored. Otherwise the item would get one more such tag each time. */
export function withoutRestoredTag(item: string): string {
  let text = item;
  for (let round = 0; round < MAX_TAGS && RESTORED.test(text); round++) text = text.replace(RESTORED, '');
  return text;
}

interface Tag {
  readonly resolved: boolean;
  readonly rest: string;
}

const MAX_TAGS = 6;
const RESTORED = /^\[(?:silently dropped,[ ]?)?restored\][ \t]*/iu;
const DONE =
  'resolved|done|fixed|closed|completed|complete|solved|已解决|已完成|已修复|已关闭|已處理|已处理|解決済み|완료|해결됨';
const OPEN =
  'new|open|reopened|todo|wip|in progress|ongoing|pending|blocked|unresolved|not resolved|not done|restored|silently dropped, ?restored|未解决|未完成|待处理|待解决|进行中|新增|新';
const DETAIL =
  '(?:[\\s:：,，–—-]+(?:on|by|in|at|as|via|per|with|since)\\b[^\\]】)）]{0,60}|[\\s:：,，]+[\\d✅✓✔][^\\]】)）]{0,40})?';
const BRACKETED = new RegExp(
  `^\\*{0,2}[[【(（][ \\t]*(?:(${DONE})${DETAIL}|${OPEN})[ \\t]*[\\]】)）]\\*{0,2}[:：]?[ \\t]*`,
  'iu',
);
const CHECKBOX = /^\[([ xX✓✔~-])\][ \t]+/u;
const SIGN = /^(?:([✅☑✔✓]️?)|[☐⬜🔲]️?)[ \t]*/u;
const WORD = new RegExp(
  `^\\*{0,2}(?:(${DONE})|${OPEN})(?:\\*{0,2}[ \\t]*[:：]\\*{0,2}|[ \\t]+[–—-])[ \\t]*|^(已解决|已完成|已修复|已关闭|已处理)[ \\t]+`,
  'iu',
);
const STRUCK = /^~~([^~]+)~~[ \t]*/u;
const TRAILING = new RegExp(
  `(?:[ \\t]*[[【(（][ \\t]*(?:(${DONE})${DETAIL}|${OPEN})[ \\t]*[\\]】)）]|[ \\t]*(?:[–—:：，;；]|[ \\t]-)[ \\t]*(${DONE})|[ \\t](已解决|已完成|已修复|已关闭|已处理)|[ \\t]*([✅✔✓☑]️?))[.。!！]?$`,
  'iu',
);

function leadingTag(text: string): Tag | undefined {
  const head = text.slice(0, HEAD);
  const struck = STRUCK.exec(text);
  if (struck !== null) return { resolved: true, rest: `${struck[1] ?? ''}${text.slice(struck[0].length)}` };
  const checkbox = CHECKBOX.exec(head);
  if (checkbox !== null) return { resolved: /[xX✓✔]/u.test(checkbox[1] ?? ''), rest: text.slice(checkbox[0].length) };
  const tag = BRACKETED.exec(head) ?? WORD.exec(head) ?? SIGN.exec(head);
  if (tag === null || tag[0].length === text.length) return undefined;
  return { resolved: tag.slice(1).some((group) => group !== undefined), rest: text.slice(tag[0].length) };
}

const HEAD = 160;

function trailingTag(text: string): Tag | undefined {
  const tail = text.slice(-HEAD);
  const tag = TRAILING.exec(tail);
  if (tag === null || tag[0].length === text.length) return undefined;
  const resolved = tag.slice(1).some((group) => group !== undefined);
  return { resolved, rest: text.slice(0, text.length - tag[0].length) };
}

/** Whether an item under Errors & Corrections is not resolved yet. */
export function isOpenError(item: string): boolean {
  return !item.includes('– resolved:');
}
