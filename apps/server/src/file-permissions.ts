/** Checks the owner and permissions of files in DATA_DIR. */

interface FilePermissions {
  /** True if the owner is neither the user of this process nor root. */
  readonly otherOwner: boolean;
  /** True if the group or all users can write the file. */
  readonly writableByOthers: boolean;
}

/**
 * On systems without user IDs, `otherOwner` is false.
 *
 * @param mode as in `fs.Stats`
 */
export const checkFilePermissions = (uid: number, mode: number): FilePermissions => ({
  otherOwner: uid !== 0 && uid !== (process.geteuid?.() ?? uid),
  writableByOthers: (mode & 0o022) !== 0,
});
