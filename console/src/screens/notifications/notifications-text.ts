/** Every text of the notification settings screen. Quoted ones of the specification are to the letter. */
export const notificationsText = {
  title: 'Notification Settings',
  form: {
    title: 'Email Configuration',
    description: 'Who the emails of this platform come from.',
    senderEmail: 'Sender Email Address',
    senderName: 'Sender Name',
    submit: 'Save Settings',
    submitting: 'Saving...',
  },
  loadFailed: 'The settings could not be loaded',
  conflict: {
    message: 'The settings have been changed elsewhere. Nothing was overwritten.',
    title: 'Saved elsewhere meanwhile',
    stored: (name: string, email: string) => `Stored now: ${name} <${email}>`,
    hint: 'Save again to replace it, or take the stored settings.',
    take: 'Use stored settings',
  },
  toast: {
    error: 'Error',
    loadFailed: 'Failed to load notification settings',
    saveFailed: 'Failed to save notification settings',
    saved: 'Settings saved',
    savedDescription: 'Notification settings have been updated successfully',
  },
} as const;
