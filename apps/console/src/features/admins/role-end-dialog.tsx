/** Dialog for the end date of a role. */
import type { AdministratorDetails } from '@lanternrock/contract/administrators';
import { type RefObject, useState } from 'react';
import { serverNow } from '../../api/server-clock.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { FormField } from '../../forms/form-field.tsx';
import { Button } from '../../ui/button.tsx';
import { formatDateTime, timeZoneName } from '../../ui/format-time.ts';
import { toTimeInput } from '../../ui/input-time.ts';
import { sendRoleEnd, useRefreshAdministrators } from './administrator-queries.ts';
import { administratorText } from './administrator-text.ts';
import { endPresets, roleEndSchema } from './role-end.ts';

const text = administratorText.dialog;

interface RoleEndDialogProps {
  open: boolean;
  name: string;
  administrator: AdministratorDetails;
  returnFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}

export function RoleEndDialog(props: RoleEndDialogProps): React.JSX.Element {
  const { name, administrator } = props;
  const refresh = useRefreshAdministrators();
  // The suggestions must not change while the user reads them.
  const [presets] = useState(() => endPresets(serverNow()));
  const { ends_at: endsAt } = administrator;
  return (
    <FormDialog
      open={props.open}
      onClose={props.onClose}
      title={text.title(name)}
      description={text.description}
      size="md"
      finalFocus={props.returnFocus}
      schema={roleEndSchema}
      defaults={{ until: endsAt === null ? '' : toTimeInput(new Date(endsAt)) }}
      action="set-administrator-end"
      repeatable
      closesUnchanged
      confirmsClose
      send={({ until }, signal) => sendRoleEnd(administrator.user_id, until, signal)}
      done={(_, { until }) => ({
        title: text.saved,
        description: until === null ? text.savedNone(name) : text.savedUntil(name, formatDateTime(until)),
      })}
      failed={text.failed}
      onSettled={refresh}
      submitLabel={text.submit}
      pendingLabel={text.submitting}
    >
      {(form) => (
        <>
          <FormField
            form={form}
            name="until"
            type="datetime-local"
            label={text.until}
            helpText={text.timeZone(timeZoneName())}
          />
          <div role="group" aria-label={text.presets} className="flex flex-wrap gap-2">
            {presets.map(({ label, value }) => (
              <Button
                key={label}
                variant="outline"
                size="sm"
                onClick={() => form.setValue('until', value, { shouldDirty: true, shouldValidate: true })}
              >
                {label}
              </Button>
            ))}
          </div>
        </>
      )}
    </FormDialog>
  );
}
