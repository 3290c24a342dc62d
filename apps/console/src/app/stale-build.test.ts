import { describe, expect, it } from 'vitest';
import { canReload, isOtherBuild } from './stale-build.ts';

describe('canReload', () => {
  it('allows one reload in 30 seconds', () => {
    expect(canReload(null, 1_000_000)).toBe(true);
    expect(canReload('1000000', 1_000_001)).toBe(false);
    expect(canReload('1000000', 1_029_999)).toBe(false);
    expect(canReload('1000000', 1_030_000)).toBe(true);
  });

  it('allows a reload after a clock change or with an invalid stored time', () => {
    expect(canReload('9000000', 1_000_000)).toBe(true);
    expect(canReload('soon', 1_000_000)).toBe(true);
  });
});

describe('isOtherBuild', () => {
  const page = (script: string): string =>
    `<script id="runtime-config">{}</script><script type="module" src="${script}"></script>`;
  const scripts = ['/assets/console-Ab12.js'];

  it('compares the scripts of the page with those of the document', () => {
    expect(isOtherBuild(page('/assets/console-Ab12.js'), scripts)).toBe(false);
    expect(isOtherBuild(page('/assets/console-Cd34.js'), scripts)).toBe(true);
  });

  it('is false if the page is not one of the console, or cannot be loaded', () => {
    expect(isOtherBuild('<h1>Welcome to Harbor Wi-Fi</h1>', scripts)).toBe(false);
    expect(isOtherBuild(null, scripts)).toBe(false);
  });
});
