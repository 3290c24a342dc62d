import { describe, expect, it } from 'vitest';
import { backendAddress, parseRuntimeConfig } from './runtime-config.ts';

describe('the configuration in the document', () => {
  it('is read field by field', () => {
    const config = {
      productName: 'Zeta Test',
      backendUrl: 'https://api.example/',
      anonKey: 'key',
      build: 'b1',
      features: ['session-watch', 'recovery-codes'],
    };
    expect(parseRuntimeConfig(JSON.stringify(config))).toEqual({
      ...config,
      backendUrl: 'https://api.example',
      features: ['recovery-codes', 'session-watch'],
    });
  });

  it.each(['', 'null', '[]', '{', '"text"', '{"productName":1}'])(
    'is empty where it is damaged: %j',
    (text) => {
      expect(parseRuntimeConfig(text)).toEqual({
        productName: '',
        backendUrl: '',
        anonKey: '',
        build: '',
        features: [],
      });
    },
  );

  it.each([['"passkeys"'], ['{"passkeys":true}'], ['["unknown",1,null]']])(
    'names no feature with %s',
    (value) => {
      expect(parseRuntimeConfig(`{"features":${value}}`).features).toEqual([]);
    },
  );

  it('means the own origin when it names no backend', () => {
    expect(backendAddress(parseRuntimeConfig('{}'), 'https://console.example')).toBe(
      'https://console.example',
    );
    expect(
      backendAddress(parseRuntimeConfig('{"backendUrl":"https://api.example"}'), 'https://console.example'),
    ).toBe('https://api.example');
  });
});
