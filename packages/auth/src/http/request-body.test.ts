import { describe, expect, it } from 'vitest';
import { RequestBody } from './request-body.ts';

describe('request bodies', () => {
  it('treats null as absent and does not convert types', () => {
    const body = new RequestBody(
      JSON.parse('{"a":null,"n":1,"t":"x","o":{},"l":[],"__proto__":{"p":1}}') as object,
    );
    expect([
      body.has('a'),
      body.getString('a'),
      body.getString('t'),
      body.getString('missing'),
      body.getObject('o'),
    ]).toEqual([false, '', 'x', '', {}]);
    expect(body.has('p')).toBe(false);
    expect(body.has('toString')).toBe(false);
    expect(() => body.getString('n')).toThrow('n must be a string');
    expect(() => body.getObject('l')).toThrow('l must be an object');
    expect(() => body.getBoolean('t')).toThrow('t must be a boolean');
  });
});
