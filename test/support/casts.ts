import ts from '@typescript/typescript6';

/** Returns what silences the compiler in a source: casts, `any` and `!`, each with its line. `as const` is allowed. */
export function casts(source: string): readonly string[] {
  const file = ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isCast =
      (ts.isAsExpression(node) && node.type.getText(file) !== 'const') ||
      ts.isTypeAssertionExpression(node) ||
      ts.isNonNullExpression(node) ||
      node.kind === ts.SyntaxKind.AnyKeyword;
    if (isCast) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push(`line ${line + 1}: ${node.getText(file)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
