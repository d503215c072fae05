import { isRecord } from '../base/json.js';
import type { HostCorpus } from './host.js';

/** What the host asks beside its own memory, when an agent asks for all of it. */
const CORPUS = 'bank';

export function corpusOf(run: (args: readonly string[], asked: object) => Promise<unknown>): HostCorpus {
  return {
    search: async (asked) => {
      const answer = await run(['recall', '--k', String(asked.maxResults ?? 10), '--', asked.query], asked);
      const results = isRecord(answer) && Array.isArray(answer.results) ? answer.results.filter(isRecord) : [];
      return results.map(({ path, score, content, startLine, endLine, id, kind, source, timestamp }) => ({
        corpus: CORPUS,
        path,
        score,
        snippet: content,
        startLine,
        endLine,
        id,
        kind,
        citation: source,
        source: 'openclaw-memory',
        ...(typeof timestamp === 'string' ? { updatedAt: timestamp } : {}),
      }));
    },
    get: async (asked) => {
      const { lookup, fromLine, lineCount } = asked;
      const lines = fromLine === undefined ? '' : `#L${fromLine}-L${fromLine + (lineCount ?? 1) - 1}`;
      const answer = await run(['get', '--', lookup.includes('#') ? lookup : lookup + lines], asked).catch(() => null);
      const item = isRecord(answer) && isRecord(answer.item) ? answer.item : undefined;
      if (item === undefined) return null;
      const { path, content, startLine, endLine } = item;
      const [from, to] = [Number(startLine), Number(endLine)];
      return { corpus: CORPUS, path, content, fromLine: from, lineCount: to - from + 1 };
    },
  };
}
