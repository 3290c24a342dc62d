/**
 * Stands for Supabase Auth in a hosted project, which cannot run in the tests: the calls that the console and the function
 * `send-user-invitation` send, with the responses of the published API, on the tables of its schema `auth`.
 */
import { randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import pg from 'pg';

interface AuthRequest {
  readonly method: string;
  /** Path below `/auth/v1`, with the query. */
  readonly path: string;
  /** Bearer token, or ''. */
  readonly bearer: string;
  readonly body: Record<string, unknown>;
}

interface AuthResponse {
  readonly status: number;
  readonly body?: unknown;
}

interface UserRow {
  readonly id: string;
  readonly email: string;
}

const failure = (status: number, error_code: string, msg: string): AuthResponse => ({
  status,
  body: { code: status, error_code, msg },
});
const now = (): number => Math.floor(Date.now() / 1000);

export class HostedAuth {
  /** Emailed token hashes, newest last. */
  readonly emails: {
    readonly to: string;
    readonly type: 'invite' | 'recovery';
    readonly tokenHash: string;
  }[] = [];
  readonly #database: pg.Client;
  readonly #secret: Uint8Array;

  private constructor(database: pg.Client, secret: string) {
    this.#database = database;
    this.#secret = new TextEncoder().encode(secret);
  }

  static async open(databaseUrl: string, jwtSecret: string): Promise<HostedAuth> {
    const database = new pg.Client(databaseUrl);
    await database.connect();
    return new HostedAuth(database, jwtSecret);
  }

  close(): Promise<void> {
    return this.#database.end();
  }

  /** Returns an access token, or an API key: the token of a role without a user. */
  sign(claims: { readonly role: string; readonly sub?: string }): Promise<string> {
    return new SignJWT({ ...claims, aal: 'aal1' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(this.#secret);
  }

  /** @returns the ID of the new user */
  async createUser(email: string, password: string | null, fullName: string): Promise<string> {
    const id = randomUUID();
    await this.#database.query(
      `insert into auth.users (id, aud, role, email, encrypted_password, raw_app_meta_data, raw_user_meta_data,
          created_at, updated_at)
        values ($1, 'authenticated', 'authenticated', $2, extensions.crypt($3, extensions.gen_salt('bf', 4)), '{}',
          jsonb_build_object('full_name', $4::text), now(), now())`,
      [id, email, password, fullName],
    );
    return id;
  }

  async respond({ method, path, bearer, body }: AuthRequest): Promise<AuthResponse> {
    const { pathname, searchParams } = new URL(path, 'http://auth');
    switch (`${method} ${pathname}`) {
      case 'POST /token':
        return searchParams.get('grant_type') === 'password' ? this.#signIn(body) : this.#refresh(body);
      case 'POST /verify':
        return this.#verify(body);
      case 'GET /user':
        return this.#withUser(bearer, (user) => this.#readUser(user));
      case 'PUT /user':
        return this.#withUser(bearer, (user) => this.#setPassword(user, body));
      case 'POST /logout':
        return { status: 204 };
      case 'POST /recover':
        return this.#recover(String(body['email']));
      case 'POST /invite':
        return this.#invite(bearer, body);
      default:
        return failure(404, 'not_found', 'Not found');
    }
  }

  async #find(condition: string, value: unknown): Promise<UserRow | null> {
    const { rows } = await this.#database.query<UserRow>(
      `select id, email from auth.users where ${condition}`,
      [value],
    );
    return rows[0] ?? null;
  }

  async #signIn({ email, password }: Record<string, unknown>): Promise<AuthResponse> {
    const { rows } = await this.#database.query<UserRow>(
      `select id, email from auth.users
        where email = lower($1) and encrypted_password = extensions.crypt($2, encrypted_password)`,
      [email, password],
    );
    const [user] = rows;
    return user ? this.#session(user) : failure(400, 'invalid_credentials', 'Invalid login credentials');
  }

  async #session(user: UserRow): Promise<AuthResponse> {
    const [sessionId, token] = [randomUUID(), randomUUID()];
    await this.#database.query(
      `insert into auth.sessions (id, user_id, aal, created_at, updated_at) values ($1, $2, 'aal1', now(), now())`,
      [sessionId, user.id],
    );
    await this.#database.query(
      `insert into auth.refresh_tokens (token, user_id, revoked, session_id, created_at, updated_at)
        values ($1, $2, false, $3, now(), now())`,
      [token, user.id, sessionId],
    );
    const { body } = await this.#readUser(user);
    return {
      status: 200,
      body: {
        access_token: await this.sign({ role: 'authenticated', sub: user.id }),
        refresh_token: token,
        token_type: 'bearer',
        expires_in: 3600,
        expires_at: now() + 3600,
        user: body,
      },
    };
  }

  async #refresh({ refresh_token: token }: Record<string, unknown>): Promise<AuthResponse> {
    const { rows } = await this.#database.query<{ user_id: string }>(
      'update auth.refresh_tokens set revoked = true where token = $1 and not revoked returning user_id',
      [token],
    );
    const user = rows[0] ? await this.#find('id = $1', rows[0].user_id) : null;
    return user ? this.#session(user) : failure(400, 'refresh_token_not_found', 'Invalid Refresh Token');
  }

  async #verify({ token_hash: tokenHash }: Record<string, unknown>): Promise<AuthResponse> {
    const { rows } = await this.#database.query<{ user_id: string }>(
      'delete from auth.one_time_tokens where token_hash = $1 returning user_id',
      [tokenHash],
    );
    const user = rows[0] ? await this.#find('id = $1', rows[0].user_id) : null;
    return user ? this.#session(user) : failure(403, 'otp_expired', 'Email link is invalid or has expired');
  }

  async #withUser(bearer: string, run: (user: UserRow) => Promise<AuthResponse>): Promise<AuthResponse> {
    const verified = await jwtVerify(bearer, this.#secret).catch(() => null);
    const user =
      verified?.payload.sub === undefined ? null : await this.#find('id = $1', verified.payload.sub);
    return user ? run(user) : failure(403, 'bad_jwt', 'Invalid JWT');
  }

  async #readUser({ id, email }: UserRow): Promise<AuthResponse> {
    const { rows } = await this.#database.query(
      `select raw_app_meta_data as app_metadata, raw_user_meta_data as user_metadata, created_at, updated_at
        from auth.users where id = $1`,
      [id],
    );
    const rest = { aud: 'authenticated', role: 'authenticated', factors: [], identities: [] };
    return { status: 200, body: { id, email, ...rest, ...rows[0] } };
  }

  async #setPassword(user: UserRow, { password }: Record<string, unknown>): Promise<AuthResponse> {
    await this.#database.query(
      `update auth.users set encrypted_password = extensions.crypt($2, extensions.gen_salt('bf', 4)) where id = $1`,
      [user.id, password],
    );
    return this.#readUser(user);
  }

  async #recover(email: string): Promise<AuthResponse> {
    const user = await this.#find('email = lower($1)', email);
    if (user) await this.#send(user, 'recovery');
    return { status: 200, body: {} };
  }

  async #invite(bearer: string, { email, data }: Record<string, unknown>): Promise<AuthResponse> {
    const verified = await jwtVerify(bearer, this.#secret).catch(() => null);
    if (verified?.payload['role'] !== 'service_role') return failure(403, 'not_admin', 'User not allowed');
    const address = String(email).toLowerCase();
    if (await this.#find('email = $1', address)) return failure(422, 'email_exists', 'Already registered');
    const { full_name: fullName } = data as { full_name: string };
    const user = { id: await this.createUser(address, null, fullName), email: address };
    await this.#send(user, 'invite');
    return this.#readUser(user);
  }

  async #send({ id, email }: UserRow, type: 'invite' | 'recovery'): Promise<void> {
    const tokenHash = randomUUID();
    await this.#database.query(
      `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
        values (gen_random_uuid(), $1, $2, $3, $4)
        on conflict (user_id, token_type) do update set token_hash = excluded.token_hash`,
      [id, type === 'invite' ? 'confirmation_token' : 'recovery_token', tokenHash, email],
    );
    this.emails.push({ to: email, type, tokenHash });
  }
}
