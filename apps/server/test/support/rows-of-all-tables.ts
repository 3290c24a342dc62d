/** Rows of all tables, as a service and its users write them; for tests of an upgrade. */

const admin = '00000000-0000-4000-8000-000000000001';
const guest = '00000000-0000-4000-8000-000000000002';
const member = '00000000-0000-4000-8000-000000000003';
const account = '00000000-0000-4000-8000-000000000011';
const suspended = '00000000-0000-4000-8000-000000000012';
const invitation = '00000000-0000-4000-8000-000000000021';
const memberInvitation = '00000000-0000-4000-8000-000000000022';
const factor = '00000000-0000-4000-8000-000000000031';
const session = '00000000-0000-4000-8000-000000000041';
const imported = '00000000-0000-4000-8000-000000000061';
const passkeySession = '00000000-0000-4000-8000-000000000042';
const passkey = '00000000-0000-4000-8000-000000000071';
const codes = '00000000-0000-4000-8000-000000000051';

/** A value of 32 bytes, as SHA-256 has. */
const hash = (letter: string): string => `convert_to(repeat('${letter}', 32), 'UTF8')`;

/** SQL for the owner of the database. */
export const rowsOfAllTables = `
  insert into auth.users (id, email, encrypted_password, email_confirmed_at, raw_user_meta_data) values
    ('${admin}', 'ann@example.org', 'x', now(), '{"full_name": "Ann Müller"}'),
    ('${guest}', 'bo@example.org', 'x', now(), '{"full_name": "Bo \\u200d Li"}'),
    ('${member}', 'cy@example.org', null, null, '{}');
  insert into auth.identities (user_id, provider, provider_id, identity_data)
    values ('${admin}', 'google', '1', '{"email": "Ann@Example.org"}');
  insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret)
    values ('${factor}', '${admin}', 'Phone', 'totp', 'verified', ${hash('s')});
  insert into auth.mfa_challenges (factor_id) values ('${factor}');
  insert into auth.recovery_code_sets (id, user_id) values ('${codes}', '${admin}');
  insert into auth.recovery_codes (set_id, code_hash) values ('${codes}', ${hash('a')}), ('${codes}', ${hash('b')});
  insert into auth.sessions (id, user_id, aal, factor_id, refresh_token_key, ip)
    values ('${session}', '${admin}', 'aal2', '${factor}', ${hash('k')}, '192.0.2.1');
  insert into auth.webauthn_credentials (id, user_id, credential_id, public_key, friendly_name, user_verified)
    values ('${passkey}', '${guest}', 'credential', ${hash('p')}, 'Laptop', true);
  insert into auth.sessions (id, user_id, aal, passkey_id, passkey_aal2, refresh_token_key)
    values ('${passkeySession}', '${guest}', 'aal2', '${passkey}', true, ${hash('q')});
  insert into auth.mfa_amr_claims (session_id, authentication_method)
    values ('${session}', 'password'), ('${session}', 'totp'), ('${passkeySession}', 'passkey');
  insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, expires_at)
    values ('${member}', 'invitation', ${hash('t')}, 'cy@example.org', now() + interval '7 days');
  insert into auth.flow_state (user_id, authentication_method, provider, expires_at)
    values ('${guest}', 'oauth', 'google', now() + interval '10 minutes'),
      (null, 'oauth', 'google', now() + interval '10 minutes');
  insert into auth.webauthn_challenges (challenge, expires_at) values ('challenge', now() + interval '5 minutes');
  insert into auth.service_secrets (name, sealed) values ('signing-keys', ${hash('e')});
  insert into auth.rate_limits (bucket, hits, ends_at) values ('token:192.0.2.1', 3, now() + interval '5 minutes');

  insert into public.user_roles (user_id, role, granted_by, ends_at) values
    ('${admin}', 'platform_admin', null, null),
    ('${guest}', 'platform_admin', '${admin}', now() + interval '1 day');
  insert into auth.audit_log_entries (payload)
    values ('{"action": "factor_added", "actor_id": "${admin}"}'), ('{"action": "login"}');
  insert into private.former_administrators (user_id, since) values ('${member}', now() - interval '1 year');
  insert into private.second_factor_requirement (due_at, set_by) values (now() + interval '7 days', '${admin}');
  insert into public.accounts (id, name, slug, account_type, address, city, state, zip_code, created_by) values
    ('${account}', 'Zürich Mountain Rescue', 'zurich-mountain-rescue', 'organization', 'Quai 1', 'Zürich', 'ZH', '8001',
      '${admin}'),
    ('${suspended}', 'Harbor Patrol', 'harbor-patrol', 'enterprise', null, null, null, null, null);
  insert into public.account_members (account_id, user_id, status)
    values ('${account}', '${guest}', 'active'), ('${account}', '${member}', 'suspended');
  update public.account_members set ends_at = now() + interval '1 day' where user_id = '${guest}';
  insert into public.account_contacts (account_id, position, name, role, phone, email, note)
    values ('${account}', 1, 'Anna Keller', 'Duty officer', '+41446681800', 'anna@example.org', 'Channel 4'),
      ('${account}', 3, 'Ben Ober', null, null, null, null);
  update public.profiles set phone = '+41446681801' where id = '${admin}';
  update public.accounts set status = 'suspended' where id = '${suspended}';
  insert into private.account_suspensions (id, reason, suspended_by) values ('${suspended}', 'Not paid', '${admin}');
  insert into private.account_imports (id, created_by) values ('${imported}', '${admin}');
  insert into private.imported_accounts (account_id, import_id, updated_at)
    select id, '${imported}', updated_at from public.accounts where id = '${account}';
  insert into private.invitations (id, email, full_name, user_id, invited_by, note, term_seconds)
    values ('${invitation}', 'cy@example.org', 'Cy Cole', '${member}', '${admin}', e'Welcome,\\nAnn', 3600);
  insert into private.invitation_tokens (token_hash, invitation_id, expires_at)
    values (${hash('i')}, '${invitation}', now() + interval '7 days');
  insert into private.invitation_openings (invitation_id, by_program, opened_at)
    values ('${invitation}', true, now()), ('${invitation}', false, now());
  insert into private.deliveries
    (id, kind, recipient, user_id, invitation_id, sealed, due_at, inviter_kind, inviter, reserve)
    values (gen_random_uuid(), 'invitation', 'cy@example.org', '${member}', '${invitation}', ${hash('d')}, now(),
      'administrator', 'Ann Müller', 'invitation');
  insert into private.member_invitations (id, account_id, email, full_name, user_id, invited_by, note)
    values ('${memberInvitation}', '${suspended}', 'cy@example.org', 'Cy Cole', '${member}', '${admin}', 'Welcome');
  insert into private.member_invitation_tokens (token_hash, invitation_id, expires_at)
    values (${hash('m')}, '${memberInvitation}', now() + interval '7 days');
  insert into private.deliveries
    (id, kind, recipient, user_id, member_invitation_id, sealed, due_at, inviter_kind, inviter, reserve)
    values (gen_random_uuid(), 'member_invitation', 'cy@example.org', '${member}', '${memberInvitation}', ${hash('d')}, now(),
      'administrator', 'Ann Müller', 'invitation');
  insert into public.notification_settings (sender_email, sender_name) values ('alerts@example.org', 'Alerts');
  insert into private.request_keys (caller, key, fingerprint, status, headers, body)
    values ('${admin}', gen_random_uuid(), ${hash('f')}, 201, '{}', '[]');
  insert into private.handover_visits (user_id, since, seen_until, visited_at)
    values ('${admin}', now() - interval '1 day', now(), now());
  insert into private.service_settings (site_url, fingerprints) values ('https://example.org', '{"SMTP_URL": "x"}');
  insert into private.demonstration default values;
  insert into private.backup_state (schedule, next_at, finished_at, completed_at, file, bytes)
    values ('@daily', now(), now(), now(), 'lanternrock-20261127T000000Z.backup', 1000);
  insert into private.audit_seals (position, entry_id, hash)
    select row_number() over (order by id), id, ${hash('c')} from private.audit_log;
  insert into private.audit_checkpoints (position, hash, at, signature)
    values (1, ${hash('c')}, now(), repeat('s', 86));
  insert into private.audit_reports (day, at, position, mailed) values (current_date, now(), 1, true);`;
