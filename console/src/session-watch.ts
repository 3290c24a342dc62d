/** Notices within seconds that a session was ended elsewhere, also in a tab that nobody touches. */
import { authorizedFetch, backendUrl } from './backend-auth.ts';

/** Milliseconds between two looks of a visible tab; coming back to a tab looks at once. */
const interval = 10_000;

let looking = false;

/**
 * The cheapest call that the service refuses without a live session. The refusal itself ends the
 * session here; any other trouble is for the page's own calls to tell.
 */
const look = async (): Promise<void> => {
  if (looking || document.visibilityState !== 'visible' || !navigator.onLine) return;
  looking = true;
  await authorizedFetch(`${backendUrl}/rest/v1/profiles?select=id&limit=1`, { method: 'HEAD' }).catch(
    () => undefined,
  );
  looking = false;
};

/** @param signedIn whether there is a session to look after. Called once per document. */
export const watchSession = (signedIn: () => boolean): void => {
  const lookWhenSignedIn = (): void => {
    if (signedIn()) void look();
  };
  setInterval(lookWhenSignedIn, interval);
  addEventListener('focus', lookWhenSignedIn);
  document.addEventListener('visibilitychange', lookWhenSignedIn);
};
