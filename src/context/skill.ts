import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { contentHash, makeFolder, readVersion, replaceFile } from '../workspace/files.js';
import { readTemplate } from '../workspace/templates.js';

export const SKILL_HOSTS = ['openclaw', 'claude-code'] as const;
export type SkillHost = (typeof SKILL_HOSTS)[number];

const NAME = 'openclaw-memory';
const SEAL = /\n<!-- written by openclaw-memory skill --write, ([0-9a-f]{12}) -->\n$/;

/** How an agent uses the memory: the text of a skill, as hosts read it. */
export function skillText(): string {
  return readTemplate('skill.md');
}

/**
 * Where a host looks for skills: OpenClaw in the workspace, Claude Code in the home folder.
 * @returns absolute path of the skill's file
 */
export function skillPath(host: SkillHost, folders: { readonly workspace: string; readonly home: string }): string {
  const above = host === 'openclaw' ? folders.workspace : join(folders.home, '.claude');
  return join(above, 'skills', NAME, 'SKILL.md');
}

/**
 * Installs the skill, or brings an installed one up to date.
 * @returns whether the file has changed
 * @throws MemoryError `conflict` when a person has written or changed the file
 */
export function writeSkill(path: string): boolean {
  const version = readVersion(path);
  const present = version?.bytes.toString('utf8');
  if (present !== undefined && !isOurs(present))
    fail('conflict', `${path} was changed by hand`, 'move it away, or compare it with openclaw memory skill');
  const text = sealed(skillText());
  if (present === text) return false;
  makeFolder(join(path, '..'));
  if (!replaceFile(path, version, text)) fail('conflict', `${path} was changed meanwhile`, 'run the command again');
  return true;
}

function sealed(text: string): string {
  return `${text}\n<!-- written by openclaw-memory skill --write, ${contentHash(text).slice(0, 12)} -->\n`;
}

function isOurs(present: string): boolean {
  const [seal = '', hash] = SEAL.exec(present) ?? [];
  return hash !== undefined && contentHash(present.slice(0, present.length - seal.length)).startsWith(hash);
}
