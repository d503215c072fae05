import { memoize } from '../../base/cache.js';
import type { FoundUnit } from '../../index/search.js';
import { BASIC_CJK_RANGES } from '../../language/scripts.js';
import { readSpokenLine, readTurnHeader, type SpokenLine } from '../../language/speakers.js';
import { wordSet } from '../../language/tokens.js';
import type { Candidates } from '../retrieve/candidates.js';

/** Distances, in lines, at which other lines of a conversation are searched. */
const NEAR = [-3, -2, -1, 1, 2, 3] as const;
/** Indexes in `NEAR` of the lines directly before and after. */
const BESIDE = [NEAR.indexOf(-1), NEAR.indexOf(1)] as const;
/** Distances, in lines, at which a line above that names the speaker is searched. */
const ABOVE = [-1, -2, -3] as const;
const UNSPACED = new RegExp(`[${BASIC_CJK_RANGES}]`);

/** The speakers of candidate lines. A name is a speaker only if it also stands before other lines nearby. */
export class SpeakerSignal {
  private readonly read = memoize(readSpokenLine);
  private readonly turn = memoize(readTurnHeader);
  /** The speaker of a unit. Undefined for a line without a speaker. */
  readonly of = memoize((unit: FoundUnit) => this.find(unit));

  constructor(private readonly candidates: Candidates) {}

  private find(unit: FoundUnit): SpokenLine | undefined {
    const own = this.read(unit.text);
    if (own !== undefined) return this.isSpeaker(unit, own.name) ? own : undefined;
    if (this.turn(unit.text) !== undefined) return undefined;
    const name = this.turnAbove(unit);
    return name === undefined ? undefined : { name, said: unit.text };
  }

  /** Whether a name stands before other lines near by, or between those of somebody whose name does. */
  private isSpeaker(unit: FoundUnit, name: string): boolean {
    const near = NEAR.map((distance) => this.nameAt(unit, distance));
    if (near.includes(name)) return true;
    return BESIDE.some((at) => near[at] !== undefined && near.indexOf(near[at]) !== near.lastIndexOf(near[at]));
  }

  private nameAt(unit: FoundUnit, distance: number): string | undefined {
    const line = this.candidates.neighbour(unit, distance);
    return line && this.read(line.text)?.name;
  }

  /** The name in the line above that says who speaks, where another line near by says so as well. */
  private turnAbove(unit: FoundUnit): string | undefined {
    const turnAt = (distance: number): string | undefined => {
      const line = this.candidates.neighbour(unit, distance);
      return line && this.turn(line.text);
    };
    const at = ABOVE.find((distance) => turnAt(distance) !== undefined);
    return at !== undefined && NEAR.some((distance) => distance !== at && turnAt(distance) !== undefined)
      ? turnAt(at)
      : undefined;
  }

  /** Every part of every name of a speaker, in lower case. */
  names(): ReadonlySet<string> {
    const units = this.candidates.keys().flatMap((key) => this.candidates.unit(key) ?? []);
    return new Set(units.flatMap((unit) => nameParts(this.of(unit))));
  }
}

/** What stands before a name, or joins it, and is no part of it that a person is known by. */
const TITLES = wordSet(
  'dr dr. prof prof. mr mr. mrs mrs. ms ms. herr frau mme madame monsieur señor señora van von der den bin',
);
/** Matches a title after a name in Japanese or Korean. */
const HONORIFIC = /(?<=.)(?:さん|くん|ちゃん|様|先生|氏|\s?씨|님)$/;

/** A name and the words that it is made of, in lower case. */
function nameParts(speaker: SpokenLine | undefined): readonly string[] {
  if (speaker === undefined) return [];
  const name = speaker.name.toLowerCase().replace(HONORIFIC, '');
  const parts = name
    .split(/[\s・_]/)
    .filter((part) => part.length > (UNSPACED.test(part) ? 1 : 2) && !TITLES.has(part));
  return [...new Set([name, ...parts])];
}

/** Whether a question names a speaker. Names of scripts without spaces stand anywhere in it. */
export function isSpeakerNamed(speaker: SpokenLine | undefined, words: ReadonlySet<string>, question: string): boolean {
  return nameParts(speaker).some(
    (part) => words.has(part) || words.has(`${part}s`) || (UNSPACED.test(part) && question.includes(part)),
  );
}
