/** `npm run bench -- NAME [arguments]`: runs the benchmark in the file of that name; without a name, all of them (`suite`). */
import fs from 'node:fs';

const names = fs
  .readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.mjs') && file !== 'run.mjs')
  .map((file) => file.replace('.mjs', ''));
if (!/^\w/.test(process.argv[2] ?? '')) process.argv.splice(2, 0, 'suite');
const [name] = process.argv.splice(2, 1);
if (!names.includes(name)) {
  console.error(`Usage: npm run bench -- [${names.join('|')}] [arguments]`);
  process.exit(2);
}
await import(`./${name}.mjs`);
