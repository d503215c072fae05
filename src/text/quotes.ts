/** Finds where Markdown code that begins at a backtick or tilde run ends. Remembers what it did not find: linear time. */
export interface QuoteFinder {
  /** The next run of backticks, or of three and more tildes, that begins at `from` or later. Asked in order. */
  nextRun(from: number): { readonly from: number; readonly to: number } | undefined;
  /** The index behind the fence whose opening run is `[from, to)`, or undefined when nothing closes it. */
  fenceEnd(from: number, to: number): number | undefined;
  /** The index behind the code span whose opening run is `[from, to)`; a span ends on its own line. */
  spanEnd(from: number, to: number): number | undefined;
}

interface FenceMark {
  readonly from: number;
  readonly to: number;
  readonly sign: string;
  /** Nothing but white space follows: what CommonMark asks of a closing fence. */
  readonly bare: boolean;
}

export function quoteFinder(text: string): QuoteFinder {
  const signs = /`+|~{3,}/g;
  let run: { from: number; to: number } | undefined = { from: -1, to: 0 };
  let marks: readonly FenceMark[] | undefined;
  let next = 0;
  // Per sign and strictness: the shortest opener that was not closed. Later or longer ones are not closed either.
  const unclosed = new Map<string, number>();
  let line: { readonly end: number; readonly runs: Map<number, number[]> } | undefined;

  const closer = (opener: FenceMark, bareOnly: boolean): FenceMark | undefined => {
    const key = `${opener.sign}${bareOnly}`;
    const length = opener.to - opener.from;
    if (length >= (unclosed.get(key) ?? Infinity)) return undefined;
    for (let i = next; i < (marks?.length ?? 0); i++) {
      const mark = marks?.[i];
      if (mark && mark.sign === opener.sign && mark.to - mark.from >= length && (mark.bare || !bareOnly)) return mark;
    }
    unclosed.set(key, length);
    return undefined;
  };

  return {
    nextRun: (from) => {
      while (run !== undefined && run.from < from) {
        signs.lastIndex = Math.max(from, run.to);
        const match = signs.exec(text);
        run = match ? { from: match.index, to: signs.lastIndex } : undefined;
      }
      return run;
    },
    fenceEnd: (from, to) => {
      marks ??= fenceMarks(text);
      while ((marks[next]?.from ?? Infinity) < to) next++;
      const opener: FenceMark = { from, to, sign: text[from] ?? '', bare: false };
      // People write on right behind a closing fence: that closes it too when no bare one does.
      return (closer(opener, true) ?? closer(opener, false))?.to;
    },
    spanEnd: (from, to) => {
      if (line === undefined || from >= line.end) line = runsOfLine(text, from);
      const ends = line.runs.get(to - from) ?? [];
      while ((ends[ends.length - 1] ?? Infinity) <= to) ends.pop();
      return ends[ends.length - 1];
    },
  };
}

function fenceMarks(text: string): FenceMark[] {
  const marks: FenceMark[] = [];
  for (const match of text.matchAll(/^[ \t>]{0,12}(`{3,}|~{3,})/gm)) {
    const run = match[1] ?? '';
    const to = match.index + match[0].length;
    const lineEnd = text.indexOf('\n', to);
    const rest = text.slice(to, Math.min(lineEnd < 0 ? text.length : lineEnd, to + 200));
    marks.push({ from: to - run.length, to, sign: run[0] ?? '', bare: rest.trim() === '' });
  }
  return marks;
}

// The ends of all runs of backticks in the rest of the line, by length, the nearest last.
function runsOfLine(text: string, from: number): { end: number; runs: Map<number, number[]> } {
  const feed = text.indexOf('\n', from);
  const end = feed < 0 ? text.length : feed;
  const runs = new Map<number, number[]>();
  for (const match of text.slice(from, end).matchAll(/`+/g)) {
    const ends = runs.get(match[0].length) ?? [];
    ends.push(from + match.index + match[0].length);
    runs.set(match[0].length, ends);
  }
  for (const ends of runs.values()) ends.reverse();
  return { end, runs };
}
