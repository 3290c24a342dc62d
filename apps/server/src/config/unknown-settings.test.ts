import { expect, it } from 'vitest';
import { settingNames } from './settings.ts';
import { findUnknownSettings } from './unknown-settings.ts';

it.each([
  ['SMTP_ULR', 'SMTP_URL'],
  ['SMTP_HOST', 'SMTP_URL'],
  ['SITE_URI', 'SITE_URL'],
  ['SITEURL', 'SITE_URL'],
  ['site_url', 'SITE_URL'],
  ['LANTERNROCK_SITE_URL', 'SITE_URL'],
  ['SITE_URL_FILE', 'SITE_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URLS', 'DATABASE_URL'],
  ['SECRET_KEY', 'SECRETS_KEY'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['RATELIMITS', 'RATE_LIMITS'],
  ['METRICS_TOKEN_FIEL', 'METRICS_TOKEN_FILE'],
  ['PROT', 'PORT'],
])('names the setting that %s was probably meant to be: %s', (name, nearest) => {
  const [found] = findUnknownSettings([name], settingNames);
  expect(found).toEqual({ name, nearest });
});

it('ignores the settings and the variables of other programs', () => {
  const others = [
    'PATH',
    'HOME',
    'HOSTNAME',
    'HOST1',
    'PORTS',
    'USER',
    'LOGNAME',
    'LANG',
    'TERM',
    'PWD',
    'SHLVL',
    'TZ',
    'MAIL',
    'NODE_ENV',
    'NODE_OPTIONS',
    'PGPASSWORD',
    'PGHOST',
    'INVOCATION_ID',
    'JOURNAL_STREAM',
    'STATE_DIRECTORY',
    'LISTEN_FDS',
    'SESSION_MANAGER',
    'SERVICE_RESULT',
    'MAINPID',
    'NOTIFY_SOCKET',
    'CREDENTIALS_DIRECTORY',
    'SSH_AUTH_SOCK',
    'XDG_SESSION_ID',
    'npm_config_cache',
    'http_proxy',
    'NO_PROXY',
    'DATA',
    'LOGS_DIRECTORY',
    'SYSTEMD_EXEC_PID',
    'DEBIAN_FRONTEND',
    'POSTGRES_PASSWORD',
    'YARN_VERSION',
    'TMPDIR',
    '',
  ];
  expect(findUnknownSettings([...settingNames, ...others], settingNames)).toEqual([]);
});
