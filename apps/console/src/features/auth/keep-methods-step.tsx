/** Step after the set-password form that selects the sign-in methods to keep. Loaded only for users who have some. */
import Link2 from 'lucide-react/icons/link-2';
import Smartphone from 'lucide-react/icons/smartphone';
import UserRoundKey from 'lucide-react/icons/user-round-key';
import { useEffect, useId, useRef } from 'react';
import type { SignInMethod } from '@lanternrock/contract/sign-in-methods';
import { AuthForm } from './auth-form.tsx';
import { AuthHeading } from './auth-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Time } from '../../ui/time.tsx';

interface KeepMethodsStepProps {
  email: string;
  methods: readonly SignInMethod[];
  /** IDs of the selected methods. */
  kept: ReadonlySet<string>;
  onKeep: (id: string, keep: boolean) => void;
  onBack: () => void;
  pending: boolean;
  /** Sets the password and keeps the methods with these IDs. */
  onSubmit: (keep: readonly string[]) => void;
}

const kinds = {
  passkey: { name: 'Passkey', plural: 'passkeys', Icon: UserRoundKey },
  identity: { name: 'Linked account', plural: 'linked accounts', Icon: Link2 },
  phone: { name: 'Phone number', plural: 'phone numbers', Icon: Smartphone },
} as const satisfies Record<SignInMethod['kind'], unknown>;

/** Names what the button removes. */
const submitLabel = (removed: readonly SignInMethod[]): string => {
  const [first] = removed;
  if (first === undefined) return 'Set password';
  const { name, plural } = kinds[first.kind];
  const isOneKind = removed.every(({ kind }) => kind === first.kind);
  const noun = removed.length === 1 ? name.toLowerCase() : isOneKind ? plural : 'methods';
  return `Set password, remove ${removed.length} ${noun}`;
};

export function KeepMethodsStep(props: KeepMethodsStepProps): React.JSX.Element {
  const { email, methods, kept, onKeep, onBack, pending, onSubmit } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  // Focus the heading. On the button, a repeated Enter would remove all methods.
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <AuthHeading title="Keep these sign-in methods?" headingRef={heading}>
        You can also sign in as{' '}
        <bdi translate="no" className="font-medium wrap-anywhere text-foreground">
          {email}
        </bdi>{' '}
        with these methods. Select the ones that you added yourself. The others are removed.
      </AuthHeading>
      <AuthForm
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(methods.map(({ id }) => id).filter((id) => kept.has(id)));
        }}
      >
        <ul aria-label="Sign-in methods" className="rounded-md border border-border bg-raised">
          {methods.map((method) => (
            <MethodItem
              key={method.id}
              method={method}
              kept={kept.has(method.id)}
              disabled={pending}
              onKeep={(keep) => onKeep(method.id, keep)}
            />
          ))}
        </ul>
        <Button type="submit" pending={pending} pendingLabel="Setting password..." size="lg" className="mt-1">
          {submitLabel(methods.filter(({ id }) => !kept.has(id)))}
        </Button>
      </AuthForm>
      <div className="mt-2 flex justify-center">
        <Button variant="link" size="inline" disabled={pending} onClick={onBack}>
          Back
        </Button>
      </div>
    </>
  );
}

interface MethodItemProps {
  method: SignInMethod;
  kept: boolean;
  disabled: boolean;
  onKeep: (keep: boolean) => void;
}

function MethodItem({ method, kept, disabled, onKeep }: MethodItemProps): React.JSX.Element {
  const id = useId();
  const { name, Icon } = kinds[method.kind];
  return (
    <li className="border-border not-first:border-t">
      <label htmlFor={id} className="flex min-h-15 cursor-pointer items-center gap-3 px-3 py-2.5">
        <Checkbox
          id={id}
          checked={kept}
          disabled={disabled}
          aria-labelledby={`${id}-name`}
          aria-describedby={`${id}-details`}
          onChange={(event) => onKeep(event.target.checked)}
        />
        <span className="grid min-w-0 flex-1 gap-0.5">
          <bdi translate="no" id={`${id}-name`} className="text-sm font-medium wrap-anywhere">
            {method.name}
          </bdi>
          <span id={`${id}-details`} className="text-[0.8125rem] text-muted">
            {name} · added <Time value={method.created_at} /> · <LastUsed {...method} />
          </span>
        </span>
        <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      </label>
    </li>
  );
}

/** The service records the use of passkeys and identities only. */
function LastUsed({ kind, last_used_at: time }: SignInMethod): React.ReactNode {
  if (time === null) return kind === 'passkey' ? 'never used' : 'last use not recorded';
  return (
    <>
      last used <Time value={time} />
    </>
  );
}
