/** Which steps of the setup of a new instance are done. Read from the data of each step: nothing is stored about it. */
import { type SetupStep, setupSteps, type SetupStepsResponse } from '@lanternrock/contract/setup-steps';
import { type Transaction, sql } from '@lanternrock/postgres';
import { defaultAdministratorName, type Config } from '../config/settings.ts';
import { hasOperatorSender } from '../mail/sender.ts';

interface SetupState {
  readonly full_name: string | null;
  readonly has_sender: boolean;
  readonly has_second_factor: boolean;
  readonly has_second_administrator: boolean;
  readonly has_account: boolean;
  readonly invitation_pending: boolean;
  readonly is_new: boolean;
}

/** Reads the steps for the user of the claims. Each subquery stops at the first row that decides it. */
export async function readSetupSteps(tx: Transaction, config: Config): Promise<SetupStepsResponse> {
  const [state] = await tx.query<SetupState & Record<string, unknown>>(
    sql`select btrim(p.full_name) as full_name,
          exists (select from public.notification_settings) as has_sender,
          u.has_verified_factor as has_second_factor,
          exists (select from private.active_administrators a where a.id <> u.id) as has_second_administrator,
          exists (select from public.accounts) as has_account,
          exists (
            select from private.invitations i where i.status = 'pending' and i.expires_at > now()
          ) as invitation_pending,
          coalesce(
            (select min(m.applied_at) from platform.migrations m) > now() - interval '30 days', false) as is_new
        from auth.users u left join public.profiles p on p.id = u.id where u.id = auth.uid()`,
  );
  if (!state) return { is_new: false, done: [], invitation_pending: false };
  const isDone: Readonly<Record<SetupStep, boolean>> = {
    name: hasName(state.full_name),
    mail_server: config.SMTP_URL !== '',
    sender: state.has_sender || hasOperatorSender(config),
    second_factor: state.has_second_factor,
    second_administrator: state.has_second_administrator,
    first_account: state.has_account,
  };
  return {
    is_new: state.is_new,
    done: setupSteps.filter((step) => isDone[step]),
    invitation_pending: state.invitation_pending,
  };
}

/** The first administrator has the default name until they enter theirs. */
const hasName = (fullName: string | null): boolean =>
  fullName !== null && fullName !== '' && fullName !== defaultAdministratorName;
