import os from 'node:os';

/** Returns the operating system's name of the current user, or '' if there is none. */
export function readOsUsername(): string {
  try {
    return os.userInfo().username;
  } catch {
    // A container can run with a user ID that has no entry in /etc/passwd.
    return '';
  }
}
