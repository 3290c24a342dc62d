/** Further search words of the screens in the command palette, by path: what a user can do there. */
export const screenKeywords: Readonly<Record<string, string>> = {
  '/admin/notifications': 'email sender domain dns test',
  '/admin/activity': 'audit log history changes who',
  '/admin/handover': 'changes since last visit news print sheet',
  '/admin/me/security': [
    'my profile full name email address phone number',
    'password passkey security key',
    'second factor two-factor authentication 2fa mfa totp authenticator app',
    'recovery backup codes',
    'sessions devices sign out others',
  ].join(' '),
};
