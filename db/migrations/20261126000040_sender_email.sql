-- The sender is one email address as packages/contract/src/email.ts normalizes it: lower case, without a name, a scheme and
-- invisible characters. The service converts international domains before it stores them. A domain that SQL stored
-- unconverted stays allowed and is converted when an email is sent.

update public.notification_settings
  set sender_email = translate(
    regexp_replace(sender_email, '[\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]|\u00ad', '', 'g'),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')
  where sender_email ~ '[A-Z\u00ad]|[\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]';
-- What remains invalid is kept and shown: the service uses MAIL_FROM instead, as before.
alter table public.notification_settings
  add constraint notification_settings_sender_email_is_one_address check (
    sender_email ~ '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]+@[a-z0-9.\u00b7-\U0010ffff-]+\.[a-z0-9\u00b7-\U0010ffff-]+$'
    and sender_email !~ '[\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]'
  ) not valid;
