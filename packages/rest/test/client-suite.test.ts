/**
 * Equivalents of the test suite of the published client, by family (docs/wire-rest.md). The embedded and the external
 * database must respond equally, and like PostgREST 12.0.2 on the same tables.
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
import { postgrestBinary, startPostgrest, type PostgrestServer } from '@lanternrock/testing/postgrest';

const families = { ...readFamilies, ...embedFamilies, ...callFamilies, ...writeFamilies };
const settings = { AGGREGATES: true, TX_OVERRIDE: true, EXPOSED_SCHEMAS: ['public', 'personal'] };

describe('the cases of the published client', () => {
  let embedded: RestFixture;
  let postgres: RestFixture;
  let reference: PostgrestServer | null = null;
  let referenceClient: PostgrestClient | null = null;
  beforeAll(async () => {
    embedded = await openRestFixture('embedded', clientScript, { settings });
    postgres = await openRestFixture('postgres', clientScript, { settings });
    if (postgrestBinary === null) return;
    reference = await startPostgrest(postgres.databaseUrl, { PGRST_DB_SCHEMAS: 'public,personal' });
    referenceClient = new PostgrestClient(reference.url);
  });
  afterAll(async () => {
    await reference?.close();
    await postgres.close();
    await embedded.close();
  });

  /** Of errors only the code, because the messages have changed since. */
  const runCase = async ([, run]: ClientCase, client: PostgrestClient): Promise<unknown> => {
    const { status, count, data, error } = await run(client);
    return { status, count, data, code: error?.code };
  };

  describe.each(Object.entries(families))('%s', (_family, cases) => {
    it.each(cases.map((clientCase) => [clientCase[0], clientCase] as const))(
      '%s',
      async (_name, clientCase) => {
        const actual = await runCase(clientCase, postgres.client());
        expect(await runCase(clientCase, embedded.client())).toEqual(actual);
        if (referenceClient === null) return;
        const [, , differs] = clientCase;
        const expected = await runCase(clientCase, referenceClient);
        if (differs === undefined) expect(actual).toEqual(expected);
        else expect(actual, `no longer differs: ${differs}`).not.toEqual(expected);
      },
    );
  });
});
