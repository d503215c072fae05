// An editor that saves pages again and again, each time with the number of the save in a line of its own: one page by a
// temporary file that is renamed, the next in place. Ends after the save that follows a line on stdin; prints that number.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const [renamed, inPlace] = process.argv.slice(2);
const LINE = /^Saved \d+ times\.$/m;
let saves = 0;
let overtaken = 0;
let hasEnded = false;

function save(path, write) {
  const text = readFileSync(path, 'utf8');
  if (saves > 1 && !text.includes(`Saved ${saves - 1} times.`)) overtaken++;
  write(path, LINE.test(text) ? text.replace(LINE, `Saved ${saves} times.`) : `Saved ${saves} times.\n${text}`);
}

function saveBoth() {
  saves++;
  save(renamed, (path, text) => {
    writeFileSync(`${path}~`, text);
    renameSync(`${path}~`, path);
  });
  save(inPlace, writeFileSync);
}

process.stdin.on('data', () => {
  hasEnded = true;
});
const timer = setInterval(() => {
  saveBoth();
  if (!hasEnded) return;
  clearInterval(timer);
  process.stdin.destroy();
  process.stdout.write(JSON.stringify({ saves, overtaken }));
}, 12);
