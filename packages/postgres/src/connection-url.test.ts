import { expect, it } from 'vitest';
import { readConnectionUrl } from './connection-url.ts';
import { OperationalError } from './errors.ts';

/** Returns the TLS options of each attempt. */
const tlsOf = (url: string): readonly unknown[] => readConnectionUrl(url).tls.map((read) => read && read());

const base = 'postgres://ann:p%40ss@db.example.org:5432/x';

it('connects with TLS if the server offers it, unless the URL says otherwise', () => {
  const [first, second] = tlsOf(base);
  expect(first).toMatchObject({ rejectUnauthorized: false });
  expect(second).toBe(false);
  expect(readConnectionUrl(`${base}?sslmode=allow`).tls[0]).toBe(false);
  expect(readConnectionUrl(`${base}?sslmode=disable`).tls).toEqual([false]);
  expect(readConnectionUrl(`${base}?ssl=true`).sslMode).toBe('require');
  expect(tlsOf(`${base}?ssl=true`)).toMatchObject([{}]);
  expect(readConnectionUrl(`${base}?sslrootcert=system`).sslMode).toBe('verify-full');
  expect(tlsOf(`${base}?sslrootcert=system`)).toMatchObject([{ rejectUnauthorized: true }]);
});

it.each(['/run/postgresql x', 'socket:///run/postgresql?db=x', 'postgres://ann@/x?host=/run/postgresql'])(
  'never uses TLS on a Unix socket: %s',
  (url) => expect(readConnectionUrl(url).tls).toEqual([false]),
);

it('passes the parameters of the driver, and no others', () => {
  const query =
    'application_name=a&sslmode=require&options=-c%20search_path%3Dx&target_session_attrs=read-write';
  expect(readConnectionUrl(`${base}?${query}`)).toMatchObject({
    client: { connectionString: `${base}?application_name=a&options=-c+search_path%3Dx` },
    requiresWrites: true,
  });
});

it('has one URI for each host', () => {
  const query = 'application_name=a&sslmode=require';
  const servers = (url: string): readonly string[] => readConnectionUrl(url).servers;
  expect(servers(`postgres://ann:p,q@a.example.org:1,b.example.org,[::1]:3/x?${query}`)).toEqual([
    'postgres://ann:p,q@a.example.org:1/x?application_name=a',
    'postgres://ann:p,q@b.example.org/x?application_name=a',
    'postgres://ann:p,q@[::1]:3/x?application_name=a',
  ]);
  expect(servers('postgres:///x?host=a.example.org,b.example.org&port=5433')).toEqual([
    'postgres:///x?host=a.example.org&port=5433',
    'postgres:///x?host=b.example.org&port=5433',
  ]);
  expect(servers('postgres:///x?host=/run/one,/run/two&port=1,2').map((url) => url.split('?')[1])).toEqual([
    'host=%2Frun%2Fone&port=1',
    'host=%2Frun%2Ftwo&port=2',
  ]);
  expect(servers(base)).toEqual([base]);
});

it('uses TLS for all servers or for none', () => {
  expect(tlsOf('postgres:///x?host=/run/one,/run/two&sslmode=verify-full')).toEqual([false]);
  for (const url of [
    'postgres:///x?host=/run/postgresql,db.example.org',
    'postgres:///x?host=db.example.org,/run/postgresql',
    'postgres://ann:pw@%2Frun%2Fpostgresql,db.example.org/x',
    'postgres://ann:pw@db.example.org,%2Frun%2Fpostgresql/x',
  ])
    expect(() => readConnectionUrl(`${url}${url.includes('?') ? '&' : '?'}sslmode=verify-full`)).toThrow(
      'DATABASE_URL names a Unix socket and a host with TLS',
    );
});

it.each([
  ['postgres:///x?host=a.example.org,', 'a host or port of the parameters host and port is empty'],
  ['postgres:///x?host=a.example.org,b.example.org&port=5432,', 'a host or port of the parameters'],
  ['postgres://a.example.org,b.example.org/x?host=c.example.org', 'names hosts twice'],
])('refuses %s', (url, message) => {
  expect(() => readConnectionUrl(url)).toThrow(message);
});

it('needs a server that accepts writes if there are several, unless the URL says otherwise', () => {
  const several = 'postgres://ann@a.example.org,b.example.org/x';
  expect(readConnectionUrl(several).requiresWrites).toBe(true);
  expect(readConnectionUrl(`${several}?target_session_attrs=any`).requiresWrites).toBe(false);
  expect(readConnectionUrl(base).requiresWrites).toBe(false);
});

it.each([
  ['sslmode=no-verify', 'the parameter sslmode=no-verify is not supported. Use one of disable, allow'],
  ['sslmode=Require', 'the parameter sslmode=Require is not supported'],
  ['sslmode=verify-ca', 'sslmode=verify-ca needs sslrootcert=FILE'],
  ['sslmode=require&sslrootcert=system', 'sslmode=require cannot be used with sslrootcert=system'],
  ['sslmode=require&sslrootcert=/none', 'the file of sslrootcert, /none, cannot be read'],
  ['sslcert=/none', 'sslcert and sslkey must be set together'],
  ['sslnegotiation=direct', 'sslnegotiation=direct needs sslmode=require or stronger'],
  ['ssl_min_protocol_version=SSLv3', 'the parameter ssl_min_protocol_version=SSLv3 is not supported'],
  [
    'target_session_attrs=standby',
    'the parameter target_session_attrs=standby is not supported. The service writes',
  ],
  ['host=a.example.org,b.example.org&port=1,2,3', 'names 2 hosts and 3 ports. Name one port for each host'],
  [
    'channel_binding=always',
    'the parameter channel_binding=always is not supported. Use one of disable, prefer',
  ],
  ['channel_binding=require&sslmode=disable', 'channel_binding=require needs TLS'],
  ['gssencmode=require', 'the parameter gssencmode=require is not supported'],
  ['pwd=hunter2', /the parameter pwd is not supported\. Remove it\.$/],
  ['pgbouncer=true', 'the parameter pgbouncer=true is not supported. Remove it.'],
  ['connect_timeout=10', 'Use DATABASE_WAIT.'],
])('refuses %s by name', (query, message) => {
  expect(() => readConnectionUrl(`${base}?${query}`)).toThrow(OperationalError);
  expect(() => readConnectionUrl(`${base}?${query}`)).toThrow(message);
});
