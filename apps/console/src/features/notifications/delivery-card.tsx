/** Tests email delivery: checks the DNS records of the sender domain, and sends a test email. */
import { zodResolver } from '@hookform/resolvers/zod';
import {
  dkimSelectorSchema,
  type SenderDomainResponse,
  type TestEmailResponse,
} from '@lanternrock/contract/notification-settings';
import { useForm } from 'react-hook-form';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '../../ui/card.tsx';
import { formatDateTime } from '../../ui/format-time.ts';
import { FormField } from '../../forms/form-field.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { DomainRecords } from './domain-records.tsx';
import { checkDomain, sendTestEmail } from './notifications-queries.ts';
import { notificationsText } from './notifications-text.ts';
import { QuotedText } from '../../ui/quoted-text.tsx';

const text = notificationsText.delivery;

export function DeliveryCard({ domain }: { domain: string | undefined }): React.JSX.Element {
  return (
    <Card className="max-w-3xl" aria-labelledby="email-delivery">
      <CardHeader>
        <CardTitle id="email-delivery">{text.title}</CardTitle>
        <CardDescription>
          <QuotedText>{text.description(domain)}</QuotedText>
        </CardDescription>
      </CardHeader>
      <CardContent className="grid gap-5">
        {/* The key discards the result for a previous domain. */}
        <DomainCheck key={domain ?? ''} />
        <TestEmail />
      </CardContent>
    </Card>
  );
}

function DomainCheck(): React.JSX.Element {
  const form = useForm({ resolver: zodResolver(dkimSelectorSchema), defaultValues: { selector: '' } });
  const { pending, result, submit } = useSubmit<string, SenderDomainResponse>({
    action: 'check-domain',
    send: checkDomain,
    failed: text.checkFailed,
  });
  const handleSubmit = form.handleSubmit(({ selector }) => submit(selector ?? ''));
  return (
    <div>
      <form noValidate onSubmit={(event) => void handleSubmit(event)} className="grid gap-4">
        <FormField
          form={form}
          name="selector"
          label={text.selector}
          helpText={text.selectorHelp}
          spellCheck={false}
          autoCapitalize="none"
        />
        <div>
          <Button type="submit" variant="outline" pending={pending} pendingLabel={text.checking}>
            {text.check}
          </Button>
        </div>
      </form>
      <div aria-live="polite">{result !== undefined && <DomainRecords response={result} />}</div>
    </div>
  );
}

const testOutcome = ({ success, kept, to, retry_at: retryAt }: TestEmailResponse): string => {
  if (!success) return retryAt === undefined ? text.testNotSent(to) : text.testUnconfirmed(to);
  return kept ? text.testCaptured : text.testSent(to);
};

/** Scrolls to the result, because it appears below the last button of the page. */
const scrollIntoView = (element: HTMLElement | null): void => {
  // Not returned: newer browsers return a promise, and React expects a cleanup function or nothing.
  element?.scrollIntoView({ block: 'nearest' });
};

/** Shows the result in the page instead of a toast, so that the response of the mail server can be copied. */
function TestEmail(): React.JSX.Element {
  const { pending, result, submit } = useSubmit<void, TestEmailResponse>({
    action: 'send-test',
    send: sendTestEmail,
    repeatable: true,
    failed: text.testFailed,
  });
  return (
    <div className="grid gap-4 border-t border-border pt-5">
      <div>
        <Button variant="outline" pending={pending} pendingLabel={text.testing} onClick={() => void submit()}>
          {text.test}
        </Button>
      </div>
      {result !== undefined && (
        <div ref={scrollIntoView} className="scroll-mb-6">
          <Alert
            role={result.success ? 'status' : 'alert'}
            variant={result.success ? 'default' : 'destructive'}
            title={testOutcome(result)}
          >
            {!result.kept && result.answer !== null && result.answer !== '' && (
              <p translate="no" className="wrap-anywhere">
                {result.answer}
              </p>
            )}
            {result.retry_at !== undefined && <p>{text.testRetry(formatDateTime(result.retry_at))}</p>}
          </Alert>
        </div>
      )}
    </div>
  );
}
