/** The history keeps a link open after the sessions of the link were deleted. */
import type { InvitationHistory } from '@lanternrock/contract/invitations';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { readInvitationHistory } from '../src/invitations/invitation-history.ts';
import { linksIn } from './support/email-links.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';
import { asService } from '../src/administrators/email-action.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0';
const scanner = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 HeadlessChrome/140.0 Safari/537.36';

eachEngine('an opened link', (engine) => {
  const clock = { ahead: 0 };
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine, { now: () => new Date(Date.now() + clock.ahead) });
  });
  afterAll(() => service.close());

  let userCount = 0;
  const invite = async (
    email = `opener-${(userCount += 1)}@example.org`,
  ): Promise<{ id: string; email: string; token: string }> => {
    const { invitationId: id } = await service.service.invitations.invite({
      authorize: asService,
      email,
      fullName: 'Olive Opener',
      invitedBy: null,
      startedAt: performance.now(),
    });
    const token =
      linksIn(await service.emails(), email)
        .at(-1)
        ?.searchParams.get('token_hash') ?? '';
    return { id, email, token };
  };
  const open = async (token: string, userAgent?: string): Promise<number> => {
    const response = await service.request('/auth/v1/verify', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        apikey: service.anonKey,
        ...(userAgent === undefined ? {} : { 'User-Agent': userAgent }),
      },
      body: JSON.stringify({ type: 'invite', token_hash: token }),
    });
    return response.status;
  };
  const history = async (id: string): Promise<InvitationHistory | null> =>
    readInvitationHistory(service.database, service.config, { id, now: new Date() });
  const endSessions = () => service.database.query(sql`delete from auth.sessions`);

  it(
    'B1 stays in the history after the session ended, with the time of the first use',
    { tags: ['C003'] },
    async () => {
      const { id, token } = await invite();
      expect(await open(token, firefox)).toBe(200);
      const first = (await history(id))?.opened_at;
      expect(first).toEqual(expect.any(String));
      clock.ahead += 60_000;
      expect(await open(token, firefox)).toBe(200);
      await endSessions();
      expect(await history(id)).toMatchObject({ opened_at: first, opened_by_program_at: null });
    },
  );

  it.each([
    ['a scanner that identifies itself', scanner],
    ['a script', 'python-requests/2.32'],
    ['an empty user agent', undefined],
  ])('B2 distinguishes %s from a browser and consumes the link for neither', async (_name, userAgent) => {
    const { id, token } = await invite();
    expect(await open(token, userAgent)).toBe(200);
    expect(await history(id)).toMatchObject({ opened_at: null, opened_by_program_at: expect.any(String) });
    expect(await open(token, firefox)).toBe(200);
    expect(await history(id)).toMatchObject({
      opened_at: expect.any(String),
      opened_by_program_at: expect.any(String),
    });
  });

  it('an invalid link is not recorded as opened', async () => {
    const { id, email, token } = await invite();
    await service.service.invitations.revoke({ email: email, authorize: asService });
    const before = await service.fingerprint();
    expect(await open(token, firefox)).toBe(403);
    expect(await history(id)).toMatchObject({ opened_at: null, opened_by_program_at: null });
    expect(await service.fingerprint()).toBe(before);
  });

  it('a new invitation after the end starts a new history', async () => {
    const { id, email, token } = await invite();
    await open(token, firefox);
    await service.service.invitations.revoke({ email: email, authorize: asService });
    expect((await history(id))?.opened_at).toEqual(expect.any(String));
    clock.ahead += 60_000;
    const again = await invite(email);
    expect(again.id).toBe(id);
    expect((await history(id))?.opened_at).toBeNull();
    expect(await open(again.token, firefox)).toBe(200);
    expect((await history(id))?.opened_at).toEqual(expect.any(String));
  });

  it('ten concurrent uses all succeed and record one time', async () => {
    const { id, token } = await invite();
    const responses = await Promise.all(Array.from({ length: 10 }, () => open(token, firefox)));
    expect(new Set(responses)).toEqual(new Set([200]));
    const [row] = await service.database.query(
      sql`select count(*)::int as count from private.invitation_openings where invitation_id = ${id}`,
    );
    expect(row).toEqual({ count: 1 });
  });
});
