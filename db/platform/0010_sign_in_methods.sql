-- Whether a user has a passkey that counts as two factors, if the settings allow it: its authenticator verified the user.
create function auth.has_verifying_passkey(subject uuid) returns boolean
  language sql stable
  set search_path = ''
  return exists (select from auth.webauthn_credentials c where c.user_id = subject and c.user_verified);
revoke execute on function auth.has_verifying_passkey(uuid) from public;

-- Whether a user has a password, a passkey or an identity of another provider. An emailed link is none: a reader of the mailbox
-- can request it.
create function auth.has_sign_in_method(subject uuid) returns boolean
  language sql stable
  set search_path = ''
  return exists (select from auth.users u where u.id = subject and coalesce(u.encrypted_password, '') <> '')
    or exists (select from auth.identities i where i.user_id = subject and i.provider <> 'email')
    or exists (select from auth.webauthn_credentials c where c.user_id = subject);
revoke execute on function auth.has_sign_in_method(uuid) from public;
