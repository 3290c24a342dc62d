/** Recovery codes: how many are left, and making them. */
import { useQuery } from '@tanstack/react-query';
import LifeBuoy from 'lucide-react/icons/life-buoy';
import { useState } from 'react';
import { auth } from '../../backend-auth.ts';
import { Button } from '../../ui/button.tsx';
import { settled } from './auth-calls.ts';
import { Item, ItemList } from './item-list.tsx';
import { Question } from './question.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { Loaded, Section, SectionNote } from './section.tsx';
import { ownUserQuery, type RecoveryCodesLeft, recoveryCodesQuery } from './security-queries.ts';
import { securityText } from './security-text.ts';
import { useAct } from './use-act.ts';

const text = securityText.recovery;
const headingId = 'security-recovery';
/** From here on the page says that they run out. */
const few = 3;

export function RecoverySection(): React.JSX.Element {
  const user = useQuery(ownUserQuery);
  const hasFactor = (user.data?.factors.length ?? 0) > 0;
  const query = useQuery({ ...recoveryCodesQuery, enabled: hasFactor });
  const [replacing, setReplacing] = useState<RecoveryCodesLeft>();
  const [codes, setCodes] = useState<readonly string[]>();
  const creates = useAct<undefined, readonly string[]>({
    run: async () => (await settled(auth.mfa.recoveryCodes.generate())).codes,
    failed: text.failed,
    onDone: (_input, made) => setCodes(made),
  });
  const replaces = useAct<RecoveryCodesLeft, readonly string[]>({
    run: async () => (await settled(auth.mfa.recoveryCodes.regenerate())).codes,
    failed: text.failed,
    onDone: (_input, made) => setCodes(made),
  });
  const left = hasFactor ? query.data : undefined;
  return (
    <Section
      id={headingId}
      title={text.title}
      description={text.description}
      action={
        left !== undefined && left !== null ? (
          <Button variant="outline" size="sm" onClick={() => setReplacing(left)}>
            {text.regenerate}
          </Button>
        ) : (
          left === null && (
            <Button
              size="sm"
              pending={creates.isPending}
              pendingLabel={text.creating}
              onClick={() => creates.mutate(undefined)}
            >
              {text.create}
            </Button>
          )
        )
      }
    >
      {user.data !== undefined && !hasFactor ? (
        <SectionNote>{text.needsFactor}</SectionNote>
      ) : (
        // Without the person's factors nothing is known here either; that failure shows above.
        !(user.data === undefined && user.isError) && (
          <Loaded query={query} failed={text.loadFailed} rows={1}>
            {(found) =>
              found === null ? <SectionNote>{text.none}</SectionNote> : <CodesLeft left={found} />
            }
          </Loaded>
        )
      )}
      <Question
        subject={replacing}
        onClose={() => setReplacing(undefined)}
        title={() => text.regenerateTitle}
        description={() => text.regenerateDescription}
        confirmLabel={text.regenerateConfirm}
        pendingLabel={text.creating}
        act={replaces}
        headingId={headingId}
      />
      <RecoveryCodesDialog codes={codes} email={user.data?.email ?? ''} onClose={() => setCodes(undefined)} />
    </Section>
  );
}

function CodesLeft({ left }: { left: RecoveryCodesLeft }): React.JSX.Element {
  return (
    <ItemList label={text.title}>
      <Item
        icon={<LifeBuoy />}
        name={text.remaining(left.remaining, left.total)}
        details={left.remaining <= few ? <span className="text-destructive">{text.few}</span> : text.enough}
      />
    </ItemList>
  );
}
