/** Development server: selects the document for each path and inserts the runtime configuration. */
// A relative path, because Vite does not bundle packages into its configuration.
import { features } from '../../../packages/contract/src/runtime.ts';
import type { Plugin } from 'vite';

const isSignIn = (url: string): boolean => /^\/auth(?:\/callback|\/set-password)?\/?(?:[?#]|$)/.test(url);

/** Stores the session once per user, so that signing out in the console works. */
const storeSession = (session: string): string => `<script>
  const session = ${session.replaceAll('<', '\\u003c')};
  if (localStorage.getItem('dev_user') !== session.user.id) {
    localStorage.setItem('dev_user', session.user.id);
    localStorage.setItem('sb-' + location.hostname.split('.')[0] + '-auth-token', JSON.stringify(session));
  }
</script>`;

/**
 * @param anonKey the publishable key of the running service
 * @param session JSON of the session with which the first visit is signed in; empty for none
 */
export const devServerDocuments = (anonKey: string, session: string): Plugin => ({
  name: 'lanternrock:development-documents',
  apply: 'serve',
  configureServer: (server) => {
    server.middlewares.use((request, _response, next) => {
      const url = request.url ?? '/';
      if (isSignIn(url)) request.url = '/auth.html';
      next();
    });
  },
  transformIndexHtml: (html, { filename }) => {
    const config = JSON.stringify({
      productName: 'Lanternrock',
      backendUrl: '',
      anonKey,
      siteUrl: '',
      build: '',
      features: features.filter((feature) => feature !== 'demonstration'),
    });
    const signIn = session !== '' && filename.endsWith('index.html') ? storeSession(session) : '';
    return html
      .replace(
        /(<script type="application\/json" id="runtime-config">)[^<]*/,
        (_all, tag: string) => signIn + tag + config,
      )
      .replaceAll('__PRODUCT_NAME__', 'Lanternrock');
  },
});
