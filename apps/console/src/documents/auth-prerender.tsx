/** Run by the build: the sign-in document's HTML, with a token where the server puts the product's name. */
import { renderToString } from 'react-dom/server';
import { AuthApp } from './auth-app.tsx';

export const prerenderAuth = (productNameToken: string): string =>
  renderToString(<AuthApp productName={productNameToken} />);
