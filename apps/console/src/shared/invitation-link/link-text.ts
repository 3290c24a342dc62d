/** Texts of a link that an administrator shares instead of the email of an invitation. */
export const linkText = {
  create: 'Create link',
  creating: 'Creating...',
  failed: 'Error creating link',
  label: 'Invitation link',
  expires: 'Expires',
  copy: 'Copy invitation link',
  copied: 'Copied!',
  notCopied: 'Your browser blocked copying. Select and copy the link manually.',
} as const;
