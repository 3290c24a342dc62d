/** On the development server: the right document for each path, and what the real server writes into it. */
// The path, since Vite bundles nothing of a package into its configuration.
import { features } from '../../../packages/contract/src/runtime.ts';
import type { Plugin } from 'vite';

const isSignIn = (url: string): boolean => /^\/auth(?:\/callback|\/set-password)?\/?(?:[?#]|$)/.test(url);

/** @param backend address of a running service, whose public key is read from ANON_KEY. */
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
