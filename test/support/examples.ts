import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { ROOT } from './readme.js';

/** What a user of the library can call. */
export interface PublicName {
  /** `Workspace.recall` */
  readonly name: string;
  /** The code of its `@example`; undefined when it has none. */
  readonly example: string | undefined;
}

/** Interfaces whose members are called; the others are data. */
const CALLED: ReadonlySet<string> = new Set([
  'Workspace',
  'Sessions',
  'Reflection',
  'Extraction',
  'Proposals',
  'History',
  'EmbeddingModels',
]);

/** Every function that the library exports, and every method of what they lead to. */
export function publicNames(): readonly PublicName[] {
  const folder = join(ROOT, 'src/app');
  const exported = [
    ...readFileSync(join(folder, 'index.ts'), 'utf8').matchAll(/^export \{ (\w+) \} from '(.+)\.js'/gm),
  ];
  const files = [
    ...exported.map(([, , path = '']) => path),
    ...readdirSync(join(folder, 'api')).map((name) => `api/${name}`),
  ];
  return files.flatMap((path) => {
    const source = readFileSync(join(folder, `${path.replace(/\.ts$/, '')}.ts`), 'utf8');
    return ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true).statements.flatMap((statement) => {
      if (ts.isFunctionDeclaration(statement)) {
        const name = nameOf(statement.name);
        return exported.some(([, one]) => one === name) ? [{ name, example: exampleOf(statement) }] : [];
      }
      if (!ts.isInterfaceDeclaration(statement) || !CALLED.has(statement.name.text)) return [];
      return statement.members
        .filter((member) => ts.isMethodSignature(member))
        .map((member) => ({ name: `${statement.name.text}.${nameOf(member.name)}`, example: exampleOf(member) }));
    });
  });
}

/** Names that declarations use and do not export; constants, which only types are made of, apart. */
export function unexportedNames(source: string): readonly string[] {
  const file = ts.createSourceFile('index.d.ts', source, ts.ScriptTarget.Latest, true);
  const declared: string[] = [];
  const exported = new Set<string>();
  for (const statement of file.statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
      for (const { name, propertyName } of statement.exportClause.elements) exported.add((propertyName ?? name).text);
    } else if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
      declared.push(statement.name.text);
    } else if (ts.isClassDeclaration(statement)) {
      declared.push(`class ${nameOf(statement.name)}`);
      exported.add('class MemoryError');
    }
  }
  return declared.filter((name) => !exported.has(name));
}

function nameOf(name: ts.PropertyName | ts.Identifier | undefined): string {
  return name?.getText() ?? '';
}

function exampleOf(node: ts.Node): string | undefined {
  const [comment] = ts.getLeadingCommentRanges(node.getFullText(), 0)?.slice(-1) ?? [];
  const text = comment === undefined ? '' : node.getFullText().slice(comment.pos, comment.end);
  const example = /^ *\* @example\n([\s\S]*?)\n? *\*\/$/m.exec(text)?.[1];
  return example?.replace(/^ *\* ?/gm, '');
}
