/** Texts of the styleguide outside its demos. Quoted ones of the specification are to the letter. */
export const styleguideText = {
  title: (productName: string) => `${productName} Design System`,
  subtitle: 'Emergency Response Platform Component Library',
  copy: 'Copy Setup Guide',
  copied: 'Copied!',
  copiedDescription: 'Design system setup copied to clipboard',
  copyFailed: 'Not copied',
  copyFailedDescription: 'The browser refused access to the clipboard.',
} as const;
