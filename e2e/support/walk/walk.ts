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
  /** The same at some time: the answer to an earlier read can arrive after a reload. */
  wasOutdated: boolean;
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
  wasOutdated: false,
  wasOffline: false,
  sessionEnded: false,
  signedIn: true,
});

/** Titles of the screens in the sidebar. */
export const sidebarScreens: Readonly<Record<string, string>> = {
  '/admin/analytics': 'Global Analytics',
  '/admin/accounts': 'Accounts',
  '/admin/platform-admins': 'Admins',
  '/admin/subtypes': 'Subtypes',
  '/admin/repository': 'Repository',
  '/admin/styleguide': 'Styleguide',
  '/admin/notifications': 'Notifications',
  '/admin/logs': 'Logs',
};

/** Titles of the screens that the command palette opens, as its commands. */
export const paletteScreens: Readonly<Record<string, string>> = {
  '/admin/activity': 'Activity',
  '/admin/handover': 'Handover',
  '/admin/me/security': 'Security',
  '/admin/accounts/import': 'Import Accounts',
  '/admin/accounts/import-contacts': 'Import Contacts',
  '/admin/platform-admins/invite-list': 'Invite from a List',
};

/** Titles of all screens of a walk. */
export const screens: Readonly<Record<string, string>> = {
  ...sidebarScreens,
  ...paletteScreens,
  '/admin/handover/sheet': 'Emergency sheet',
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
  /** Name of the dialog, or null if it depends on the row or on the value of the param. */
  readonly dialog: string | null;
}

/** Dialogs and panels whose open state is part of the URL. */
export const dialogUrlStates: readonly DialogUrlState[] = [
  { path: '/admin/accounts', parameter: 'new', dialog: 'Add New Account' },
  { path: '/admin/accounts', parameter: 'account', dialog: null },
  { path: '/admin/accounts', parameter: 'action', dialog: null },
  { path: '/admin/platform-admins', parameter: 'invite', dialog: 'Invite New Administrator' },
  { path: '/admin/platform-admins', parameter: 'invitation', dialog: null },
  { path: '/admin/platform-admins', parameter: 'administrator', dialog: null },
  {
    path: '/admin/platform-admins',
    parameter: 'requirement',
    dialog: 'Require a second factor of all administrators?',
  },
  { path: '/admin/me/security', parameter: 'add', dialog: null },
];

/** Returns true for the forms of the security screen that are not part of the URL. */
export const isProfileForm = (name: string): boolean => /^Change your (name|password)$/.test(name);

/** Returns true for the question before input is lost or work is stopped. */
export const isLeaveQuestion = (name: string): boolean => /^(Discard|Stop) /.test(name);

/** Returns true for dialogs that are not part of the URL. */
export const isOverlay = (name: string): boolean =>
  isProfileForm(name) ||
  isLeaveQuestion(name) ||
  /^(Sign in again|Search or run a command|Navigation|Keyboard shortcuts|View)$/.test(name);

/** Returns true if the screen shows an error instead of its content. */
export const hasScreenError = ({ view }: Pick<Walk, 'view'>): boolean =>
  view.failures.includes('This screen could not be shown');
