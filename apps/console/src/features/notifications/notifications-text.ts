/** Texts of the notification settings screen. */
import { quoted } from '../../ui/quoted-text.tsx';
export const notificationsText = {
  title: 'Notification Settings',
  form: {
    title: 'Email Configuration',
    description:
      'The sender of emails. Security notices and audit log emails can have another one, which the operator sets with MAIL_FROM.',
    senderEmail: 'Sender Email Address',
    senderName: 'Sender Name',
    submit: 'Save Settings',
    submitting: 'Saving...',
  },
  loadFailed: 'The settings could not be loaded',
  conflict: {
    message: 'The settings have changed since you opened them. Your changes were not saved.',
    title: 'Settings changed',
    stored: (name: string, email: string) => `Current settings: ${quoted(name)} <${quoted(email)}>`,
    author: (name: string) => `Saved by ${quoted(name)}`,
    help: 'Save again to overwrite them, or use the current settings.',
    discard: 'Use current settings',
  },
  delivery: {
    title: 'Email Delivery',
    description: (domain: string | undefined) =>
      `DNS records that receiving mail servers check for ${domain === undefined ? 'the sending domain' : quoted(domain)}.`,
    selector: 'DKIM Selector',
    selectorHelp:
      'Provided by your email provider. Leave empty to use the selector of the service (DKIM_SELECTOR).',
    check: 'Check domain',
    checking: 'Checking...',
    checked: 'Checked',
    states: { pass: 'Published', missing: 'Missing or invalid', unknown: 'Unknown' },
    purposes: {
      SPF: 'Servers allowed to send email for the domain',
      DKIM: 'Public key that verifies the signatures of email from the domain',
      DMARC: 'Policy for email that fails the checks',
    },
    at: 'Name',
    found: 'Found',
    publish: 'Suggested TXT record',
    copy: 'Copy',
    copied: 'Copied!',
    copyValue: (kind: string) => `Copy the value for ${kind}`,
    checkFailed: 'The domain could not be checked',
    test: 'Send test email',
    testing: 'Sending...',
    testSent: (to: string) => `The mail server accepted the test email to ${quoted(to)}.`,
    testCaptured: 'No mail server is set up. The test email was saved in the local mailbox and was not sent.',
    testUnconfirmed: (to: string) => `The test email to ${quoted(to)} is not confirmed as sent yet.`,
    testRetry: (time: string) => `The service tries again after ${time}.`,
    testNotSent: (to: string) => `The test email to ${quoted(to)} was not sent.`,
    testFailed: 'Error sending test email',
  },
  toast: {
    error: 'Error',
    loadFailed: 'Failed to load notification settings',
    saveFailed: 'Failed to save notification settings',
    saved: 'Settings saved',
    savedDescription: 'Notification settings have been updated successfully',
  },
} as const;
