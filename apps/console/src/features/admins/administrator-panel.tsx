/** The side panel of an administrator who never had an invitation. */
import type { Administrator } from '@lanternrock/contract/administrators';
import { panelIntervalMs } from '../../shared/panel-interval.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useQuery } from '@tanstack/react-query';
import { administratorsQuery } from './administrator-queries.ts';
import { Detail, DetailList, DetailPanel } from '../../ui/detail-panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AdministratorSection } from './administrator-section.tsx';
import { administratorText as text } from './administrator-text.ts';
import { administratorName } from './administrators-filter.ts';

interface AdministratorPanelProps {
  open: boolean;
  /** User ID; undefined while closed. */
  id: string | undefined;
  onClose: () => void;
}

export function AdministratorPanel({ open, id, onClose }: AdministratorPanelProps): React.JSX.Element {
  const { data } = useQuery({ ...administratorsQuery, refetchInterval: open && panelIntervalMs });
  const found: Administrator | undefined = data?.find((administrator) => administrator.user_id === id);
  return (
    <DetailPanel
      open={open}
      id={id}
      record={found && { ...found, id: found.user_id }}
      nameOf={administratorName}
      unnamed={text.unnamed}
      rowAttribute="data-administrator"
      onClose={onClose}
      fallback={
        data === undefined ? (
          <Skeleton className="h-24 w-full" />
        ) : (
          <p className="text-sm text-muted">{text.notFound}</p>
        )
      }
    >
      {(administrator) => (
        <>
          <div>
            <StatusBadge status={administrator.status} />
          </div>
          <DetailList>
            <Detail name={text.email}>
              <bdi translate="no">{administrator.email}</bdi>
            </Detail>
          </DetailList>
          <AdministratorSection
            key={administrator.id}
            userId={administrator.user_id}
            name={administratorName(administrator)}
          />
        </>
      )}
    </DetailPanel>
  );
}
