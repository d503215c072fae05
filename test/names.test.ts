import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../src');
const EXPORTED =
  /^export (?:async |declare )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

/** Names that several files export on purpose, with the reason. */
const SHARED_NAMES: Readonly<Record<string, string>> = {
  commands: 'every file with commands of the command line has them',
};

/** Returns each exported name with the files that declare it. */
function exportedNames(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const path of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts')) continue;
    for (const [, name = ''] of readFileSync(join(SRC, path), 'utf8').matchAll(EXPORTED)) {
      names.set(name, [...new Set([...(names.get(name) ?? []), path])]);
    }
  }
  return names;
}

/** `SECTION_BUDGET` and `sectionBudget` are both `section`, `budget`. */
function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}

function textOf(path: string): string {
  return readFileSync(join(import.meta.dirname, path), 'utf8');
}

test('exported names use plain words and the terms of the glossary', () => {
  const plain = textOf('support/plain-words.txt').split(/\s+/);
  const terms = [...textOf('../docs/glossary.md').matchAll(/^- \*\*(.+?)\*\*/gm)].flatMap(([, term = '']) =>
    term.toLowerCase().split(/[^a-z]+/),
  );
  const known = new Set(
    [...plain, ...terms].flatMap((word) => [word, `${word}s`, `${word}es`, word.replace(/y$/, 'ies')]),
  );
  const names = [...exportedNames().keys()];
  expect(names.length).toBeGreaterThan(1000);
  const unknown = names.flatMap((name) => {
    const words = wordsOf(name).filter((word) => !known.has(word));
    return words.length > 0 ? [`${name}: ${words.join(', ')}`] : [];
  });
  expect(unknown).toEqual([]);
});

test('no two files export one name, except listed ones', () => {
  const shared = [...exportedNames()].filter(([name, files]) => files.length > 1 && SHARED_NAMES[name] === undefined);
  expect(shared.map(([name, files]) => `${name}: ${files.join(', ')}`)).toEqual([]);
});
