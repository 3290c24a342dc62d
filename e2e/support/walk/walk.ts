/** State of a walk through the console. */
import type { Page } from '@playwright/test';
import type { TestUser } from '../users.ts';
import type { View } from './view.ts';

export type Sql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

export interface Walk {
  readonly page: Page;
  readonly user: TestUser;
  /** Runs SQL, to simulate changes by other clients. */
  readonly sql: Sql;
  /** Console messages of the browser during the walk. */
  readonly messages: readonly string[];
  /** Serialized steps so far. */
  readonly taken: string[];
  /** The page after the last step. */
  view: View;
  online: boolean;
  /** Another client changed accounts since the page loaded them. */
  outdated: boolean;
  /** The page was offline at some time, so console messages about failed requests are expected. */
  wasOffline: boolean;
  /** The session was revoked, so console messages about rejected requests are expected. */
  sessionEnded: boolean;
  /** The session in the browser is active. */
  signedIn: boolean;
}

export const newWalk = (initial: Pick<Walk, 'page' | 'user' | 'sql' | 'messages' | 'view'>): Walk => ({
  ...initial,
  taken: [],
  online: true,
  outdated: false,
  wasOffline: false,
  sessionEnded: false,
  signedIn: true,
});

/** Titles of the screens of a walk, as in the sidebar. */
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

export interface DialogUrlState {
  readonly path: string;
  /** Search param that is present while the dialog is open. */
  readonly parameter: string;
  /** Name of the dialog, or null for panels, whose name depends on the row. */
  readonly dialog: string | null;
}

/** Dialogs and panels whose open state is part of the URL. */
export const dialogUrlStates: readonly DialogUrlState[] = [
  { path: '/admin/accounts', parameter: 'new', dialog: 'Add New Account' },
  { path: '/admin/accounts', parameter: 'account', dialog: null },
  { path: '/admin/platform-admins', parameter: 'invite', dialog: 'Invite New Administrator' },
  { path: '/admin/platform-admins', parameter: 'invitation', dialog: null },
];

/** Dialogs that open over every screen and are not part of the URL. */
export const isOverlay = (name: string): boolean =>
  /^(Sign in again|Discard .*|Search or run a command|Navigation|Keyboard shortcuts)$/.test(name);

/** Returns true if the screen shows an error instead of its content. */
export const hasScreenError = ({ view }: Pick<Walk, 'view'>): boolean =>
  view.failures.includes('This screen could not be shown');
