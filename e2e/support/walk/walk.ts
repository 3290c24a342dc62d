/** One person who walks through the console, and what the walk knows about them. */
import type { Page } from '@playwright/test';
import type { TestUser } from '../users.ts';
import type { View } from './view.ts';

export type Sql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

export interface Walk {
  readonly page: Page;
  readonly person: TestUser;
  /** Statements past the service, as another client's changes. */
  readonly sql: Sql;
  /** What the browser's console has printed during this walk. */
  readonly messages: readonly string[];
  /** The steps taken so far, as they are printed. */
  readonly taken: string[];
  /** The page as it was after the last step. */
  view: View;
  online: boolean;
  /** Another client changed accounts, and this page has not read them since. */
  outdated: boolean;
  /** The page was offline at some time: failed requests are expected in the browser's console. */
  wasOffline: boolean;
  /** A session was ended from outside: rejected requests are expected in the browser's console. */
  sessionEnded: boolean;
  /** The session in the browser is active. */
  signedIn: boolean;
}

export const newWalk = (fixed: Pick<Walk, 'page' | 'person' | 'sql' | 'messages' | 'view'>): Walk => ({
  ...fixed,
  taken: [],
  online: true,
  outdated: false,
  wasOffline: false,
  sessionEnded: false,
  signedIn: true,
});

/** The title of each screen that a walk reaches, as the sidebar names it. */
export const screens: Readonly<Record<string, string>> = {
  '/admin/analytics': 'Global Analytics',
  '/admin/accounts': 'Accounts',
  '/admin/platform-admins': 'Admins',
  '/admin/subtypes': 'Subtypes',
  '/admin/repository': 'Repository',
  '/admin/styleguide': 'Styleguide',
  '/admin/notifications': 'Notifications',
  '/admin/logs': 'Logs',
};

/** Headings that differ from the title of their screen. */
export const longHeadings: Readonly<Record<string, string>> = {
  '/admin/styleguide': 'Lanternrock Design System',
  '/admin/notifications': 'Notification Settings',
};

export interface DialogAddress {
  readonly path: string;
  /** The search parameter that is present while the dialog is open. */
  readonly parameter: string;
  /** The dialog's name; null for panels, which are named after their row. */
  readonly dialog: string | null;
}

/** Dialogs and panels whose open state is part of the URL. */
export const dialogAddresses: readonly DialogAddress[] = [
  { path: '/admin/accounts', parameter: 'new', dialog: 'Add New Account' },
  { path: '/admin/accounts', parameter: 'account', dialog: null },
  { path: '/admin/platform-admins', parameter: 'invite', dialog: 'Invite New Administrator' },
  { path: '/admin/platform-admins', parameter: 'invitation', dialog: null },
];

/** Dialogs that open over every screen and are not part of the URL. */
export const isOverlay = (name: string): boolean =>
  /^(Sign in again|Discard .*|Search or run a command|Navigation|Keyboard shortcuts)$/.test(name);

/** The code of the screen could not be loaded, and a message stands in its place. */
export const isBroken = ({ view }: Pick<Walk, 'view'>): boolean =>
  view.failures.includes('This screen could not be shown');
