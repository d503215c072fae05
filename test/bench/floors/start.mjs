// Start-up that any answer from an index has: Node, better-sqlite3, one row of the index.
import Database from 'better-sqlite3';

const [index] = process.argv.slice(2);
const db = new Database(index, { readonly: true });
db.prepare('SELECT count(*) FROM sqlite_schema').get();
