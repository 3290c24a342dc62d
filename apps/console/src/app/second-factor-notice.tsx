/**
 * Leads an administrator without a second factor to its setup, or to the sign-in with their passkey, while one is required:
 * by a banner in the grace period, and by a dialog that covers the console after it. The database enforces the requirement.
 */
import type { SecondFactorRequirement } from '@lanternrock/contract/administrators';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import ShieldAlert from 'lucide-react/icons/shield-exclamation-point';
import { useEffect, useRef, useState } from 'react';
import { serverTimeMs } from '../api/server-clock.ts';
import { secondFactorRequirementQuery } from '../shared/second-factor-requirement.ts';
import { AuthenticatorAppDialog } from '../features/security/authenticator-app-dialog.tsx';
import { SecurityKeyDialog } from '../features/security/security-key-dialog.tsx';
import { authSettingsQuery } from '../features/security/security-queries.ts';
import { PasskeyDialog } from './passkey-dialog.tsx';
import { requestSignOut } from '../session/sign-out.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { formatRelativeTime } from '../ui/format-relative-time.ts';
import { formatDateTime } from '../ui/format-time.ts';
import { useNow } from '../ui/relative-time.tsx';

const text = {
  banner: 'Administrators need a second factor',
  time: (time: string) => `from ${time},`,
  relative: (relative: string) => `${relative}.`,
  setUp: 'Set up a second factor',
  withPasskey: 'From then on, sign in with your passkey. It counts as one.',
  title: 'Set up a second factor to continue',
  description:
    'All administrators must use a second factor, such as an app on your phone. You can use the console after you set one up.',
  addApp: 'Set up an authenticator app',
  addKey: 'Add a security key',
  signOut: 'Sign Out',
} as const;

interface SecondFactorNoticeProps {
  open: boolean;
  /** Undefined if the requirement does not concern the user. */
  requirement: SecondFactorRequirement | undefined;
}

export function SecondFactorNotice({ requirement }: SecondFactorNoticeProps): React.JSX.Element | null {
  if (requirement === undefined || requirement.due_at === null) return null;
  const { due_at: dueAt, passkey, met, blocked } = requirement;
  if (blocked) return passkey ? <PasskeyDialog /> : <SetupDialog />;
  return met ? null : <Banner dueAt={dueAt} passkey={passkey} />;
}

interface BannerProps {
  dueAt: string;
  /** The user has a passkey that counts as two factors. */
  passkey: boolean;
}

function Banner({ dueAt, passkey }: BannerProps): React.JSX.Element {
  const now = useNow();
  const client = useQueryClient();
  useEffect(() => {
    // The longest timeout of browsers is 24 days; a later end is noticed when the window gets the focus.
    const delayMs = Math.min(Math.max(new Date(dueAt).getTime() - serverTimeMs(), 0) + 1000, 2 ** 31 - 1);
    const timer = setTimeout(() => {
      void client.invalidateQueries({ queryKey: secondFactorRequirementQuery.queryKey });
    }, delayMs);
    return () => clearTimeout(timer);
  }, [client, dueAt]);
  return (
    // In the header, because it appears after the content and must not move it. Two lines at most, three in a narrow window.
    <div
      role="status"
      className="flex min-w-0 items-center gap-2 rounded-md bg-warning-subtle px-2 text-xs leading-4 text-foreground sm:px-3 sm:py-0.5"
    >
      <ShieldAlert aria-hidden className="size-4 shrink-0 text-accent-strong max-sm:hidden" />
      <p>
        {text.banner} <span className="max-sm:sr-only">{text.time(formatDateTime(dueAt))}</span>{' '}
        {text.relative(formatRelativeTime(dueAt, now))}{' '}
        {passkey ? (
          text.withPasskey
        ) : (
          <Link
            to="/admin/me/security"
            search={{ add: 'app' }}
            className="rounded-sm font-medium underline underline-offset-4"
          >
            {text.setUp}
          </Link>
        )}
      </p>
    </div>
  );
}

function SetupDialog(): React.JSX.Element {
  const { data: settings } = useQuery(authSettingsQuery);
  const [adding, setAdding] = useState<'app' | 'key'>();
  const addApp = useRef<HTMLButtonElement>(null);
  const dialog = { inUrl: false, onClose: () => setAdding(undefined), usedNames: [] };
  return (
    <>
      <Dialog
        open={adding === undefined}
        dismissible={false}
        onOpenChange={() => undefined}
        title={text.title}
        description={text.description}
        initialFocus={addApp}
      >
        <DialogActions>
          <Button variant="outline" onClick={() => requestSignOut()}>
            {text.signOut}
          </Button>
          {settings?.passkeys === true && (
            <Button variant="outline" onClick={() => setAdding('key')}>
              {text.addKey}
            </Button>
          )}
          <Button ref={addApp} onClick={() => setAdding('app')}>
            {text.addApp}
          </Button>
        </DialogActions>
      </Dialog>
      <AuthenticatorAppDialog open={adding === 'app'} {...dialog} />
      <SecurityKeyDialog open={adding === 'key'} {...dialog} />
    </>
  );
}
