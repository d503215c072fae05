// Floor of `recall`: readdir + stat of every file, open the index with better-sqlite3, the identical MATCH.
import { readdirSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';

const [root, index, limit, ...expressions] = process.argv.slice(2);
const folders = [root];
for (const folder of folders) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.')) folders.push(`${folder}/${entry.name}`);
    } else if (entry.name.endsWith('.md')) statSync(`${folder}/${entry.name}`);
  }
}
const db = new Database(index, { readonly: true });
const match = db.prepare('SELECT rowid, bm25(fts) AS b FROM fts WHERE fts MATCH ? ORDER BY b LIMIT ?');
let rows = 0;
for (const expression of expressions) rows += match.all(expression, Number(limit)).length;
process.stdout.write(JSON.stringify({ rows }));
