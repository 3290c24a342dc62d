/**
 * What the published client's own suite asks of a server (docs/wire-rest.md names its families), asked
 * through the client: both engines answer alike, and as PostgREST 12.0.2 does on the same tables.
 */
import { PostgrestClient } from '@supabase/postgrest-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callFamilies } from './support/client-calls.ts';
import type { ClientCase } from './support/client-cases.ts';
import { embedFamilies } from './support/client-embeds.ts';
import { readFamilies } from './support/client-reads.ts';
import { clientScript } from './support/client-tables.ts';
import { writeFamilies } from './support/client-writes.ts';
import { openRestFixture, type RestFixture } from './support/rest-fixture.ts';
import { referenceBinary, startPostgrest, type PostgrestServer } from './support/postgrest.ts';

const families = { ...readFamilies, ...embedFamilies, ...callFamilies, ...writeFamilies };
const settings = { AGGREGATES: 'on', TX_OVERRIDE: 'on', EXPOSED_SCHEMAS: 'public,personal' };

describe("the published client's own cases", () => {
  let embedded: RestFixture;
  let postgres: RestFixture;
  let reference: PostgrestServer | null = null;
  let theirs: PostgrestClient | null = null;
  beforeAll(async () => {
    embedded = await openRestFixture('embedded', clientScript, settings);
    postgres = await openRestFixture('postgres', clientScript, settings);
    if (referenceBinary === null) return;
    reference = await startPostgrest(postgres.databaseUrl, { PGRST_DB_SCHEMAS: 'public,personal' });
    theirs = new PostgrestClient(reference.url);
  });
  afterAll(async () => {
    await reference?.close();
    await postgres.close();
    await embedded.close();
  });

  /** Of errors the code alone, because the wording changed since. */
  const answer = async ([, run]: ClientCase, client: PostgrestClient): Promise<unknown> => {
    const { status, count, data, error } = await run(client);
    return { status, count, data, code: error?.code };
  };

  describe.each(Object.entries(families))('%s', (_family, cases) => {
    it.each(cases.map((one) => [one[0], one] as const))('%s', async (_name, one) => {
      const mine = await answer(one, postgres.client());
      expect(await answer(one, embedded.client())).toEqual(mine);
      if (theirs === null) return;
      const [, , differs] = one;
      const their = await answer(one, theirs);
      if (differs === undefined) expect(mine).toEqual(their);
      else expect(mine, `no longer differs: ${differs}`).not.toEqual(their);
    });
  });
});
