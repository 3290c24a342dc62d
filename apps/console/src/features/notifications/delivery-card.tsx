/** Whether mails will arrive: the sender's domain in the DNS, and a mail to try it. */
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
        {/* Another domain makes an earlier answer untrue. */}
        <DomainCheck key={domain ?? ''} />
        <TestMail />
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
          helpText={text.selectorHint}
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
      <div aria-live="polite">{check.data !== undefined && <DomainRecords answer={check.data} />}</div>
    </div>
  );
}

const testOutcome = ({ success, kept, to }: TestEmailResponse): string => {
  if (!success) return text.testRefused(to);
  return kept ? text.testKept : text.testSent(to);
};

/** The answer comes below the page's last button, where the window may end. */
const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

/** The answer stays on the page: the mail server's words are there to be passed on. */
function TestMail(): React.JSX.Element {
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
        <div ref={intoView} className="scroll-mb-6">
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
