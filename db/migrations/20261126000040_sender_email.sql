-- The sender is one email address as packages/contract/src/email.ts normalizes it: lower case, with an ASCII domain, without a
-- name, a scheme and invisible characters. The service converts international domains before it stores them. The table rejects
-- what was not converted, such as CSV, so that no domain is stored that imitates another one.

update public.notification_settings
  set sender_email = translate(
    regexp_replace(sender_email, '[\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]|\u00ad', '', 'g'),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')
  where sender_email ~ '[A-Z\u00ad]|[\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]';
-- What remains invalid is kept and shown: the service converts the domain when it sends an email, or uses MAIL_FROM, as before.
alter table public.notification_settings
  add constraint notification_settings_sender_email_is_one_address check (
    sender_email ~ ('^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*'
      '@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$')
    and position('@' in sender_email) <= 65
  ) not valid;
