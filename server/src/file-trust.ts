/** Whom a file of DATA_DIR must be trusted with. */

export interface Trust {
  /** It belongs neither to the user of this process nor to root. */
  readonly foreign: boolean;
  /** Its group or everybody may write it. */
  readonly writable: boolean;
}

/** @param mode of `fs.Stats`; systems without user ids know no foreign owner. */
export const trustOf = (uid: number, mode: number): Trust => ({
  foreign: uid !== 0 && uid !== (process.geteuid?.() ?? uid),
  writable: (mode & 0o022) !== 0,
});
