/** Says that the service has no mail server and sends no email. */
import { isLoopback } from '../api/webauthn-support.ts';
import { hasFeature } from '../api/runtime-config.ts';
import { Alert } from '../ui/alert.tsx';

const text = {
  title: 'No mail server is set up',
  description:
    'Emails are saved in the local mailbox of the service and are not sent. The operator of the service sets the mail server with SMTP_URL.',
  open: 'Open the local mailbox',
} as const;

interface LocalMailboxNoticeProps {
  /** What the user can do meanwhile. */
  advice?: string;
}

export function LocalMailboxNotice({ advice }: LocalMailboxNoticeProps): React.JSX.Element | null {
  if (!hasFeature('local-mailbox')) return null;
  return (
    <div className="max-w-3xl">
      <Alert title={text.title}>
        <p>
          {text.description} {advice}
        </p>
        {/* The service shows the mailbox only to browsers on its own device. */}
        {isLoopback(location.hostname) && (
          <p className="mt-1">
            <a href="/mailbox" className="rounded-sm text-primary underline underline-offset-2">
              {text.open}
            </a>
          </p>
        )}
      </Alert>
    </div>
  );
}
