/** Renders the HTML of the sign-in document at build time. The service replaces the product name token. */
import { renderToString } from 'react-dom/server';
import { AuthApp } from './auth-app.tsx';

export const prerenderAuth = (productNameToken: string): string =>
  renderToString(<AuthApp productName={productNameToken} />);
