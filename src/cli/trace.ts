/** A trace of more calls says nothing more. */
const MOST_CALLS = 12;

/**
 * How an error came about, for `--verbose`: what it says and who called whom, innermost first, without the places in
 * our bundle; then the same of what caused it. Undefined for what is no error.
 */
export function traceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const calls = [...(error.stack ?? '').matchAll(/^ +at (?:async |new )?([^\s(]+) \(/gm)].map(
    ([, name]) => `    at ${name}`,
  );
  const own = [`${error.name}: ${error.message}`, ...calls.slice(0, MOST_CALLS)].join('\n');
  const cause = traceOf(error.cause);
  return cause === undefined ? own : `${own}\ncaused by ${cause}`;
}
