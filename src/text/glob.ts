/**
 * A compiled pattern that a user wrote. `test` says whether it matches a text. It takes linear time: no wildcard is tried
 * twice at one position.
 */
export interface Glob {
  test(text: string): boolean;
}

/**
 * Compiles a glob for paths. `*`, `?`, `[ab]` and `{a,b}` match within a name, `**` also across folders. A glob that matches
 * a folder matches everything in it. A glob without `/` matches a name at any depth. Paths use `/` and Unicode NFC.
 */
export function pathGlob(glob: string): Glob {
  const written = glob.normalize('NFC').replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '');
  const steps = [...(written.includes('/') ? [] : [folders]), ...pathSteps(written)];
  const isEnd = (path: string, at: number): boolean => at === path.length || path[at] === '/';
  return { test: (path) => written !== '' && [...follow(steps, path)].some((at) => isEnd(path, at)) };
}

/** Compiles a glob for the keys of sessions (`agent:main:chat`). `**` matches anything, `*` anything without a `:`. */
export function keyGlob(glob: string): Glob {
  const steps = glob
    .split(/(\*+)/)
    .map((part) => (part.startsWith('**') ? many(isAny) : part === '*' ? many((sign) => sign !== ':') : literal(part)));
  return { test: (key) => follow(steps, key).has(key.length) };
}

/**
 * A function that matches one part of a pattern. It gets the positions in a text at which the part may begin, and returns
 * those at which it may end.
 */
type Step = (text: string, starts: ReadonlySet<number>) => ReadonlySet<number>;

/** Whether a wildcard matches a character. */
type Fits = (sign: string) => boolean;

const isAny: Fits = () => true;
const isOfName: Fits = (sign) => sign !== '/';

function follow(steps: readonly Step[], text: string, starts: ReadonlySet<number> = new Set([0])): ReadonlySet<number> {
  let places = starts;
  for (const step of steps) {
    if (places.size === 0) break;
    places = step(text, places);
  }
  return places;
}

function literal(said: string): Step {
  return (text, starts) => new Set([...starts].flatMap((at) => (text.startsWith(said, at) ? [at + said.length] : [])));
}

function one(fits: Fits): Step {
  return (text, starts) =>
    new Set(
      [...starts].flatMap((at) => {
        const sign = signAt(text, at);
        return sign !== '' && fits(sign) ? [at + sign.length] : [];
      }),
    );
}

/** Matches any number of characters, including none. */
function many(fits: Fits): Step {
  return (text, starts) => {
    const ends = new Set<number>();
    for (const start of starts) {
      let at = start;
      for (let sign = signAt(text, at); !ends.has(at); sign = signAt(text, at)) {
        ends.add(at);
        if (sign === '' || !fits(sign)) break;
        at += sign.length;
      }
    }
    return ends;
  };
}

/** Matches any number of folders, including none. */
const folders: Step = (text, starts) => {
  const ends = new Set(starts);
  let first = text.length;
  for (const start of starts) first = Math.min(first, start);
  for (let at = text.indexOf('/', first); at >= 0; at = text.indexOf('/', at + 1)) ends.add(at + 1);
  return ends;
};

function either(ways: readonly (readonly Step[])[]): Step {
  return (text, starts) => new Set(ways.flatMap((steps) => [...follow(steps, text, starts)]));
}

function signAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

const PART = /\*\*\/|\*\*|\*|\?|\[!?[^\]]+\]|\{[^{}]*\}/g;

function pathSteps(written: string): readonly Step[] {
  const steps: Step[] = [];
  let from = 0;
  for (const { 0: part, index } of written.matchAll(PART)) {
    if (index > from) steps.push(literal(written.slice(from, index)));
    steps.push(wildcard(part));
    from = index + part.length;
  }
  return from < written.length ? [...steps, literal(written.slice(from))] : steps;
}

function wildcard(part: string): Step {
  if (part === '**/') return folders;
  if (part === '**') return many(isAny);
  if (part === '*') return many(isOfName);
  if (part === '?') return one(isOfName);
  if (part.startsWith('{')) return either(part.slice(1, -1).split(',').map(pathSteps));
  const isIn = signsOf(part.slice(1, -1).replace(/^[!^]/, ''));
  const isOther = /^\[[!^]/.test(part);
  return one((sign) => isOfName(sign) && isIn(sign) !== isOther);
}

/** Reads a set of characters and ranges: `abc`, `a-z`. */
function signsOf(set: string): Fits {
  const ranges = Array.from(set.matchAll(/(.)-(.)|./gsu), ([sign, from = sign, to = sign]) => [from, to] as const);
  return (sign) => ranges.some(([from, to]) => from <= sign && sign <= to);
}
