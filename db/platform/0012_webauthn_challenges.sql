-- One challenge per user: a new registration replaces the one before. Challenges for sign-in have no user.
-- Challenges live for minutes, so those in progress are deleted instead of compared.
delete from auth.webauthn_challenges;
create unique index webauthn_challenges_user_id_key on auth.webauthn_challenges (user_id);
create index webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);
