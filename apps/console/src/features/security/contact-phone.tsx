/** The phone number at which the current administrator can be called. It is not a sign-in method. */
import { contactLimits, type OwnPhoneResponse, ownPhoneSchema } from '@lanternrock/contract/account-contacts';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import Phone from 'lucide-react/icons/phone';
import { type ReactNode, useState } from 'react';
import type * as z from 'zod/mini';
import { errorMessage } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { FormField } from '../../forms/form-field.tsx';
import { useIsAdministrator } from '../../session/use-session.tsx';
import { Button } from '../../ui/button.tsx';
import { securityQueryKey } from './security-queries.ts';
import { securityText } from './security-text.ts';
import { SettingsListItem } from './settings-list.tsx';

const text = securityText.contactPhone;

const ownPhoneQuery = queryOptions({
  queryKey: [...securityQueryKey, 'own-phone'],
  queryFn: () => callFunction('own-phone', {}),
});

/** Renders nothing for other users: only administrators are on the emergency sheet. */
export function ContactPhone(): ReactNode {
  return useIsAdministrator().state === 'yes' ? <ContactPhoneItem /> : null;
}

function ContactPhoneItem(): React.JSX.Element {
  const { data, error } = useQuery(ownPhoneQuery);
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const phone = data?.phone_text ?? null;
  const unknown = error === null ? text.loading : text.loadFailed;
  return (
    <>
      <SettingsListItem
        icon={<Phone />}
        name={phone ?? (data === undefined ? unknown : text.none)}
        details={text.details}
        actions={
          // The field would start without the number.
          <Button
            variant="outline"
            size="sm"
            aria-label={text.changePhone}
            disabled={data === undefined}
            onClick={() => setOpen(true)}
          >
            {text.change}
          </Button>
        }
      />
      <FormDialog<z.input<typeof ownPhoneSchema>, z.output<typeof ownPhoneSchema>, OwnPhoneResponse>
        open={open}
        onClose={() => setOpen(false)}
        title={text.title}
        size="md"
        schema={ownPhoneSchema}
        defaults={{ phone: phone ?? '' }}
        closesUnchanged
        action="change-contact-phone"
        repeatable
        send={(input) => callFunction('set-own-phone', { phone: input.phone ?? '' })}
        done={(response) => {
          client.setQueryData(ownPhoneQuery.queryKey, response);
          return {
            title: text.done,
            description:
              response.phone_text === null
                ? text.removedDescription
                : text.doneDescription(response.phone_text),
          };
        }}
        fieldErrors={(thrown) => ({ phone: errorMessage(thrown) })}
        submitLabel={text.save}
        pendingLabel={text.saving}
      >
        {(form) => (
          <FormField
            form={form}
            name="phone"
            label={text.field}
            helpText={text.help}
            inputMode="tel"
            autoComplete="tel"
            spellCheck={false}
            maxLength={2 * contactLimits.phone}
          />
        )}
      </FormDialog>
    </>
  );
}
