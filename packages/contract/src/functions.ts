/** The functions of the Functions API, which the handlers of the service and the calls of the console are typed by. */
import type * as z from 'zod/mini';
import type { accountExportSchema } from './account-export.ts';
import type * as contacts from './account-contacts.ts';
import type * as imports from './account-import.ts';
import type * as members from './account-members.ts';
import type * as status from './account-status.ts';
import type * as activity from './activity.ts';
import type * as administrators from './administrators.ts';
import type { contactImportSchema } from './contact-import.ts';
import type * as handover from './handover.ts';
import type * as lists from './invitation-list.ts';
import type { InvitationTermsResponse, invitationTermsSchema } from './invitation-terms.ts';
import type * as invitations from './invitations.ts';
import type * as memberInvitations from './member-invitations.ts';
import type * as settings from './notification-settings.ts';
import type { SetupStepsResponse } from './setup-steps.ts';
import type { SimilarAccountsResponse, similarAccountsSchema } from './similar-accounts.ts';

/**
 * - `read`: changes nothing
 * - `change`: with the header `Idempotency-Key`, a repeated call has its effect once
 * - `download`: changes nothing, and the response is a file
 */
type Effect = 'read' | 'change' | 'download';

interface Declaration<EffectName extends Effect, Schema, Output> {
  readonly effect: EffectName;
  /** The type of the schema of the input; null without input. Types only: it has no value. */
  readonly schema: Schema;
  /** Types only: it has no value. */
  readonly output: Output;
}

const read = <Schema, Output>() => ({ effect: 'read' }) as Declaration<'read', Schema, Output>;
const change = <Schema, Output>() => ({ effect: 'change' }) as Declaration<'change', Schema, Output>;
const download = <Schema>() => ({ effect: 'download' }) as Declaration<'download', Schema, Response>;

type EmailSchema = typeof invitations.administratorEmailSchema;

/** All functions but `session-watch`, a long poll by GET. */
export const functions = {
  'account-contacts': read<typeof contacts.accountContactsSchema, contacts.AccountContactsResponse>(),
  'account-details': read<typeof status.accountIdSchema, status.AccountDetailsResponse>(),
  'account-member-invitations': read<
    typeof memberInvitations.memberInvitationsSchema,
    memberInvitations.MemberInvitationsResponse
  >(),
  'account-members': read<typeof members.accountMembersSchema, members.AccountMembersResponse>(),
  'add-account-member': change<typeof members.addAccountMemberSchema, members.MemberChangeResponse>(),
  'administrator-details': read<
    typeof administrators.administratorIdSchema,
    administrators.AdministratorDetails
  >(),
  administrators: read<null, administrators.AdministratorsResponse>(),
  'check-sender-domain': read<typeof settings.dkimSelectorSchema, settings.SenderDomainResponse>(),
  'confirm-handover': change<typeof handover.confirmHandoverSchema, { readonly success: true }>(),
  // These two ignore the header `Idempotency-Key`: their response is secret, and therefore not stored.
  'create-account-member-invitation-link': change<
    typeof invitations.invitationIdSchema,
    invitations.InvitationLinkResponse
  >(),
  'create-invitation-link': change<EmailSchema, invitations.InvitationLinkResponse>(),
  'end-administrator-sessions': change<
    typeof administrators.administratorSessionsSchema,
    administrators.EndedSessionsResponse
  >(),
  'export-accounts': download<typeof accountExportSchema>(),
  'export-contacts': download<typeof accountExportSchema>(),
  'export-activity': download<typeof activity.activityExportSchema>(),
  handover: read<typeof handover.handoverSchema, handover.HandoverResponse>(),
  'handover-sheet': read<null, handover.HandoverSheetResponse>(),
  'import-accounts': change<typeof imports.importRequestSchema, imports.ImportResponse>(),
  'import-contacts': change<typeof contactImportSchema, imports.ImportResponse>(),
  'invitation-history': read<typeof invitations.invitationIdSchema, invitations.InvitationHistory>(),
  'invite-account-member': change<
    typeof memberInvitations.inviteMemberSchema,
    invitations.InvitationResponse
  >(),
  'invite-list': change<typeof lists.inviteListSchema, lists.InviteListResponse>(),
  'list-activity': read<typeof activity.activityListSchema, activity.ActivityResponse>(),
  'list-activity-people': read<null, activity.ActivityPeopleResponse>(),
  'notification-settings-author': read<null, settings.SettingsAuthorResponse>(),
  'own-phone': read<null, contacts.OwnPhoneResponse>(),
  'plan-invitations': read<typeof lists.planInvitationsSchema, lists.InvitationPlanResponse>(),
  'recent-imports': read<null, imports.RecentImportsResponse>(),
  'remove-account-member': change<typeof members.accountMemberSchema, members.MemberChangeResponse>(),
  'remove-administrator': change<EmailSchema, invitations.AdministratorResponse>(),
  'resend-account-member-invitation': change<
    typeof invitations.invitationIdSchema,
    invitations.InvitationResponse
  >(),
  'reset-administrator-factors': change<EmailSchema, invitations.AdministratorResponse>(),
  'restore-administrator': change<EmailSchema, invitations.AdministratorResponse>(),
  'revoke-account-member-invitation': change<
    typeof invitations.invitationIdSchema,
    invitations.AdministratorResponse
  >(),
  'revoke-user-invitation': change<
    typeof invitations.revokeInvitationSchema,
    invitations.AdministratorResponse
  >(),
  'second-factor-requirement': read<null, administrators.SecondFactorRequirement>(),
  'send-test-mail': change<null, settings.TestEmailResponse>(),
  'send-user-invitation': change<typeof invitations.sendInvitationSchema, invitations.InvitationResponse>(),
  'set-account-contacts': change<
    typeof contacts.setAccountContactsSchema,
    contacts.AccountContactsResponse
  >(),
  'set-account-member': change<typeof members.setAccountMemberSchema, members.MemberChangeResponse>(),
  'set-account-status': change<typeof status.setAccountStatusSchema, status.SetAccountStatusResponse>(),
  'set-administrator-end': change<
    typeof administrators.administratorEndSchema,
    invitations.AdministratorResponse
  >(),
  'set-invitation-terms': change<typeof invitationTermsSchema, InvitationTermsResponse>(),
  'set-own-phone': change<typeof contacts.ownPhoneSchema, contacts.OwnPhoneResponse>(),
  'set-second-factor-requirement': change<
    typeof administrators.secondFactorRequirementSchema,
    administrators.SecondFactorRequirement
  >(),
  'setup-steps': read<null, SetupStepsResponse>(),
  'sheet-accounts': read<typeof handover.sheetAccountsSchema, handover.SheetAccountsResponse>(),
  'similar-accounts': read<typeof similarAccountsSchema, SimilarAccountsResponse>(),
  'undo-account-member': change<typeof members.undoAccountMemberSchema, members.MemberChangeResponse>(),
  'undo-change': change<typeof activity.undoChangeSchema, { readonly success: true }>(),
  'undo-import': change<typeof imports.undoImportSchema, imports.UndoImportResponse>(),
  'unsent-invitations': read<null, invitations.UnsentInvitations>(),
} as const;

export type FunctionName = keyof typeof functions;

/** The names of the functions whose response is a file. */
export type DownloadName = {
  [Name in FunctionName]: (typeof functions)[Name]['effect'] extends 'download' ? Name : never;
}[FunctionName];

/** The schema of the input; null without input. */
export type FunctionSchema<Name extends FunctionName> = (typeof functions)[Name]['schema'];

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

/** What a client sends. */
export type FunctionInput<Name extends FunctionName> =
  FunctionSchema<Name> extends z.ZodMiniType
    ? DeepReadonly<z.input<FunctionSchema<Name>>>
    : Readonly<Record<string, never>>;

/** What the handler receives: the valid input, with defaults and normalized text. */
export type ParsedInput<Name extends FunctionName> =
  FunctionSchema<Name> extends z.ZodMiniType ? z.output<FunctionSchema<Name>> : undefined;

/** The body of a successful response; `Response` for a file. */
export type FunctionOutput<Name extends FunctionName> = (typeof functions)[Name]['output'];

/** Returns true for the name of a function that changes nothing. */
export const isReadingFunction = (name: string): boolean =>
  Object.hasOwn(functions, name) && functions[name as FunctionName].effect !== 'change';
