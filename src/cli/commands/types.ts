import { existsSync } from 'node:fs';
import type { MemoryType } from '../../extract/types.js';
import { defineVerb } from '../verb.js';
import { buildWorkspaceOptions } from '../workspace.js';

export const define = defineVerb({
  takes: { name: { type: 'text', place: 'argument', doc: 'show only this type' } },
  more: 'Put your own types into bank/types/NAME.yaml. Your type replaces a built-in type\nwith the same name.',
  examples: ['types', 'types preferences'],
  run: async (context, { name }) => {
    const { MemoryTypes } = await import('../../extract/types.js');
    const { findWorkspace } = await import('../../app/open.js');
    // Without a workspace, only the built-in types exist.
    const { root } = (await findWorkspace(buildWorkspaceOptions(context))).located;
    const types = MemoryTypes.load(existsSync(root) ? root : undefined);
    if (name === undefined) {
      const lines = types.all.map(lineOf).join('\n');
      context.out.answer(lines, { types: types.all.map(json) });
    } else {
      const type = types.named(name);
      context.out.answer(text(type), json(type));
    }
  },
});

function lineOf({ name, directory, description, enabled, source }: MemoryType): string {
  const notes = [enabled ? '' : 'off', source === 'built-in' ? '' : source].filter((note) => note !== '').join(', ');
  return `${name.padEnd(12)} ${`${directory}/`.padEnd(20)} ${description}${notes === '' ? '' : ` (${notes})`}`;
}

function text(type: MemoryType): string {
  const fields = type.fields.map(
    ({ name, type: of, mergeOp, description }) => `  ${name} (${of}, ${mergeOp})  ${description}`,
  );
  const parts = [
    `${type.name}: ${type.description}`,
    `pages: ${type.directory}/${type.filenameTemplate}.md (${type.operationMode}${type.enabled ? '' : ', off'}; ${type.source})`,
    `fields:\n${fields.join('\n')}`,
  ];
  for (const [title, lines] of [
    ['guidelines', type.guidelines],
    ['good', type.goodCases],
    ['bad', type.badCases],
  ] as const) {
    if (lines.length > 0) parts.push(`${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  }
  if (type.contentTemplate !== null) parts.push(`template:\n${type.contentTemplate.replace(/^/gmu, '  ')}`);
  return parts.join('\n');
}

/** The JSON of a type, with the field names of its YAML file. */
function json({ identity: _, fields, ...type }: MemoryType) {
  return { ...asYaml(type), fields: fields.map(asYaml) };
}

function asYaml(value: object) {
  const named = (key: string) => key.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [named(key), one]));
}
