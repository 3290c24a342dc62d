/** The version of the product, from the package.json of the repository or of the installed package. */
import fs from 'node:fs';
import * as z from 'zod/mini';

const manifest = z.object({ version: z.string() });

export const { version } = manifest.parse(
  JSON.parse(fs.readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')),
);
