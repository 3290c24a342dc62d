/** User-visible texts of the security screen. */
import { quoted } from '../../ui/quoted-text.tsx';

/** The first second factor revokes all sessions that do not have it; a further one leaves those that have one. */
const signedOutElsewhere = 'Any sessions on other devices have ended.';

export const securityText = {
  title: 'Security',
  description: 'Manage how you sign in and where you are signed in.',
  remove: 'Remove',
  rename: 'Rename',
  cancel: 'Cancel',
  account: {
    title: 'Profile',
    loadFailed: 'Your profile could not be loaded',
    description: 'Your name, and the password you sign in with.',
    unnamed: 'No name yet',
    nameDetails: (email: string) => `Signs in with ${quoted(email)}`,
    change: 'Change',
    changeName: 'Change name',
    nameTitle: 'Change your name',
    nameHelpText: 'Shown in this console, in invitations that you send, and in other emails.',
    saveName: 'Save name',
    savingName: 'Saving...',
    nameDone: 'Name changed',
    nameDoneDescription: (name: string) => `Your name is now ${quoted(name)}.`,
    password: 'Password',
    passwordDetails: 'Changing your password signs you out on all other devices.',
    changePassword: 'Change password',
    passwordTitle: 'Change your password',
    current: 'Current Password',
    code: 'Code from the email',
    codeHelpText: (email: string) => `The six-digit code sent to ${quoted(email)}.`,
    codeHelpTextWithoutMail: (email: string) =>
      `The six-digit code of the email to ${quoted(email)}. No mail server is set up: ask the operator, who can read it in the local mailbox.`,
    currentError: 'Enter your current password',
    wrongCurrent: 'This is not your current password',
    perhapsChanged:
      'This is not your current password. An earlier attempt may have changed it. Sign in again with the new password to check',
    wrongCode: 'This code is incorrect or has expired',
    sendCode: 'Forgot your password? Get a code by email',
    sendingCode: 'Sending...',
    codeFailed: 'Error sending code',
    codeEarlier: 'A code was sent recently',
    byPassword: 'Use your current password',
    next: 'New Password',
    confirm: 'Confirm New Password',
    savePassword: 'Change password',
    savingPassword: 'Changing...',
    passwordDone: 'Password changed',
    passwordDoneDescription: signedOutElsewhere,
  },
  contactPhone: {
    none: 'No phone number',
    loading: 'Phone number',
    loadFailed: 'Your phone number could not be loaded',
    details: 'Printed on the emergency sheet. Not used to sign in.',
    change: 'Change',
    changePhone: 'Change phone number',
    title: 'Change your phone number',
    field: 'Phone',
    help: 'With the country code, for example +41 44 668 18 00. Leave it empty to remove the number.',
    save: 'Save phone number',
    saving: 'Saving...',
    done: 'Phone number changed',
    doneDescription: (phone: string) => `Your phone number is now ${quoted(phone)}.`,
    removedDescription: 'Your phone number was removed.',
  },
  reauthentication: {
    title: "Confirm it's you",
    description: 'This action needs a recent sign-in. Confirm below to continue.',
    byFactor: 'This action needs a recent sign-in. Use your second factor to continue.',
    sendTo: (email: string) => `A code is sent to ${quoted(email)}.`,
    sendToWithoutMail:
      'No mail server is set up. The code is saved in the local mailbox of the service: ask its operator for it.',
    send: 'Send code',
    submit: 'Confirm',
    submitting: 'Checking...',
  },
  factors: {
    title: 'Two-factor authentication',
    description: 'A second factor, such as a code from an app, that you enter after your password.',
    on: 'On',
    off: 'Off',
    add: 'Add second factor',
    addApp: 'Add authenticator app',
    addKey: 'Add security key',
    addPhone: 'Add phone',
    loadFailed: 'Your second factors could not be loaded',
    empty: 'No second factor yet',
    emptyDescription: 'A second factor protects your account if your password is stolen.',
    kinds: { totp: 'Authenticator app', webauthn: 'Security key', phone: 'Phone' },
    added: 'Added',
    removeLabel: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove ${quoted(name)}?`,
    removeDescription:
      'You can no longer use it to sign in. If you used it in this session, you must verify another second factor next.',
    removeLastDescription: (recoveryCodes: boolean) =>
      `This is your only second factor. Without it, your password alone signs you in.${
        recoveryCodes ? ' Recovery codes that you created are deleted.' : ''
      } If administrators must use a second factor, you cannot use the console until you add one again, or sign in with a passkey that counts as two factors.`,
    removeConfirm: 'Remove second factor',
    removing: 'Removing...',
    removed: 'Second factor removed',
    removedDescription: (name: string) => `${quoted(name)} can no longer be used to sign in.`,
    removeFailed: 'Error removing second factor',
  },
  code: {
    label: 'Code',
    error: 'Enter the six-digit code',
    submit: 'Turn on',
    submitting: 'Checking...',
  },
  app: {
    title: 'Add authenticator app',
    description:
      'An app on your phone that generates a new code every 30 seconds, such as Aegis, 2FAS or Google Authenticator.',
    name: 'Name',
    nameHelpText: 'Helps you recognize it later, for example by the phone it is on.',
    suggestion: (number: number) => (number === 1 ? 'Authenticator app' : `Authenticator app ${number}`),
    next: 'Continue',
    starting: 'Preparing...',
    scanTitle: 'Scan the QR code with the app',
    qrAlternative: 'QR code of the key shown as text below',
    secret: 'Or enter this key in the app',
    copy: 'Copy key',
    copied: 'Copied!',
    codeHelpText: 'The six-digit code shown in the app.',
    wrongCode:
      'This code is incorrect or was already used. Wait for the next code and check that the clock on your phone is correct.',
    done: 'Authenticator app added',
    doneDescription: (isFirst: boolean) =>
      isFirst
        ? `You will be asked for its code when you sign in. ${signedOutElsewhere}`
        : 'You can also use its code when you sign in.',
  },
  key: {
    title: 'Add security key',
    description:
      'A hardware key that you plug in or hold to your phone. Your browser asks for it when you continue.',
    suggestion: (number: number) => (number === 1 ? 'Security key' : `Security key ${number}`),
    submit: 'Continue',
    submitting: 'Waiting for your key...',
    done: 'Security key added',
    doneDescription: (isFirst: boolean) =>
      isFirst
        ? `You will be asked for it when you sign in. ${signedOutElsewhere}`
        : 'You can also use it when you sign in.',
  },
  phone: {
    title: 'Add phone',
    description: 'You can request a code by text message when you sign in.',
    suggestion: (number: number) => (number === 1 ? 'Phone' : `Phone ${number}`),
    number: 'Phone number',
    numberHelpText: 'With country code, for example +41 79 123 45 67.',
    numberError: 'Enter the phone number with its country code',
    submit: 'Send code',
    submitting: 'Sending...',
    codeHelpText: 'The six-digit code from the text message.',
    wrongCode: 'This code is incorrect or can no longer be used. Check the message, or start again.',
    done: 'Phone added',
    doneDescription: (isFirst: boolean) =>
      isFirst
        ? `You will be asked for a code by text message when you sign in. ${signedOutElsewhere}`
        : 'You can also use a code by text message when you sign in.',
  },
  recovery: {
    title: 'Recovery codes',
    description: 'Ten single-use codes for signing in if you lose your second factor.',
    needsFactor: 'Recovery codes replace a lost second factor. Add a second factor first.',
    none: 'You have no recovery codes. Each code replaces a lost second factor once.',
    remaining: (remaining: number, total: number) =>
      remaining === 1 ? `1 of ${total} codes left` : `${remaining} of ${total} codes left`,
    few: 'Generate new codes before you run out.',
    noneLeft: 'Generate new codes. The used ones no longer work.',
    enough: 'Store them where you can reach them without your phone.',
    loadFailed: 'Your recovery codes could not be checked',
    create: 'Generate recovery codes',
    offer: {
      title: 'Generate recovery codes now?',
      description:
        'If you lose your second factor, a recovery code replaces it once. Without one, another administrator must remove your second factor.',
      later: 'Later',
    },
    creating: 'Creating...',
    regenerate: 'Generate new codes',
    regenerateTitle: 'Generate new recovery codes?',
    regenerateDescription: 'Your current codes stop working immediately.',
    regenerateConfirm: 'Generate new codes',
    failed: 'Error generating recovery codes',
    dialogTitle: 'Your recovery codes',
    dialogDescription: 'These codes are shown only once. Print them or save them in a password manager.',
    listLabel: 'Recovery codes',
    sheetTitle: (product: string) => `${product}: recovery codes`,
    sheetFor: (email: string, date: string) =>
      `For ${quoted(email)}, generated on ${date}. Each code works once.`,
    copy: 'Copy codes',
    copied: 'Copied!',
    save: 'Save as file',
    fileName: 'recovery-codes.txt',
    print: 'Print',
    close: 'I have saved these codes',
    leave: {
      title: 'Leave without these codes?',
      description: 'These codes are not shown again. If you have not saved them, generate new ones.',
      confirmLabel: 'Leave without codes',
      cancelLabel: 'Stay here',
    },
  },
  passkeys: {
    title: 'Passkeys',
    description: 'Sign in with your fingerprint, face or device PIN instead of a password.',
    twoFactors: 'Counts as two factors, needs no code',
    add: 'Add passkey',
    loadFailed: 'Your passkeys could not be loaded',
    empty: 'No passkeys yet.',
    unnamed: 'Passkey',
    added: 'Added',
    lastUsed: 'last used',
    neverUsed: 'never used',
    addTitle: 'Add passkey',
    addDescription: 'Your browser asks you where to store the passkey when you continue.',
    addSubmit: 'Continue',
    adding: 'Waiting for your device...',
    addDone: 'Passkey added',
    addDoneDescription: (name: string) => `You can now sign in with the passkey ${quoted(name)}.`,
    addDoneUnnamed: 'You can now sign in with it, but its name could not be saved. Rename it in the list.',
    renameLabel: (name: string) => `Rename ${name}`,
    renameTitle: 'Rename passkey',
    renameSubmit: 'Save name',
    renaming: 'Saving...',
    renamed: 'Passkey renamed',
    removeLabel: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove passkey ${quoted(name)}?`,
    removeDescription:
      'You can no longer sign in with it, and other sessions that signed in with it end. If your device still offers it, delete it there too.',
    removeRequired: (time: string, isDue: boolean) =>
      `Administrators ${isDue ? 'have needed a second factor since' : 'need a second factor from'} ${time}, and this is your only one. Without it, you cannot use the console ${isDue ? '' : 'then '}until you set up another.`,
    removeConfirm: 'Remove passkey',
    removing: 'Removing...',
    removed: 'Passkey removed',
    removedDescription: (name: string) => `You can no longer sign in with the passkey ${quoted(name)}.`,
    removeFailed: 'Error removing passkey',
  },
  sessions: {
    title: 'Active sessions',
    description: 'Sign out any session that you do not recognize.',
    loadFailed: 'Your sessions could not be loaded',
    current: 'This device',
    unknownIpAddress: 'Unknown IP address',
    signedIn: 'Signed in',
    active: 'Active now',
    renewed: 'Last renewed',
    revoke: 'Sign out',
    revokeLabel: (device: string, ipAddress: string) => `Sign out ${device} at ${ipAddress}`,
    revokeTitle: (device: string) => `Sign out ${device}?`,
    revokeDescription: (ipAddress: string) =>
      `The session from ${quoted(ipAddress)} ends immediately. You can sign in again there.`,
    revokeConfirm: 'Sign out device',
    revoking: 'Signing out...',
    revoked: 'Session ended',
    revokedDescription: (device: string) => `The session on ${device} has ended.`,
    revokeFailed: 'Error ending session',
    others: 'Sign out others',
    othersTitle: 'Sign out everywhere else?',
    othersDescription: (count: number) =>
      count === 1
        ? '1 other session ends immediately. You stay signed in here.'
        : `${count} other sessions end immediately. You stay signed in here.`,
    othersConfirm: 'Sign out others',
    othersDone: 'Signed out everywhere else',
    othersDoneDescription: 'Only this session remains.',
    othersFailed: 'Error signing out other sessions',
    showAll: (count: number) => `Show all ${count}`,
    onlySession: 'You have no other sessions.',
  },
  identities: {
    title: 'Linked accounts',
    description: 'External accounts that you can sign in with.',
    loadFailed: 'Your linked accounts could not be loaded',
    empty: 'No linked accounts.',
    linked: 'Linked',
    lastUsed: 'last used',
    link: (provider: string) => `Link ${provider}`,
    linking: 'Opening...',
    linkFailed: 'Error linking account',
    unlink: 'Unlink',
    unlinkLabel: (provider: string) => `Unlink ${provider}`,
    unlinkTitle: (provider: string) => `Unlink ${provider}?`,
    unlinkDescription: (name: string) =>
      `You can no longer sign in with ${quoted(name)}. Your other sign-in methods are not affected.`,
    unlinkConfirm: 'Unlink account',
    unlinking: 'Unlinking...',
    unlinked: 'Account unlinked',
    unlinkedDescription: (provider: string) => `You can no longer sign in with ${provider}.`,
    unlinkFailed: 'Error unlinking account',
    last: 'This is your only linked account, so you cannot unlink it.',
  },
  nameField: {
    label: 'Name',
    required: 'Enter a name',
    tooLong: 'Name must be at most 60 characters',
  },
} as const;

/** Names of OAuth providers that capitalizing the first letter does not produce. */
const providerNames: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
  linkedin_oidc: 'LinkedIn',
  slack_oidc: 'Slack',
  workos: 'WorkOS',
};

/** Returns, for example, 'Google' for 'google' and 'Our club' for 'our_club'. */
export const providerName = (provider: string): string => {
  const known = Object.hasOwn(providerNames, provider) ? providerNames[provider] : undefined;
  if (known !== undefined) return known;
  const words = provider.replaceAll(/[_-]+/g, ' ').trim();
  return words === '' ? provider : words.charAt(0).toUpperCase() + words.slice(1);
};
