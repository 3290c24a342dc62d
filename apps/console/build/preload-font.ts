/** Vite plugin: preloads the font, which every page needs for its first paint. */
import type { Plugin } from 'vite';

export const preloadFont = (): Plugin => ({
  name: 'lanternrock:preload-font',
  transformIndexHtml: {
    // The URL of the font is known only after the build.
    order: 'post',
    handler: (_html, { bundle }) => {
      // The development server has no bundle.
      if (bundle === undefined) return [];
      const font = Object.keys(bundle).find((name) => /public-sans-basic.*\.woff2$/.test(name));
      if (font === undefined) throw new Error('The public-sans-basic font is missing from the build.');
      const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: true };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
});
