import type { FoundUnit } from '../../index/search.js';
import { CJK } from '../../language/scripts.js';
import { readSpeaker, type Speaker } from '../../language/speaker.js';
import type { Candidates } from '../channels/candidates.js';

/** So far above and below, the others of a conversation are looked for. */
const NEAR = [-3, -2, -1, 1, 2, 3] as const;
const UNSPACED = new RegExp(`[${CJK}]`);

/** Who says the lines of some candidates: a name is a speaker's where it stands before other lines, too. */
export class Speakers {
  private readonly read = new Map<string, Speaker | undefined>();

  constructor(private readonly candidates: Candidates) {}

  /** The speaker of a unit; undefined for what nobody says. */
  of(unit: FoundUnit): Speaker | undefined {
    const speaker = this.readOnce(unit.text);
    return speaker === undefined || speaker.isSure || this.comesAgain(unit, speaker.name) ? speaker : undefined;
  }

  /** Every part of every name of a speaker, in lower case. */
  names(): ReadonlySet<string> {
    const units = this.candidates.keys().flatMap((key) => this.candidates.unit(key) ?? []);
    return new Set(units.flatMap((unit) => partsOf(this.of(unit))));
  }

  private comesAgain(unit: FoundUnit, name: string): boolean {
    return NEAR.some((distance) => {
      const line = this.candidates.neighbour(unit, distance);
      return line !== undefined && this.readOnce(line.text)?.name === name;
    });
  }

  private readOnce(text: string): Speaker | undefined {
    if (!this.read.has(text)) this.read.set(text, readSpeaker(text));
    return this.read.get(text);
  }
}

/** A name and the words that it is made of, in lower case. */
export function partsOf(speaker: Speaker | undefined): readonly string[] {
  if (speaker === undefined) return [];
  const name = speaker.name.toLowerCase();
  return name.includes(' ') ? [name, ...name.split(' ').filter((part) => part.length > 2)] : [name];
}

/** Whether a question names a speaker. Names of scripts without spaces stand anywhere in it. */
export function isNamed(speaker: Speaker | undefined, words: ReadonlySet<string>, question: string): boolean {
  return partsOf(speaker).some((part) => words.has(part) || (UNSPACED.test(part) && question.includes(part)));
}
