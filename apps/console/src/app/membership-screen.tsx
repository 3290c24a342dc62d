/** Says what a member of an account can do. Opens after an invitation as a member is accepted. */
import { Link } from '@tanstack/react-router';
import { runtimeConfig } from '../api/backend.ts';
import { errorMessage } from '../api/errors.ts';
import { requestSignOut, useSignOut } from '../session/sign-out.ts';
import { useIsAdministrator, useMemberships } from '../session/use-session.tsx';
import { DemonstrationBanner } from '../shared/demonstration-banner.tsx';
import { Button, buttonStyle } from '../ui/button.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Logo } from '../ui/logo.tsx';
import { QuotedText, quoted } from '../ui/quoted-text.tsx';
import { screenTitleId } from '../ui/screen-header.tsx';
import { LoadingScreen } from '../ui/spinner.tsx';

const text = {
  title: (accounts: readonly string[]): string => {
    const [first] = accounts;
    if (first === undefined) return 'You are not a member of an account';
    return accounts.length === 1
      ? `You are a member of ${quoted(first)}`
      : `You are a member of ${accounts.length} accounts`;
  },
  list: 'Your accounts',
  rights: (count: number, product: string) =>
    `You can see the details of your ${count === 1 ? 'account' : 'accounts'}, and manage your own sign-in. Administrators of ${quoted(product)} manage the rest: accounts, members and invitations.`,
  noAccount: (product: string) =>
    `You can sign in, but you see no account: you are not a member of one, or your membership has ended. Administrators of ${quoted(product)} can add you to an account, or extend your membership.`,
  help: 'If something is wrong or missing, ask the administrator who invited you.',
  administrator: 'You are also an administrator.',
  view: (count: number) => (count === 1 ? 'View your account' : 'View your accounts'),
  console: 'Open the console',
  signOut: 'Sign Out',
  signingOut: 'Signing out...',
  failed: 'Your memberships could not be loaded',
};

export function MembershipScreen(): React.JSX.Element {
  const { accounts, error, retrying, retry } = useMemberships();
  if (accounts === undefined && error === null) return <LoadingScreen />;
  return (
    <div className="flex min-h-svh flex-col">
      <DemonstrationBanner />
      <main className="grid grow place-content-center justify-items-center p-6">
        <div className="grid w-full max-w-md gap-4">
          <p className="flex min-w-0 items-center gap-2.5 text-base font-semibold">
            <Logo className="size-8 shrink-0 text-primary" />
            <span translate="no" className="min-w-0 truncate">
              {runtimeConfig.productName}
            </span>
          </p>
          {accounts === undefined ? (
            <ErrorState
              title={text.failed}
              description={errorMessage(error)}
              onRetry={retry}
              retrying={retrying}
            />
          ) : (
            <Rights accounts={accounts} />
          )}
          <Actions count={accounts?.length ?? 0} />
        </div>
      </main>
    </div>
  );
}

function Rights({ accounts }: { accounts: readonly string[] }): React.JSX.Element {
  const { productName } = runtimeConfig;
  const count = accounts.length;
  return (
    <>
      <h1
        id={screenTitleId}
        tabIndex={-1}
        className="text-2xl leading-8 font-semibold tracking-tight wrap-anywhere"
      >
        <QuotedText>{text.title(accounts)}</QuotedText>
      </h1>
      {count > 1 && (
        <ul aria-label={text.list} className="grid list-disc gap-1 pl-5 text-sm wrap-anywhere">
          {accounts.map((name, index) => (
            // Two accounts can have the same name.
            <li key={index}>
              <bdi translate="no">{name}</bdi>
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm leading-6">
        <QuotedText>{count === 0 ? text.noAccount(productName) : text.rights(count, productName)}</QuotedText>
      </p>
      <p className="text-sm leading-6 text-muted">{text.help}</p>
    </>
  );
}

/** An administrator can be a member, too. */
function Actions({ count }: { count: number }): React.JSX.Element {
  const isAdministrator = useIsAdministrator().state === 'yes';
  const signOut = useSignOut();
  return (
    <>
      {isAdministrator && <p className="text-sm leading-6">{text.administrator}</p>}
      <div className="flex flex-wrap gap-3">
        {(isAdministrator || count > 0) && (
          <Link to="/admin/accounts" className={buttonStyle()}>
            {isAdministrator ? text.console : text.view(count)}
          </Link>
        )}
        <Button
          // Primary if it is the only one.
          variant={isAdministrator || count > 0 ? 'outline' : 'default'}
          pending={signOut === 'running'}
          pendingLabel={text.signingOut}
          onClick={() => requestSignOut()}
        >
          {text.signOut}
        </Button>
      </div>
    </>
  );
}
