import { contentHash } from '../workspace/files.js';
import { readTemplate } from '../workspace/templates.js';

const SEAL = /\n<!-- written by openclaw-memory skill --write, ([0-9a-f]{12}) -->\n$/;

/**
 * The text of a skill that tells an agent how to use the memory, in the format of hosts.
 * @param called how a shell calls our program; every command in the skill begins with it
 */
export function skillText(called = 'openclaw-memory'): string {
  const text = readTemplate('skill.md').replaceAll(/^openclaw-memory(?= )/gmu, () => called);
  // OpenClaw hides a skill whose program is not on PATH. If the commands use a full path, drop that requirement.
  return called.startsWith('openclaw-memory') ? text : text.replace(/^metadata: .*\n/mu, '');
}

/** The text of the installed skill file. It ends with a hash that shows whether a person has changed the file. */
export function skillTextWithHash(called?: string): string {
  const text = skillText(called);
  return `${text}\n<!-- written by openclaw-memory skill --write, ${contentHash(text).slice(0, 12)} -->\n`;
}

/** True if a version of this program wrote exactly this text of a skill file, so no person has edited it. */
export function isGeneratedSkillText(skill: string): boolean {
  const [seal = '', hash] = SEAL.exec(skill) ?? [];
  return hash !== undefined && contentHash(skill.slice(0, skill.length - seal.length)).startsWith(hash);
}
