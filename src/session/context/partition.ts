/** Tokens of the agent's window, where nobody says. */
export const CONTEXT_WINDOW = 128_000;

/** How the tokens of a context are shared out. */
export interface Partition {
  readonly total: number;
  /** Kept free for the answer. */
  readonly reserve: number;
  /** The core file. */
  readonly instruction: number;
  /** Most that the summary of the archives may take. */
  readonly archive: number;
}

const RESERVE = { share: 0.15, least: 20_000, from: 40_000 };
const ARCHIVE = { share: 0.15, most: 8_000 };

/**
 * Shares out a budget: 15 % and at least 20,000 tokens are reserved where
 * there are 40,000, the archives get 15 % of the rest and at most 8,000. What the summary does not use goes to the
 * messages.
 */
export function partition(total: number, instruction: number): Partition {
  const reserve = Math.min(
    total,
    Math.floor(Math.max(RESERVE.share * total, total >= RESERVE.from ? RESERVE.least : 0)),
  );
  const usable = Math.max(0, total - reserve - instruction);
  return { total, reserve, instruction, archive: Math.floor(Math.min(ARCHIVE.share * usable, ARCHIVE.most)) };
}
