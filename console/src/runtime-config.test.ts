import { describe, expect, it } from 'vitest';
import { backendAddress, parseRuntimeConfig } from './runtime-config.ts';

describe('the configuration in the document', () => {
  it('is read field by field', () => {
    const config = {
      productName: 'Zeta Test',
      backendUrl: 'https://api.example/',
      anonKey: 'key',
      build: 'b1',
      passkeys: true,
    };
    expect(parseRuntimeConfig(JSON.stringify(config))).toEqual({
      ...config,
      backendUrl: 'https://api.example',
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
        passkeys: false,
      });
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
