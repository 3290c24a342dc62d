import { describe, expect, it } from 'vitest';
import { classifyHash } from './imported-hash.ts';

const bcrypt = (cost: string): string => `$2b$${cost}$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy`;
const argon2 = (parameters: string): string => `$argon2id$v=19$${parameters}$c29tZXNhbHQ$aGFzaGhhc2hoYXNo`;

describe('imported hashes', { tags: ['AUTH-55'] }, () => {
  it.each([
    [bcrypt('04'), 'bcrypt'],
    [bcrypt('14'), 'bcrypt'],
    [bcrypt('15'), 'too costly'],
    [bcrypt('31'), 'too costly'],
    [argon2('m=19456,t=2,p=1'), 'argon2'],
    [argon2('m=131072,t=10,p=16'), 'argon2'],
    [argon2('m=131073,t=1,p=1'), 'too costly'],
    [argon2('m=65536,t=11,p=1'), 'too costly'],
    [argon2('m=65536,t=3,p=17'), 'too costly'],
    [argon2('m=4294967295,t=4294967295,p=1'), 'too costly'],
    [argon2('t=2,m=19456,p=1'), 'unknown'],
    [argon2('m=,t=,p='), 'unknown'],
    ['plain', 'unknown'],
  ])('%s is %s', (hash, kind) => {
    expect(classifyHash(hash)).toBe(kind);
  });
});
