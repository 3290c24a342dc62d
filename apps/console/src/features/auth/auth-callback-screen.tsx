/** /auth/callback: redeems the link of an email and opens the next screen. */
import { useEffect, useState } from 'react';
import { goToConsole, useAuthNavigation } from './auth-navigation.ts';
import { fromAuthError } from '../../api/errors.ts';
import { loadAuthService } from './load-auth-service.ts';
import {
  isMemberLink,
  isPasswordSetupRequested,
  clearPasswordSetupMarker,
  hasPasswordSetupMarker,
  setPasswordSetupMarker,
  type SetupPurpose,
} from '../../session/password-setup-marker.ts';
import { LoadingScreen } from '../../ui/spinner.tsx';
import { Button } from '../../ui/button.tsx';
import { queueToast } from '../../ui/queued-toasts.ts';
import {
  type CallbackLink,
  selectNextPath,
  shouldIgnoreLink,
  findLinkConfirmation,
  parseCallbackLink,
} from './callback-link.ts';
import { getLinkErrorMessage, toLinkErrorToast, getTokenErrorMessage } from './callback-link-messages.ts';

export const callbackText = 'Completing authentication...';

type Service = Awaited<ReturnType<typeof loadAuthService>>;

const exchange = async (service: Service, link: CallbackLink): Promise<void> => {
  if (link.kind === 'error') throw new Error(getLinkErrorMessage(link.code));
  if (link.kind === 'tokens') await service.setSessionTokens(link.accessToken, link.refreshToken);
  if (link.kind === 'code') await service.exchangeCode(link.code);
  if (link.kind !== 'token-hash') return;
  try {
    await service.exchangeTokenHash(link.tokenHash, link.type);
  } catch (error) {
    throw new Error(getTokenErrorMessage(link, fromAuthError(error)), { cause: error });
  }
};

interface ReceivedLink {
  readonly link: CallbackLink;
  readonly setupFlag: boolean;
  /** The link of an invitation as a member. */
  readonly forMember: boolean;
}

/** Parses the link and removes its tokens from the URL and the history. Call it before anything else. */
const receiveLink = (): ReceivedLink => {
  const link = parseCallbackLink(location.search, location.hash);
  const setupFlag = isPasswordSetupRequested(location.search);
  const forMember = isMemberLink(location.search);
  // The flags survive a reload during the exchange.
  const query = [...(setupFlag ? ['setup=true'] : []), ...(forMember ? ['member=true'] : [])].join('&');
  history.replaceState(null, '', `/auth/callback${query && `?${query}`}`);
  return { link, setupFlag, forMember };
};

const findPurpose = ({ link, forMember }: ReceivedLink): SetupPurpose => {
  if (forMember) return 'member';
  return link.kind === 'token-hash' && link.type === 'invite' ? 'administrator' : 'true';
};

const complete = async (link: CallbackLink, setupFlag: boolean) => {
  const service = await loadAuthService();
  const before = link.kind === 'none' || link.kind === 'token-hash' ? null : await service.checkSession();
  // The stored session may belong to another user.
  if (before?.kind === 'failed') throw before.error;
  if (before?.kind === 'session' && shouldIgnoreLink(link, before.session.user.id)) {
    clearPasswordSetupMarker();
    queueToast({
      action: 'redeem-link',
      title: 'Link ignored',
      description: `The link may belong to another user. You are still signed in as ${before.session.user.email ?? 'before'}.`,
      variant: 'destructive',
    });
    return '/admin/accounts';
  }
  await exchange(service, link);
  const found = await service.checkSession();
  if (found.kind === 'failed') throw found.error;
  return selectNextPath({
    hasSession: found.kind === 'session',
    setupFlag,
    hasMarker: hasPasswordSetupMarker(),
    setupRequired: found.kind === 'session' && found.step === 'set-password',
  });
};

export function AuthCallbackScreen(): React.JSX.Element {
  const { go } = useAuthNavigation();
  /** A link that requires a click of the user first. */
  const [unconfirmed, setUnconfirmed] = useState<UnconfirmedLink | null>(null);
  const [accepted, setAccepted] = useState<ReceivedLink | null>(null);
  useEffect(() => {
    const received = receiveLink();
    const confirmation = findLinkConfirmation(received.link);
    // Set the marker before the exchange, so that it survives a reload during the exchange.
    if (received.setupFlag) setPasswordSetupMarker(findPurpose(received));
    if (confirmation) setUnconfirmed({ ...confirmation, received });
    else setAccepted(received);
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
        // Queue the toast, because the sign-in screen redirects a signed-in user to the console document.
        queueToast({
          action: 'redeem-link',
          ...toLinkErrorToast(error),
          variant: 'destructive',
        });
        go('/auth');
      },
    );
  }, [go, accepted]);
  if (unconfirmed && !accepted)
    return <ConfirmLink unconfirmed={unconfirmed} onAccept={() => setAccepted(unconfirmed.received)} />;
  return <LoadingScreen text={callbackText} />;
}

interface UnconfirmedLink {
  readonly title: string;
  readonly button: string;
  readonly received: ReceivedLink;
}

function ConfirmLink({
  unconfirmed: { title, button },
  onAccept,
}: {
  unconfirmed: UnconfirmedLink;
  onAccept: () => void;
}): React.JSX.Element {
  return (
    <div className="grid min-h-[50svh] flex-1 place-content-center justify-items-center gap-4 p-6 text-center">
      <h1 className="text-lg font-semibold text-foreground">{title}</h1>
      <Button onClick={onAccept}>{button}</Button>
    </div>
  );
}
