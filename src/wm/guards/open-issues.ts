import { findFirstNotBelow } from '../../base/order.js';
import { contentItems, formatItemAsBullet, startsWithWholeWords } from '../items.js';
import { makeUpdateRuling, type SectionGuard } from '../ruling.js';
import { type OpenIssue, RESTORED_TAG, readIssue, withoutRestoredTag } from '../status.js';
import { makeContentSafe } from '../structure.js';

/**
 * Guards the section Open Issues. An issue may go only when it is marked as resolved. Issues that an UPDATE leaves out are
 * restored.
 */
export const guardOpenIssues: SectionGuard = (old, content) => {
  const before = contentItems(old).map(readIssue);
  const reasonFor = goingOn(contentItems(content).map(readIssue), before);
  const reasons = new Map<string, string>();
  const restored: string[] = [];
  for (const issue of before) {
    const reason = reasonFor(issue) ?? (issue.resolved ? 'it was resolved' : undefined);
    if (reason === undefined) restored.push(withoutRestoredTag(issue.item));
    else reasons.set(issue.item, reason);
  }
  const whyRemoved = (item: string) => reasons.get(item) ?? 'a heading or description, not an issue';
  if (restored.length === 0)
    return makeUpdateRuling(content, 'every open issue is still there or resolved', whyRemoved);
  const bullets = restored.map((item) => formatItemAsBullet(`${RESTORED_TAG} ${item}`));
  return {
    operation: { op: 'UPDATE', content: [asList(content), ...bullets].filter((part) => part !== '').join('\n') },
    decision: 'RESTORE',
    reason: `${restored.length} of ${before.length} issues were left out without being resolved`,
    restored,
    whyRemoved,
  };
};

/**
 * If the only item is an italic line, makes it a bullet. Otherwise the line would be read as the description of the
 * section as soon as other lines follow it.
 */
function asList(content: string): string {
  const [only, ...more] = contentItems(content);
  if (only === undefined || more.length > 0 || !/^[_*]/u.test(only)) return content;
  const lines = content.split('\n').map((line) => (line.trim() === only ? formatItemAsBullet(only) : line));
  return makeContentSafe(lines.join('\n'));
}

/**
 * Returns a function that describes, for the report, how an old issue continues in an update: `it is now "…"`. The function
 * returns undefined if the issue does not continue. An issue continues in the issue with the same text, or in a new issue
 * whose text begins with the old text.
 */
function goingOn(issues: readonly OpenIssue[], before: readonly OpenIssue[]): (old: OpenIssue) => string | undefined {
  const known = new Set(before.map(({ key }) => key));
  const byKey = new Map(issues.map((issue) => [issue.key, issue]));
  const unmatched = [...byKey.keys()].filter((key) => !known.has(key)).sort();
  const taken = new Set<string>();
  return ({ key, resolved }) => {
    const from = findFirstNotBelow(unmatched.length, (place) => (unmatched[place] ?? '') < key);
    const near = byKey.has(key) ? [] : unmatched.slice(from, from + MAX_TRIED);
    const longer = near.find((candidate) => startsWithWholeWords(candidate, key) && !taken.has(candidate));
    if (longer !== undefined) taken.add(longer);
    const heir = byKey.get(longer ?? key);
    if (heir === undefined) return undefined;
    return heir.resolved && !resolved ? `resolved: "${heir.item}"` : `it is now "${heir.item}"`;
  };
}

const MAX_TRIED = 16;
