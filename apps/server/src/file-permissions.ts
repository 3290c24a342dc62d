/** Whom a file of DATA_DIR must be trusted with. */

export interface FilePermissions {
  /** It belongs neither to the user of this process nor to root. */
  readonly otherOwner: boolean;
  /** Its group or everybody may write it. */
  readonly writableByOthers: boolean;
}

/** @param mode of `fs.Stats`; systems without user ids know no foreign owner. */
export const checkFilePermissions = (uid: number, mode: number): FilePermissions => ({
  otherOwner: uid !== 0 && uid !== (process.geteuid?.() ?? uid),
  writableByOthers: (mode & 0o022) !== 0,
});
