import type { Random } from '../support/random.js';
import type { KillReport } from './killer.js';
import { killEmbedding, killExtraction, killRetainAndIndex, killWriters } from './page-kills.js';
import { killReflect, killReflectBeside } from './reflect-kills.js';
import { killImports, killSessions } from './session-kills.js';

interface Kills {
  readonly promise: string;
  readonly run: (rounds: number, random: Random) => Promise<KillReport>;
  /** Rounds of a full and of a quick run of the tests. */
  readonly rounds: readonly [full: number, quick: number];
  /** The maximum of `npm run torture`, if rounds grow longer. */
  readonly most?: number;
  readonly seed: number;
  /** How often a run must have been killed, have written and so on, as parts of the rounds, to prove the promise. */
  readonly least: Readonly<Record<string, number>>;
}

/** What holds whenever a command is killed. */
export const KILLS: readonly Kills[] = [
  {
    promise: 'retain and index, killed at random, store acknowledged facts once and tear nothing; the index verifies',
    run: killRetainAndIndex,
    rounds: [40, 10],
    seed: 20_260_315,
    least: { killed: 0.1, acknowledged: 0.1 },
  },
  {
    promise: 'writers, killed at random under jumping clocks, keep what they acknowledged and tear nothing',
    run: killWriters,
    rounds: [40, 12],
    seed: 7,
    least: { killed: 0.077, acknowledged: 0.077 },
  },
  {
    promise:
      'index --embed, killed repeatedly, embeds no stored text twice and completes (complaint: batches that never end)',
    run: killEmbedding,
    rounds: [8, 6],
    most: 50,
    seed: 5,
    least: { killed: 0.49 },
  },
  {
    promise: 'session add and commit, killed at random, keep every message once and in order after resume',
    run: killSessions,
    rounds: [40, 8],
    seed: 20_260_316,
    least: { within: 0.25, archives: 0 },
  },
  {
    promise: 'import and hooks, killed while a transcript grows, keep every acknowledged message once and in order',
    run: killImports,
    rounds: [40, 8],
    seed: 20_261_123,
    least: { within: 0, acknowledged: 0 },
  },
  {
    promise: 'reflect, killed at random, ends with the same bytes as a run without interruption',
    run: killReflect,
    rounds: [20, 6],
    seed: 8,
    least: { killed: 0.99, within: 0.1 },
  },
  {
    promise: 'reflect, killed beside retain and an editor, loses no acknowledged fact and keeps the editor’s last text',
    run: killReflectBeside,
    rounds: [20, 6],
    seed: 9,
    least: { killed: 0.1, acknowledged: 0.1, saves: 5 },
  },
  {
    promise:
      'after a killed extract apply the next writing command finds all pages old or makes all new, and adds nothing twice',
    run: killExtraction,
    rounds: [20, 6],
    seed: 1,
    least: { killed: 0.33, partial: 0 },
  },
];

/** Returns what a report leaves without proof. */
export function unproved({ least }: Kills, { rounds, killed, counts }: KillReport): readonly string[] {
  const all: Readonly<Record<string, number>> = { killed, ...counts };
  const few = Object.entries(least).filter(([name, part]) => (all[name] ?? 0) <= part * rounds);
  return few.map(([name]) => `${name}: only ${all[name]} in ${rounds} rounds`);
}
