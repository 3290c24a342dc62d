/** Development server: selects the document for each path and inserts the runtime configuration. */
// A relative path, because Vite does not bundle packages into its configuration.
import { features } from '../../../packages/contract/src/runtime.ts';
import type { Plugin } from 'vite';

const isSignIn = (url: string): boolean => /^\/auth(?:\/callback|\/set-password)?\/?(?:[?#]|$)/.test(url);

/** @param anonKey the publishable key of the running service */
export const devServerDocuments = (anonKey: string): Plugin => ({
  name: 'lanternrock:development-documents',
  apply: 'serve',
  configureServer: (server) => {
    server.middlewares.use((request, _response, next) => {
      const url = request.url ?? '/';
      if (isSignIn(url)) request.url = '/auth.html';
      next();
    });
  },
  transformIndexHtml: (html) => {
    const config = JSON.stringify({
      productName: 'Lanternrock',
      backendUrl: '',
      anonKey,
      build: '',
      features,
    });
    return html
      .replace(
        /(<script type="application\/json" id="runtime-config">)[^<]*/,
        (_all, tag: string) => tag + config,
      )
      .replaceAll('__PRODUCT_NAME__', 'Lanternrock');
  },
});
