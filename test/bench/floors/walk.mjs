// Floor of "index, nothing changed": list the folders and stat every Markdown file. Prints the ms that it took.
import { readdirSync, statSync } from 'node:fs';

const [root] = process.argv.slice(2);
const start = performance.now();
const folders = [root];
let files = 0;
for (const folder of folders) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.')) folders.push(`${folder}/${entry.name}`);
    } else if (entry.name.endsWith('.md')) {
      statSync(`${folder}/${entry.name}`);
      files++;
    }
  }
}
process.stdout.write(JSON.stringify({ ms: performance.now() - start, files }));
