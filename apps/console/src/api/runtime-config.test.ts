import { describe, expect, it, vi } from 'vitest';
import { backendAddress, parseRuntimeConfig, reportUnknownFeatures } from './runtime-config.ts';

describe('the configuration in the document', () => {
  it('is parsed field by field', () => {
    const config = {
      productName: 'Zeta Test',
      backendUrl: 'https://api.example/',
      anonKey: 'key',
      siteUrl: 'https://console.example',
      invitationSeconds: 604_800,
      build: 'b1',
      features: ['passkeys', 'extensions'],
    };
    expect(parseRuntimeConfig(JSON.stringify(config))).toEqual({
      ...config,
      backendUrl: 'https://api.example',
      features: ['passkeys', 'extensions'],
    });
  });

  it.each(['', 'null', '[]', '{', '"text"', '{"productName":1,"invitationSeconds":"1"}'])(
    'has empty values if the text is invalid: %j',
    (text) => {
      expect(parseRuntimeConfig(text)).toEqual({
        productName: '',
        backendUrl: '',
        anonKey: '',
        siteUrl: '',
        invitationSeconds: 0,
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

  it.each([
    ['{"features":["auth-settings","session-watch","account-edit"]}', 'session-watch, account-edit'],
    ['{"features":["auth-settings"]}', undefined],
    ['{}', undefined],
  ])('reports features that this build does not know: %s', (text, names) => {
    const report = vi.spyOn(console, 'error').mockReturnValue();
    vi.stubGlobal('document', { getElementById: () => ({ textContent: text }) });
    reportUnknownFeatures();
    vi.unstubAllGlobals();
    expect(report.mock.calls.map(([message]) => /unknown features: ([^.]*)/.exec(message)?.[1])).toEqual(
      names === undefined ? [] : [names],
    );
    report.mockRestore();
  });

  it('defaults to the origin of the console as the backend', () => {
    expect(backendAddress(parseRuntimeConfig('{}'), 'https://console.example')).toBe(
      'https://console.example',
    );
    expect(
      backendAddress(parseRuntimeConfig('{"backendUrl":"https://api.example"}'), 'https://console.example'),
    ).toBe('https://api.example');
  });
});
