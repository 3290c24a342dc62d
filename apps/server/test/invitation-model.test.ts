/**
 * Random sequences of inviting, failing emails, resending, expiring, revoking, opening, accepting and
 * removing.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { emptyModel, invitationCommands, type InvitationSystem } from './support/invitation-model.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';
import { runs, seed } from '@lanternrock/testing/property-runs';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

eachEngine('invitations in random order', (engine) => {
  let mailServer: MailServer;
  let service: TestService;
  let adminToken: string;
  let administratorId: string;
  beforeAll(async () => {
    mailServer = await startMailServer();
    service = await startTestService(engine, {
      settings: {
        SMTP_URL: mailServer.url,
        RESEND_COOLDOWN: '0',
        MAILS_PER_HOUR: '1000000',
        ACCESS_TOKEN_TTL: '604800',
      },
    });
    const admin = await service.createUser({ isAdministrator: true });
    administratorId = admin.id;
    adminToken = (await service.signIn(admin)).access_token;
  });
  afterAll(async () => {
    await service.close();
    await mailServer.close();
  });

  it('the service matches the model', { tags: ['C004'], timeout: 1_800_000 }, async () => {
    let accepted = 0;
    const numRuns = runs({ short: 50, long: 1000 });
    await fc.assert(
      fc.asyncProperty(
        fc.commands(invitationCommands, { maxCommands: 16, size: 'max' }),
        async (commands) => {
          // All administrators receive notices, so those of earlier runs would make each run slower.
          await service.database.query(
            sql`delete from public.user_roles where user_id <> ${administratorId}`,
          );
          const email = `model-${randomUUID()}@example.org`;
          const real: InvitationSystem = {
            service,
            mailServer,
            adminToken,
            email,
            links: [],
            sessions: [],
            passwords: 0,
          };
          const model = emptyModel();
          await fc.asyncModelRun(() => ({ model, real }), commands);
          accepted += model.links.length > 0 && model.sessions.some((session) => !session.invited) ? 1 : 0;
        },
      ),
      { numRuns, seed },
    );
    // The sequences reach the states that they are intended for.
    expect(accepted).toBeGreaterThan(numRuns / 10);
    // A limit against hanging only: the long run takes minutes on an idle machine.
  });
});
