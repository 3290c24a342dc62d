import { describe, expect, it } from 'vitest';
import { backendAddress, parseRuntimeConfig } from './runtime-config.ts';

describe('the configuration in the document', () => {
  it('is parsed field by field', () => {
    const config = {
      productName: 'Zeta Test',
      backendUrl: 'https://api.example/',
      anonKey: 'key',
      siteUrl: 'https://console.example',
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
    'has empty values if the text is invalid: %j',
    (text) => {
      expect(parseRuntimeConfig(text)).toEqual({
        productName: '',
        backendUrl: '',
        anonKey: '',
        siteUrl: '',
        build: '',
        features: [],
      });
    },
  );

  it.each([['"passkeys"'], ['{"passkeys":true}'], ['["unknown",1,null]']])(
    'has no features if the value is %s',
    (value) => {
      expect(parseRuntimeConfig(`{"features":${value}}`).features).toEqual([]);
    },
  );

  it('defaults to the origin of the console as the backend', () => {
    expect(backendAddress(parseRuntimeConfig('{}'), 'https://console.example')).toBe(
      'https://console.example',
    );
    expect(
      backendAddress(parseRuntimeConfig('{"backendUrl":"https://api.example"}'), 'https://console.example'),
    ).toBe('https://api.example');
  });
});
