/** Why an account is suspended, in its panel. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQuery } from '@tanstack/react-query';
import { enabledIf } from '../../api/runtime-config.ts';
import { useIsPlatformAdmin } from '../../session/use-session.tsx';
import { Detail } from '../../ui/detail-list.tsx';
import { TimeWithTooltip } from '../../ui/time-with-tooltip.tsx';
import { accountDetailsQuery } from './account-edits.ts';
import { accountText } from './account-text.ts';
import { QuotedText } from '../../ui/quoted-text.tsx';

const text = accountText.status;

export function AccountSuspension({ account }: { account: AccountRow }): React.JSX.Element | null {
  const isShown = useIsPlatformAdmin().state === 'yes' && account.status === 'suspended';
  const { data } = useQuery({ ...accountDetailsQuery(account), ...enabledIf(isShown) });
  const suspension = isShown ? data?.suspension : undefined;
  if (suspension === undefined || suspension === null) return null;
  return (
    <Detail name={text.suspensionReason}>
      <bdi translate="no">{suspension.reason}</bdi>
      <span className="block text-muted">
        {suspension.suspended_by !== null && (
          <QuotedText>{`${text.suspendedBy(suspension.suspended_by)} `}</QuotedText>
        )}
        <TimeWithTooltip value={suspension.suspended_at} relative="past" />
      </span>
    </Detail>
  );
}
