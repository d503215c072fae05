import { firstNotBelow } from '../../base/order.js';
import { asBullet, contentItems, continuesAfter } from '../items.js';
import { accept, type Guard, type Ruling } from '../ruling.js';
import { type Issue, RESTORED_TAG, readIssue, withoutRestoredTag } from '../status.js';
import { containContent } from '../structure.js';

/** Open Issues: an issue is gone only when it is said to be resolved. What an UPDATE leaves out is restored. */
export const guardOpenIssues: Guard = (old, content) => {
  return restoreIssues(contentItems(old).map(readIssue), content);
};

function restoreIssues(before: readonly Issue[], content: string): Ruling {
  const after = new NewIssues(contentItems(content).map(readIssue), before);
  const reasons = new Map<string, string>();
  const restored: string[] = [];
  for (const issue of before) {
    const reason = after.reasonFor(issue) ?? (issue.resolved ? 'it was resolved' : undefined);
    if (reason === undefined) restored.push(withoutRestoredTag(issue.item));
    else reasons.set(issue.item, reason);
  }
  const whyRemoved = (item: string) => reasons.get(item) ?? 'a heading or description, not an issue';
  if (restored.length === 0) return accept(content, 'every open issue is still there or resolved', whyRemoved);
  const bullets = restored.map((item) => asBullet(`${RESTORED_TAG} ${item}`));
  return {
    operation: { op: 'UPDATE', content: [asList(content), ...bullets].filter((part) => part !== '').join('\n') },
    decision: 'RESTORE',
    reason: `${restored.length} of ${before.length} issues were left out without being resolved`,
    restored,
    whyRemoved,
  };
}

/** A lone italic line is an issue; with others below it, it would be the description of the section. */
function asList(content: string): string {
  const [only, ...more] = contentItems(content);
  if (only === undefined || more.length > 0 || !/^[_*]/u.test(only)) return content;
  const lines = content.split('\n').map((line) => (line.trim() === only ? asBullet(only) : line));
  return containContent(lines.join('\n'));
}

/** The issues of an update. One that equals no old issue may carry on one old issue that it begins with. */
class NewIssues {
  readonly #byKey: ReadonlyMap<string, Issue>;
  readonly #unmatched: readonly string[];
  readonly #taken = new Set<string>();

  constructor(issues: readonly Issue[], before: readonly Issue[]) {
    const old = new Set(before.map((issue) => issue.key));
    this.#byKey = new Map(issues.map((issue) => [issue.key, issue]));
    this.#unmatched = [...this.#byKey.keys()].filter((key) => !old.has(key)).sort();
  }

  /** How an old issue goes on, or undefined when it does not. */
  reasonFor(old: Issue): string | undefined {
    const heir = this.#byKey.get(old.key) ?? this.#elaborationOf(old.key);
    if (heir === undefined) return undefined;
    return heir.resolved && !old.resolved ? `resolved: "${heir.item}"` : `it is now "${heir.item}"`;
  }

  #elaborationOf(key: string): Issue | undefined {
    const from = firstNotBelow(this.#unmatched.length, (place) => (this.#unmatched[place] ?? '') < key);
    const longer = this.#unmatched
      .slice(from, from + MAX_TRIED)
      .find((candidate) => continuesAfter(candidate, key) && !this.#taken.has(candidate));
    if (longer === undefined) return undefined;
    this.#taken.add(longer);
    return this.#byKey.get(longer);
  }
}

const MAX_TRIED = 16;
