/** The page of a browser that does not let the console store data. */
import { createRoot } from 'react-dom/client';
import { DocumentMessage } from './document-error-boundary.tsx';
import type { StorageProblem } from './storage-problem.ts';

const texts = (host: string) => ({
  blocked: {
    title: 'Your browser blocks data for this site',
    help: `Allow cookies and site data for ${host} in your browser settings, then reload this page. A link from an email stays valid.`,
  },
  full: {
    title: 'The storage of this site is full',
    help: `Delete the site data of ${host} in your browser settings, then reload this page. A link from an email stays valid.`,
  },
});

/** Shows what to change. Sends nothing, so a link in the URL stays valid. */
export const showStorageProblem = (root: HTMLElement, problem: StorageProblem): void => {
  document.documentElement.dataset['view'] = 'form';
  const { title, help } = texts(location.host)[problem];
  createRoot(root).render(
    <DocumentMessage>
      <h1 className="text-xl font-semibold">{title}</h1>
      <p className="text-muted">{help}</p>
    </DocumentMessage>,
  );
};
