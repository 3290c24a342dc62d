/** Dialog that starts or stops requiring a second factor of all administrators. */
import { gracePeriodDays, type SecondFactorRequirement } from '@lanternrock/contract/administrators';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type RefObject, useState } from 'react';
import * as z from 'zod/mini';
import { administratorsQuery, sendRequirement } from './administrator-queries.ts';
import { errorMessage } from '../../api/errors.ts';
import { serverTimeMs } from '../../api/server-clock.ts';
import { secondFactorRequirementQuery } from '../../shared/second-factor-requirement.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { FormField } from '../../forms/form-field.tsx';
import { useDialogAction } from '../../forms/use-dialog-action.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Alert } from '../../ui/alert.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { formatDateTime } from '../../ui/format-time.ts';
import { administratorName } from './administrators-filter.ts';
import { secondFactorText as text } from './administrator-text.ts';
import { QuotedText } from '../../ui/quoted-text.tsx';

interface RequirementDialogProps {
  open: boolean;
  returnFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}

const graceSchema = z.object({
  grace: z.pipe(
    z.string().check(
      z.trim(),
      z.refine((days) => /^\d{1,2}$/.test(days) && Number(days) <= gracePeriodDays.maximum, {
        error: text.invalidGrace,
      }),
    ),
    z.transform(Number),
  ),
});

export function SecondFactorRequirementDialog(props: RequirementDialogProps): React.JSX.Element {
  const query = useQuery(secondFactorRequirementQuery);
  const [requirement, setRequirement] = useState(query.data);
  // Keep an open dialog: a refetch, also after a failed request, must not replace it while its toast offers Retry.
  if (query.data !== requirement && (!props.open || requirement === undefined)) setRequirement(query.data);
  if (requirement === undefined) return <LoadingDialog {...props} query={query} />;
  return requirement.due_at === null ? (
    <StartDialog {...props} requirement={requirement} />
  ) : (
    <StopDialog {...props} dueAt={requirement.due_at} />
  );
}

function LoadingDialog({
  open,
  returnFocus,
  onClose,
  query,
}: RequirementDialogProps & { query: UseQueryResult }): React.JSX.Element {
  return (
    <Dialog
      inUrl
      open={open}
      title={text.title}
      size="md"
      finalFocus={returnFocus}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      {query.isError ? (
        <ErrorState
          title={text.loadFailed}
          description={errorMessage(query.error)}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      ) : (
        <div className="grid place-content-center py-6">
          <Spinner size="lg" label="Loading" />
        </div>
      )}
    </Dialog>
  );
}

const useRefreshRequirement = (): (() => Promise<unknown>) => {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: secondFactorRequirementQuery.queryKey });
};

const maxNames = 5;

/** Returns sentences about the administrators without a second factor; null while the list is not loaded. */
const useMissingFactors = (): string | null => {
  const { data } = useQuery(administratorsQuery);
  if (data === undefined) return null;
  const without = data.filter(({ status, second_factor: factor }) => status === 'active' && !factor);
  const missing = without.filter(({ passkey }) => !passkey).map(administratorName);
  const onlyPasskey = without.filter(({ passkey }) => passkey).map(administratorName);
  return [
    missing.length === 0
      ? text.allHaveOne(onlyPasskey.length > 0)
      : text.missing(missing.slice(0, maxNames), missing.length),
    ...(onlyPasskey.length === 0
      ? []
      : [text.onlyPasskey(onlyPasskey.slice(0, maxNames), onlyPasskey.length)]),
  ].join(' ');
};

/** The service rejects the requirement of an administrator without a second factor, or who did not use their passkey. */
function OwnFactorNotice({
  requirement,
}: {
  requirement: SecondFactorRequirement;
}): React.JSX.Element | null {
  if (requirement.second_factor || requirement.met) return null;
  if (requirement.passkey) return <Alert title={text.ownUnused}>{text.ownHelp}</Alert>;
  return (
    <Alert title={text.ownMissing}>
      <Link to="/admin/me/security" className="rounded-sm text-primary underline underline-offset-2">
        {text.addOwn}
      </Link>
    </Alert>
  );
}

function StartDialog({
  open,
  returnFocus,
  onClose,
  requirement,
}: RequirementDialogProps & { requirement: SecondFactorRequirement }): React.JSX.Element {
  const refresh = useRefreshRequirement();
  const missing = useMissingFactors();
  return (
    <FormDialog
      inUrl
      open={open}
      onClose={onClose}
      title={text.title}
      description={text.description}
      size="md"
      finalFocus={returnFocus}
      schema={graceSchema}
      defaults={{ grace: String(gracePeriodDays.default) }}
      action="set-second-factor-requirement"
      repeatable
      send={({ grace }, signal) => sendRequirement({ required: true, grace_days: grace }, signal)}
      done={({ due_at: dueAt }) => ({
        title: text.started,
        ...(dueAt === null ? {} : { description: text.startedDescription(formatDateTime(dueAt)) }),
      })}
      failed={text.failed}
      onSettled={refresh}
      submitLabel={text.submit}
      pendingLabel={text.submitting}
    >
      {(form) => (
        <>
          <OwnFactorNotice requirement={requirement} />
          {missing !== null && (
            <p className="text-sm wrap-anywhere">
              <QuotedText>{missing}</QuotedText>
            </p>
          )}
          <FormField
            form={form}
            name="grace"
            inputMode="numeric"
            label={text.grace}
            helpText={text.graceHelp}
          />
        </>
      )}
    </FormDialog>
  );
}

function StopDialog({
  open,
  returnFocus,
  onClose,
  dueAt,
}: RequirementDialogProps & { dueAt: string }): React.JSX.Element {
  const refresh = useRefreshRequirement();
  const missing = useMissingFactors();
  const { pending, submit, cancel } = useSubmit({
    action: 'set-second-factor-requirement',
    send: (_, signal) => sendRequirement({ required: false }, signal),
    repeatable: true,
    done: () => {
      onClose();
      return { title: text.stopped, description: text.stoppedDescription };
    },
    failed: text.failed,
    onSettled: refresh,
  });
  useDialogAction(open, cancel);
  return (
    <ConfirmDialog
      inUrl
      open={open}
      title={text.stopTitle}
      description={[text.stopDescription(formatDateTime(dueAt), Date.parse(dueAt) <= serverTimeMs()), missing]
        .filter((sentence) => sentence !== null)
        .join(' ')}
      confirmLabel={text.stop}
      pending={pending}
      pendingLabel={text.submitting}
      finalFocus={returnFocus}
      onCancel={onClose}
      onConfirm={() => void submit()}
    />
  );
}
