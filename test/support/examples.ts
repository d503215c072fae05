import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { ROOT } from './readme.js';

/** A function or method that a user of the library can call. */
interface PublicName {
  /** `Workspace.recall` */
  readonly name: string;
  /** The code of its `@example`; undefined when it has none. */
  readonly example: string | undefined;
}

/** Classes with public methods; other classes are data. */
const CALLED = [
  'Workspace',
  'Sessions',
  'Reflection',
  'Extraction',
  'Proposals',
  'History',
  'EmbeddingModels',
  'ChatModels',
];
const FILES = ['health', 'workspace', 'sessions', 'reflection', 'extraction', 'models', 'chat'];

/** Returns every exported function of the library, and every method of the returned classes. */
export function publicNames(): readonly PublicName[] {
  const paths = [...FILES.map((name) => `src/app/${name}.ts`), 'src/retain/proposals.ts', 'src/upkeep/history.ts'];
  const index = readFileSync(join(ROOT, 'src/app/index.ts'), 'utf8');
  const exported = [...index.matchAll(/^export \{ (\w+) \} from/gm)].map(([, name]) => name);
  return paths.flatMap((path) => {
    const source = readFileSync(join(ROOT, path), 'utf8');
    return ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true).statements.flatMap((statement) => {
      const name =
        ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) ? nameOf(statement.name) : '';
      if (ts.isFunctionDeclaration(statement))
        return exported.includes(name) ? [{ name, example: exampleOf(statement) }] : [];
      if (!ts.isClassDeclaration(statement) || !CALLED.includes(name)) return [];
      return statement.members
        .filter((member) => ts.isMethodDeclaration(member) && !isHidden(member))
        .map((member) => ({ name: `${name}.${nameOf(member.name)}`, example: exampleOf(member) }));
    });
  });
}

/** Whether a member is not public. */
function isHidden(member: ts.MethodDeclaration): boolean {
  const marks = member.modifiers?.map(({ kind }) => kind) ?? [];
  const isOurs = marks.includes(ts.SyntaxKind.PrivateKeyword) || marks.includes(ts.SyntaxKind.ProtectedKeyword);
  return isOurs || /^ *\* @internal$/m.test(member.getFullText());
}

/** Returns names that declarations use but do not export, except constants that only form types. */
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
