/** /auth/callback: completes signing in from a mailed link (specification section 2). */
import { useEffect, useState } from 'react';
import { goToConsole, useAuthNavigation } from './auth-navigation.ts';
import { errorMessage } from '../../api/errors.ts';
import { loadAuthService } from './load-auth-service.ts';
import {
  isPasswordSetupRequested,
  clearPasswordSetupMarker,
  hasPasswordSetupMarker,
  setPasswordSetupMarker,
} from '../../session/password-setup-marker.ts';
import { LoadingScreen } from '../../ui/loading-screen.tsx';
import { Button } from '../../ui/button.tsx';
import { queueToast } from '../../ui/queued-toasts.ts';
import {
  type CallbackLink,
  callbackTarget,
  shouldIgnoreLink,
  questionFor,
  parseCallbackLink,
  linkErrorMessage,
  tokenErrorMessage,
} from './callback-link.ts';

export const callbackText = 'Completing authentication...';

type Service = Awaited<ReturnType<typeof loadAuthService>>;

/** The link could not be used; the message is for the person who opened it. */
class LinkRefused extends Error {}

const exchange = async (service: Service, link: CallbackLink): Promise<void> => {
  if (link.kind === 'none') return;
  if (link.kind === 'refused') throw new LinkRefused(linkErrorMessage(link.code));
  const outcome =
    link.kind === 'token-hash'
      ? await service.exchangeTokenHash(link.tokenHash, link.type)
      : link.kind === 'tokens'
        ? await service.setSessionTokens(link.accessToken, link.refreshToken)
        : await service.exchangeCode(link.code);
  if (outcome.ok) return;
  throw new LinkRefused(
    link.kind === 'token-hash' ? tokenErrorMessage(link, outcome.error) : outcome.error.message,
  );
};

interface TakenLink {
  readonly link: CallbackLink;
  readonly setupFlag: boolean;
}

/** Takes the tokens out of the address bar and the history, before anything else happens. */
const takeLink = (): TakenLink => {
  const link = parseCallbackLink(location.search, location.hash);
  const setupFlag = isPasswordSetupRequested(location.search);
  history.replaceState(null, '', setupFlag ? '/auth/callback?setup=true' : '/auth/callback');
  return { link, setupFlag };
};

const complete = async (link: CallbackLink, setupFlag: boolean) => {
  const service = await loadAuthService();
  // A session that cannot be checked right now must not keep a good link from being used.
  const before = link.kind === 'none' || link.kind === 'token-hash' ? null : await service.checkSession();
  if (before?.kind === 'session' && shouldIgnoreLink(link, before.session.user.id)) {
    clearPasswordSetupMarker();
    queueToast({
      action: 'redeem-link',
      title: 'Link ignored',
      description: `The link belongs to another sign-in. You are still signed in as ${before.session.user.email ?? 'before'}.`,
      variant: 'destructive',
    });
    return '/admin/accounts';
  }
  await exchange(service, link);
  const found = await service.checkSession();
  if (found.kind === 'failed') throw found.error;
  return callbackTarget({
    hasSession: found.kind === 'session',
    setupFlag,
    marker: hasPasswordSetupMarker(),
    setupRequired: found.kind === 'session' && found.step === 'set-password',
  });
};

export function AuthCallbackScreen(): React.JSX.Element {
  const { go } = useAuthNavigation();
  /** A link that waits for a click. */
  const [asked, setAsked] = useState<AskedLink | null>(null);
  const [accepted, setAccepted] = useState<TakenLink | null>(null);
  useEffect(() => {
    const taken = takeLink();
    const question = questionFor(taken.link);
    // Before the exchange, so that a reload in between still knows.
    if (taken.setupFlag) setPasswordSetupMarker();
    if (question) setAsked({ ...question, taken });
    else setAccepted(taken);
  }, []);
  useEffect(() => {
    if (!accepted) return;
    const { link, setupFlag } = accepted;
    complete(link, setupFlag).then(
      (target) => {
        if (target === '/auth') clearPasswordSetupMarker();
        if (target === '/admin/accounts') goToConsole(target);
        else go(target);
      },
      (error: unknown) => {
        clearPasswordSetupMarker();
        // Handed over, because the sign-in screen sends a signed-in user on to the other document.
        queueToast({
          action: 'redeem-link',
          title: 'The link could not be used',
          description: errorMessage(error),
          variant: 'destructive',
        });
        go('/auth');
      },
    );
  }, [go, accepted]);
  if (asked && !accepted) return <LinkConfirmation asked={asked} onAccept={() => setAccepted(asked.taken)} />;
  return <LoadingScreen text={callbackText} />;
}

interface AskedLink {
  readonly title: string;
  readonly button: string;
  readonly taken: TakenLink;
}

function LinkConfirmation({
  asked: { title, button },
  onAccept,
}: {
  asked: AskedLink;
  onAccept: () => void;
}): React.JSX.Element {
  return (
    <div className="grid min-h-[50svh] flex-1 place-content-center justify-items-center gap-4 p-6 text-center">
      <h1 className="text-lg font-semibold text-foreground">{title}</h1>
      <Button onClick={onAccept}>{button}</Button>
    </div>
  );
}
