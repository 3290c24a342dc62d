/** The tables of the two kinds of invitations, whose columns for links and expiry are the same. */
import { sql, type Statement } from '@lanternrock/postgres';

/** Of an administrator, or of a member of an account: the kind of its emails. */
export type InvitationKind = 'invitation' | 'member_invitation';

/**
 * Creates a statement on `private.invitations` and `private.invitation_tokens`; for a member, on the tables of their
 * invitations instead. `membership_ends_at`, without an alias, is null for an administrator.
 */
export function sqlOfKind(kind: InvitationKind): typeof sql {
  return (parts, ...values): Statement => {
    const { text } = sql(parts, ...values);
    return {
      text:
        kind === 'invitation'
          ? text.replaceAll(/\bmembership_ends_at\b/g, 'null::timestamptz')
          : text.replaceAll(/\bprivate\.(invitations|invitation_tokens)\b/g, 'private.member_$1'),
      values,
    };
  };
}
