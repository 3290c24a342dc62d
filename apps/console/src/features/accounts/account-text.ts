/** Texts of the account panel and the dialog for a new account. */
export const accountText = {
  panel: {
    slug: 'Slug',
    users: 'Users',
    address: 'Address',
    created: 'Created',
    updated: 'Last updated',
    notFound: 'This account does not exist or you do not have access to it.',
    loadFailed: 'The account could not be loaded',
    unnamed: 'Account',
  },
  dialog: {
    title: 'Add New Account',
    description: 'The account is active as soon as it is created.',
    name: 'Account Name',
    type: 'Type',
    typePlaceholder: 'Select a type',
    address: 'Address',
    city: 'City',
    state: 'State',
    zipCode: 'Zip Code',
    cancel: 'Cancel',
    submit: 'Create Account',
    submitting: 'Creating...',
    similar: (names: readonly string[]) =>
      names.length === 1
        ? `A similar account exists: ${names.join()}`
        : `Similar accounts exist: ${names.join(', ')}`,
  },
  discard: {
    title: 'Discard the new account?',
    description: 'Your changes have not been saved.',
    confirmLabel: 'Discard account',
    cancelLabel: 'Keep editing',
  },
  toast: {
    authRequired: 'Authentication required',
    authRequiredDescription: 'You must be logged in to create an account',
    createFailed: 'Error creating account',
    created: 'Account created',
    createdDescription: (name: string) => `${name} has been successfully created.`,
  },
} as const;
