/** Texts of the styleguide screen, without its demos. */
export const styleguideText = {
  title: (productName: string) => `${productName} Design System`,
  subtitle: 'Emergency Response Platform Component Library',
  copy: 'Copy Setup Guide',
  copied: 'Copied!',
  copiedDescription: 'Design system setup copied to clipboard',
  copyFailed: 'Not copied',
  copyFailedDescription: 'Your browser blocked access to the clipboard.',
} as const;
