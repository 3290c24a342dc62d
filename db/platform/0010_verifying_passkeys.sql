-- Whether a user has a passkey that counts as two factors, if the settings allow it: its authenticator verified the user.
create function auth.has_verifying_passkey(subject uuid) returns boolean
  language sql stable
  set search_path = ''
  return exists (select from auth.webauthn_credentials c where c.user_id = subject and c.user_verified);
revoke execute on function auth.has_verifying_passkey(uuid) from public;
