import { containContent } from '../contain.js';
import { asBullet, contentItems, hasContent, withoutMarkers } from '../items.js';
import type { Asked } from '../operations.js';
import { isDocumentTitle, type SectionName, sectionOf } from '../sections.js';
import { readIssue } from '../status.js';
import { headingText } from '../structure.js';
import { guardErrors } from './errors.js';
import { guardFiles } from './files.js';
import { appendFresh } from './fresh.js';
import { accept, type Guard, keep, type Ruling } from './guard.js';
import { guardKeyFacts } from './key-facts.js';
import { guardOpenIssues } from './open-issues.js';
import { guardTitle } from './title.js';

/** Sections that change every round have no guard of their own; what they lose is named in the ledger. */
const guardFree: Guard = (old, asked) =>
  asked.op === 'APPEND'
    ? appendFresh(asked.items, old, 'appended')
    : accept(asked.content, 'this section is rewritten freely', () => 'replaced by the update');

const GUARDS: Readonly<Record<SectionName, Guard>> = {
  'Session Title': guardTitle,
  'Current State': guardFree,
  'Task & Goals': guardFree,
  'Key Facts & Decisions': guardKeyFacts,
  'Files & Context': guardFiles,
  'Errors & Corrections': guardErrors,
  'Open Issues': guardOpenIssues,
};

/** Decides what is done with one section: cleans what the model wrote and puts it to the section's guard. */
export function ruleOn(name: SectionName, old: string, asked: Asked): Ruling {
  const ruling = decide(name, old, asked);
  return asked.problem === undefined || asked.operation.op === 'KEEP'
    ? ruling
    : { ...ruling, reason: `${ruling.reason}; ${asked.problem}` };
}

function decide(name: SectionName, old: string, { operation, problem }: Asked): Ruling {
  if (operation.op === 'KEEP') return keep(problem ?? 'kept as asked');
  if (operation.op === 'APPEND') {
    const items = operation.items.map(cleanItem).filter(hasContent);
    if (items.length === 0) return keep('nothing to append');
    return hasContent(old) ? GUARDS[name](old, { op: 'APPEND', items }) : appendFresh(items, old, 'appended');
  }
  const content = containContent(withoutOwnHeading(name, operation.content));
  if (!hasContent(content)) return emptyUpdate(name, old);
  if (hasContent(old)) return GUARDS[name](old, { op: 'UPDATE', content });
  return accept(content, 'the section was empty', () => 'a description or heading, not content');
}

function emptyUpdate(name: SectionName, old: string): Ruling {
  if (name === 'Open Issues' && contentItems(old).some((item) => !readIssue(item).resolved)) {
    return guardOpenIssues(old, { op: 'UPDATE', content: '' });
  }
  return keep('an empty update never wipes a section');
}

/** An item as it goes into a list: without list markers of its own, contained, further lines without indentation. */
function cleanItem(item: string): string {
  const bullet = containContent(asBullet(withoutMarkers(item)));
  return bullet.slice(2).replaceAll('\n  ', '\n');
}

// Models often repeat the heading of the section that they fill.
function withoutOwnHeading(name: SectionName, content: string): string {
  const first = /^\s*(#{1,6}[ \t][^\n]*)(?:\n|$)/u.exec(content);
  const title = headingText(first?.[1] ?? '');
  return first !== null && (sectionOf(title) === name || isDocumentTitle(title))
    ? content.slice(first[0].length)
    : content;
}
