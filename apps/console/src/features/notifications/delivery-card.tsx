/** Tests email delivery: checks the DNS records of the sender domain, and sends a test email. */
import { zodResolver } from '@hookform/resolvers/zod';
import { dkimSelectorSchema, type TestEmailResponse } from '@lanternrock/contract/notification-settings';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { errorMessage } from '../../api/errors.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { toast } from '../../ui/toast.ts';
import { DomainRecords } from './domain-records.tsx';
import { checkDomain, sendTestEmail } from './notifications-queries.ts';
import { notificationsText } from './notifications-text.ts';

const text = notificationsText.delivery;

export function DeliveryCard({ domain }: { domain: string | undefined }): React.JSX.Element {
  return (
    <Card className="max-w-3xl" aria-labelledby="email-delivery">
      <CardHeader>
        <CardTitle id="email-delivery">{text.title}</CardTitle>
        <CardDescription>{text.description(domain ?? text.unknownDomain)}</CardDescription>
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
  const check = useMutation({
    mutationFn: checkDomain,
    onError: (error) =>
      toast({
        action: 'check-domain',
        title: text.checkFailed,
        description: errorMessage(error),
        variant: 'destructive',
      }),
  });
  const submit = form.handleSubmit(({ selector }) => check.mutate(selector ?? ''));
  return (
    <div>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <Field
          label={text.selector}
          helpText={text.selectorHelp}
          error={form.formState.errors.selector?.message}
          render={(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              autoCapitalize="none"
              {...form.register('selector')}
            />
          )}
        />
        <div>
          <Button type="submit" variant="outline" pending={check.isPending} pendingLabel={text.checking}>
            {text.check}
          </Button>
        </div>
      </form>
      <div aria-live="polite">{check.data !== undefined && <DomainRecords response={check.data} />}</div>
    </div>
  );
}

const testOutcome = ({ success, kept, to }: TestEmailResponse): string => {
  if (!success) return text.testNotSent(to);
  return kept ? text.testCaptured : text.testSent(to);
};

/** Scrolls to the result, because it appears below the last button of the page. */
const scrollIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

/** Shows the result in the page instead of a toast, so that the response of the mail server can be copied. */
function TestEmail(): React.JSX.Element {
  const test = useMutation({
    mutationFn: sendTestEmail,
    onError: (error) =>
      toast({
        action: 'send-test',
        title: text.testFailed,
        description: errorMessage(error),
        variant: 'destructive',
      }),
  });
  const { data } = test;
  return (
    <div className="grid gap-4 border-t border-border pt-5">
      <div>
        <Button
          variant="outline"
          pending={test.isPending}
          pendingLabel={text.testing}
          onClick={() => test.mutate()}
        >
          {text.test}
        </Button>
      </div>
      {data !== undefined && !test.isPending && (
        <div ref={scrollIntoView} className="scroll-mb-6">
          <Alert
            role={data.success ? 'status' : 'alert'}
            variant={data.success ? 'default' : 'destructive'}
            title={testOutcome(data)}
          >
            {data.answer !== null && data.answer !== '' && <p className="wrap-anywhere">{data.answer}</p>}
          </Alert>
        </div>
      )}
    </div>
  );
}
