// Floor of a cold index: read all files, split them into lines, insert the lines into one FTS5 table.
import { readdirSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';

const [root, path] = process.argv.slice(2);
const db = new Database(path);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = NORMAL');
db.exec("CREATE VIRTUAL TABLE fts USING fts5 (text, content = '', tokenize = 'porter unicode61')");
const insert = db.prepare('INSERT INTO fts (rowid, text) VALUES (?, ?)');
const folders = [root];
let lines = 0;
db.exec('BEGIN');
for (const folder of folders) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.')) folders.push(`${folder}/${entry.name}`);
    } else if (entry.name.endsWith('.md')) {
      for (const line of readFileSync(`${folder}/${entry.name}`, 'utf8').split('\n')) {
        if (line !== '') insert.run(++lines, line);
      }
    }
  }
}
db.exec('COMMIT');
db.close();
process.stdout.write(JSON.stringify({ lines }));
