import { contentHash } from '../workspace/files.js';
import { readTemplate } from '../workspace/templates.js';

const SEAL = /\n<!-- written by openclaw-memory skill --write, ([0-9a-f]{12}) -->\n$/;

/**
 * How an agent uses the memory: the text of a skill, as hosts read it.
 * @param called what its commands begin with, for a shell
 */
export function skillText(called = 'openclaw-memory'): string {
  const text = readTemplate('skill.md').replaceAll(/^openclaw-memory(?= )/gmu, () => called);
  // OpenClaw hides a skill whose program is on no PATH; where the commands name it by its place, none has to be.
  return called.startsWith('openclaw-memory') ? text : text.replace(/^metadata: .*\n/mu, '');
}

/** The skill as it is installed: with a seal, by which a copy that a person has changed is known. */
export function sealedSkill(called?: string): string {
  const text = skillText(called);
  return `${text}\n<!-- written by openclaw-memory skill --write, ${contentHash(text).slice(0, 12)} -->\n`;
}

/** Whether a skill is as some version of this program has written it. */
export function isSealed(skill: string): boolean {
  const [seal = '', hash] = SEAL.exec(skill) ?? [];
  return hash !== undefined && contentHash(skill.slice(0, skill.length - seal.length)).startsWith(hash);
}
