/** Loads a TypeScript file of the server without a build, so that benchmarks measure the same code. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param source path below the project root
 * @returns the module
 */
export async function loadSource(source) {
  const file = path.join(root, 'node_modules/.cache/bench', `${path.basename(source, '.ts')}.mjs`);
  const bundle = await rolldown({
    input: path.join(root, source),
    platform: 'node',
    external: [/^(?!@lanternrock\/)[a-z@]/],
  });
  await bundle.write({ file, format: 'esm' });
  return import(file);
}
